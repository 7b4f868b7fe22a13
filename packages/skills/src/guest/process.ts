import type { GuestHost } from './host.js'

declare const tenonHost: GuestHost

/** What scripts use of `node:process`. */
export const argv: readonly string[] = ['node', ...tenonHost.args]
export const env: Record<string, string | undefined> = { ...tenonHost.env }
export const platform = 'quickjs'
export const cwd = (): string => tenonHost.cwd
export const exit = (code?: number): void => tenonHost.exit(Number(code ?? 0))

const writerOf = (stream: 1 | 2) => ({
  isTTY: false,
  write(text: unknown): boolean {
    tenonHost.print(stream, String(text))
    return true
  },
})
export const stdout = writerOf(1)
export const stderr = writerOf(2)
