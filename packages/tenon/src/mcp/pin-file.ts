import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isJsonObject, type Json } from '@tenon/kernel'
import type { PinStore, ServerPins } from '@tenon/mcp'

/** Approved tool definitions in one JSON file. `scope` keeps servers of the same name in different projects apart. */
export function pinFile(file: string, scope: string): PinStore {
  const key = (server: string): string => `${scope}#${server}`
  return {
    load: (server) => (readPins(file)[key(server)] as ServerPins | undefined) ?? null,
    save(server, pins) {
      const all = { ...readPins(file), [key(server)]: pins }
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const aside = `${file}.${process.pid}`
      writeFileSync(aside, JSON.stringify(all), { mode: 0o600 })
      renameSync(aside, file)
    },
  }
}

/** A file that is not there, or was damaged, approves nothing: everything is met for the first time again. */
function readPins(file: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Json
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
