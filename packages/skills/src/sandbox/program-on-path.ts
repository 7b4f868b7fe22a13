import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const SYSTEM_PLACES = ['/usr/bin', '/usr/local/bin', '/run/current-system/sw/bin', '/bin']

/** The system's own first: what stands earlier on a user's path may be anything. */
export function programOnPath(name: string): string | undefined {
  const places = [...SYSTEM_PLACES, ...(process.env.PATH ?? '').split(delimiter).filter((place) => place !== '')]
  return places.map((place) => join(place, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
