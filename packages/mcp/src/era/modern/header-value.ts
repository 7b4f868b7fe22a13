const PREFIX = '=?base64?'
const SUFFIX = '?='

/**
 * A value as an HTTP field may carry it (2026-07-28, Streamable HTTP, value encoding): as it is where it is printable
 * ASCII without space at its ends, else in the base64 form.
 */
export function headerValue(value: string): string {
  const plain =
    value !== '' &&
    value === value.trim() &&
    /^[\t\x20-\x7e]*$/.test(value) &&
    !(value.startsWith(PREFIX) && value.endsWith(SUFFIX))
  return plain ? value : `${PREFIX}${Buffer.from(value, 'utf8').toString('base64')}${SUFFIX}`
}
