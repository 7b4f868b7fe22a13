/** `1.4 KB`: for people and models, not for programs. */
export function readableSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  const units = ['KB', 'MB', 'GB', 'TB']
  let size = bytes / 1_024
  let unit = 0
  while (size >= 1_024 && unit < units.length - 1) {
    size /= 1_024
    unit++
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}
