const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a time written `500ms`, `30s`, `5m`, `2h` or `30d`; undefined for anything else. */
export function readDuration(written: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(written.trim())
  return match === null ? undefined : Math.round(Number(match[1]) * (UNITS[match[2] ?? 'ms'] ?? 1))
}
