/** Limits that a scenario reckons with where it names none. */
export const CASE_LIMITS = {
  requestTimeoutMs: 3_000,
  totalTimeoutMs: 20_000,
  startTimeoutMs: 5_000,
  probeTimeoutMs: 1_000,
  maxMessageBytes: 4 * 1024 * 1024,
  closeGraceMs: 1_000,
}
