/** What the system or the HTTP client says of a request without an answer, such as ECONNREFUSED; else ''. */
export function networkCode(thrown: unknown): string {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string') return code
    if (error instanceof AggregateError && error.errors.length > 0) return networkCode(error.errors[0])
  }
  return ''
}
