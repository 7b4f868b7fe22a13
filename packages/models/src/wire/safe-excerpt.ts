/** A stack trace begins here: it is of use to nobody and names the machine's folders. */
const TRACE = /\n[^\S\n]*(?:Traceback \(|File "|at \S+ \(|at (?:file:|\/)).*/s

/**
 * What of a provider's words may be told: at most 400 characters, without a stack trace and without anything that looks
 * like a key. `secret` is the key that was sent: a provider may repeat it.
 */
export function safeExcerpt(text: string, secret = ''): string {
  const short = text.replace(TRACE, '')
  const open = secret.length < 6 ? short : short.replaceAll(secret, '[key]')
  const hidden = open.replace(
    /\b(?:sk|pk|gsk|xai|key|AIza|hf|pplx)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}|Bearer\s+\S+/g,
    '[key]',
  )
  const line = hidden.replace(/\s+/g, ' ').trim()
  return line.length > 400 ? `${line.slice(0, 400)}…` : line
}
