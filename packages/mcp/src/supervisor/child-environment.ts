/** What a process needs to find its way around: no keys, no tokens, nothing of the project. */
const POSIX = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR']
const WINDOWS = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]

/** An environment built from nothing: a fixed list of harmless variables, and what is granted. */
export function childEnvironment(
  granted: Readonly<Record<string, string>> = {},
  own: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const wanted = platform === 'win32' ? WINDOWS : POSIX
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    const known = wanted.includes(platform === 'win32' ? name.toUpperCase() : name)
    // A shell function that was exported is code.
    if (known && value !== undefined && !value.startsWith('()')) env[name] = value
  }
  return { ...env, ...granted }
}
