import type { Io } from '../io.js'
import { safeText } from './safe-text.js'

/** Writes what MCP servers log, a line each, for `--verbose`. */
export const serverLog =
  (io: Io) =>
  (server: string, line: string): void =>
    void io.stderr.write(`${server}: ${safeText(line.replaceAll('\n', ' '))}\n`)
