/** What stands in a log where a secret was. */
export const MASKED = '[masked]'

const SECRET_KEY =
  /pass(?:word|wd|phrase|code)|secret|api[-_]?key|private[-_]?key|access[-_]?key|authorization|credential|cookie|jwt|(?:^|[-_.])(?:token|pwd|pin|otp|auth)$|(?:access|refresh|id|auth|bearer|session|api|security|csrf|xsrf)[-_]?token|code[-_]?verifier|session[-_]?(?:key|id)|client[-_]?assertion$/i

const HARMLESS_KEY =
  /^(?:progressToken|token_type|tokenType|token_endpoint.*|.*_supported|.*_(?:url|uri|endpoint|method))$/

const SCHEMA_BEGINS =
  /^\s*"(?:type|title|description|\$ref|\$schema|anyOf|oneOf|allOf|enum|const|format|default|minLength|maxLength)"/

/** Things that are secrets wherever they stand. */
const SECRET_FORMS: readonly RegExp[] = [
  /\b(Bearer|Basic|DPoP)\s+[\w.~+/-]{6,}=*/gi,
  /\b()(?:sk|pk|rk|ak)[-_][\w-]{8,}/g,
  /\b()(?:gh[pousr]_|github_pat_|glpat-|npm_|xox[abeprs]-|hf_|AIza|AKIA|ASIA|ya29\.)[\w.-]{8,}/g,
  /\b()eyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^-]*/g,
  /(:\/\/[^\s/@:"\\]*:)[^\s/@"\\]+(?=@)/g,
]

/** `password=x`, `"token": "x"`, `api_key: x` in running text, in a query and in JSON inside of a string. */
const SECRET_PAIR =
  /((?:password|passwd|passphrase|secret|api[-_]?key|access[-_]?key|private[-_]?key|token|code_verifier|client_assertion)\\?["']?\s*[=:]\s*\\?["']?)([^\s"'\\&,;}]{3,})/gi

const LEARNED_MAX = 512
const LEARNED_MIN_LENGTH = 6

/**
 * Takes secrets out of what is logged: values under telling keys, values of well-known forms, and whatever was once
 * seen to be a secret, wherever it comes up again.
 */
export class SecretMask {
  readonly #learned = new Set<string>()

  constructor(known: Iterable<string> = []) {
    for (const secret of known) this.learn(secret)
  }

  /** Masked from now on. Too short a value would mask half the log and is not taken. */
  learn(secret: string): void {
    if (secret.length >= LEARNED_MIN_LENGTH && this.#learned.size < LEARNED_MAX) this.#learned.add(secret)
  }

  /** Learns the values of variables that are called like secrets. */
  learnEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(environment))
      if (value !== undefined && isSecretKey(name.toLowerCase())) this.learn(value)
  }

  /** A header's value as it may be logged. */
  header(name: string, value: string): string {
    if (!isSecretKey(name)) return this.text(value)
    this.learn(value)
    this.learn(value.replace(/^\w+\s+/, ''))
    return MASKED
  }

  text(text: string): string {
    let masked = text
    for (const form of SECRET_FORMS) masked = masked.replace(form, (_, lead: string) => joined(lead))
    masked = masked.replace(SECRET_PAIR, (_, lead: string, value: string) => {
      if (value !== MASKED) this.learn(value)
      return `${lead}${MASKED}`
    })
    return this.#withoutLearned(masked)
  }

  /**
   * JSON text as it may be logged: the same tokens in the same order, with secret values replaced and line ends
   * taken out. The text must be valid JSON.
   */
  json(text: string): string {
    const out: string[] = []
    const frames: { readonly object: boolean; readonly secret: boolean }[] = []
    let key: string | undefined
    for (const match of text.matchAll(JSON_TOKEN)) {
      const token = match[0]
      const first = token.charCodeAt(0)
      const end = match.index + token.length
      const frame = frames.at(-1)
      if (token === '{' || token === '[') {
        const inside = frame?.secret === true || (key !== undefined && isSecretKey(key))
        frames.push({ object: token === '{', secret: inside && !SCHEMA_BEGINS.test(text.slice(end, end + 40)) })
        key = undefined
        out.push(token)
      } else if (token === '}' || token === ']') {
        frames.pop()
        key = undefined
        out.push(token)
      } else if (token === ',') {
        key = undefined
        out.push(token)
      } else if (token === ':') out.push(token)
      else if (first <= 32) out.push(token.replace(/[\r\n]/g, ' '))
      else if (first === QUOTE && frame?.object === true && key === undefined) {
        key = plainText(token)
        out.push(token)
      } else out.push(this.#value(token, frame?.secret === true || (key !== undefined && isSecretKey(key))))
    }
    return out.join('')
  }

  #value(token: string, secret: boolean): string {
    if (token === 'true' || token === 'false' || token === 'null') return token
    const quoted = token.charCodeAt(0) === QUOTE
    if (secret) {
      this.learn(quoted ? plainText(token) : token)
      return `"${MASKED}"`
    }
    return quoted ? `"${this.text(token.slice(1, -1))}"` : token
  }

  #withoutLearned(text: string): string {
    let masked = text
    for (const secret of this.#learned) if (masked.includes(secret)) masked = masked.replaceAll(secret, MASKED)
    return masked
  }
}

const QUOTE = 34
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|\s+/gs

const isSecretKey = (key: string): boolean => SECRET_KEY.test(key) && !HARMLESS_KEY.test(key)

const joined = (lead: string): string => (lead === '' ? MASKED : `${lead}${/\w$/.test(lead) ? ' ' : ''}${MASKED}`)

function plainText(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token.slice(1, -1)
  }
}
