/** `12 ms`, `1.4 s`, `3 min 5 s`, `2 h 4 min`. */
export function spokenTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.round(minutes / 1440)} days`
}

/** `812`, `12.3k`, `1.2M`. */
export function spokenCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** `$0.0042`, `$1.25`. */
export const spokenMoney = (dollars: number): string => `$${dollars.toFixed(dollars < 0.01 ? 4 : 2)}`

/** `812 B`, `1.2 kB`, `3.4 MB`. */
export function spokenBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`
  if (bytes < 999_950_000) return `${(bytes / 1e6).toFixed(1)} MB`
  return `${(bytes / 1e9).toFixed(1)} GB`
}

/** `1 call`, `2 calls`. */
export const counted = (count: number, what: string): string => `${spokenCount(count)} ${what}${count === 1 ? '' : 's'}`
