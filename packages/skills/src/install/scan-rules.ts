export type ScanCode =
  | 'injection'
  | 'download-and-run'
  | 'download'
  | 'credentials'
  | 'secret'
  | 'obfuscation'
  | 'service-change'
  | 'binary'
  | 'unscanned'
  | 'more'

export type ScanRule = { readonly code: ScanCode; readonly told: string; readonly pattern: RegExp }

/**
 * Lines that were seen in malicious skills, the worst first: of one line the first rule that fits is told. Each pattern
 * is linear in the length of the line.
 */
export const SCAN_RULES: readonly ScanRule[] = [
  {
    code: 'download-and-run',
    told: 'Runs what it downloads.',
    pattern:
      /\b(?:curl|wget|iwr|Invoke-WebRequest)\b[^|\n]{0,500}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+)?["']?[<$]?\(\s*(?:curl|wget)\b|\biex\b.{0,80}(?:DownloadString|iwr)|python3?\s+-c\s+.{0,40}urlopen/i,
  },
  {
    code: 'injection',
    told: 'Talks the model out of what it was told.',
    pattern:
      /\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|prior|above|earlier|all)\b.{0,30}\b(?:instruction|prompt|rule|message)|\bdo not (?:tell|inform|mention|show)\b.{0,20}\buser\b|\bwithout (?:asking|telling|informing)\b.{0,20}\buser\b|\byou are now\b.{0,40}\b(?:mode|unrestricted|jailbroken)\b|\bsystem prompt\b.{0,30}\b(?:reveal|print|send|leak)/i,
  },
  {
    code: 'credentials',
    told: 'Touches keys or credentials of the user.',
    pattern:
      /(?:~|\$HOME|\/root|\/home\/\w+|%USERPROFILE%)[/\\]\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|config\/gcloud)|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/shadow|\/proc\/(?:\d+|self|\*)\/environ|\bsecurity\s+find-(?:generic|internet)-password|Login Data\b|wallet\.dat|\bkeychain-db\b/i,
  },
  {
    code: 'secret',
    told: 'Seems to hold a secret.',
    pattern:
      /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bghp_[A-Za-z0-9]{36}\b|\bsk-[A-Za-z0-9_-]{32,}\b|\bxox[baprs]-[A-Za-z0-9-]{10,}/,
  },
  {
    code: 'obfuscation',
    told: 'Hides what it does.',
    pattern:
      /\bbase64\s+(?:-d|-D|--decode)\b|\b(?:atob|b64decode)\s*\(|\beval\s*\(|\bexec\s*\(\s*(?:compile|base64|bytes|codecs|zlib|__import__)|\\x[0-9a-f]{2}(?:\\x[0-9a-f]{2}){15}|[A-Za-z0-9+/]{400}|\bString\.fromCharCode\s*\((?:\s*\d+\s*,){8}/i,
  },
  {
    code: 'service-change',
    told: 'Changes how the machine starts or who may enter it.',
    pattern:
      /\bcrontab\s+-|\/etc\/cron|\bsystemctl\s+(?:enable|start)\b|\blaunchctl\s+(?:load|bootstrap)\b|>>?\s*~?\S{0,60}\.(?:bashrc|zshrc|profile|bash_profile)\b|authorized_keys|\/etc\/(?:passwd|sudoers|hosts)\b|\bschtasks\b|\bchmod\s+[ugo]*\+s\b/i,
  },
  {
    code: 'download',
    told: 'Brings in software that nobody has looked at.',
    pattern:
      /\b(?:pip3?|pipx|uv pip)\s+install\s+(?:-\S+\s+)*(?:git\+|https?:)|\bnpm\s+(?:i|install)\s+(?:-g|--global)\b|\bnpx\s+(?:-y|--yes)\b|\bcurl\b.{0,200}\s-(?:o|O)\b|\bwget\s+(?:-\S+\s+)*https?:|\bgit\s+clone\s+https?:/i,
  },
]
