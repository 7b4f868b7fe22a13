const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a time written `500ms`, `30s`, `5m` or `2h`; undefined for anything else. */
export function readDuration(written: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(written.trim())
  return match === null ? undefined : Math.round(Number(match[1]) * (UNITS[match[2] ?? 'ms'] ?? 1))
}
