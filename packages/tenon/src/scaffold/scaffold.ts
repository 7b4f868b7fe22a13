import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONFIG_NAME } from '../config/find-config.js'
import { MAX_CONFIG_BYTES } from '../config/load-config.js'
import { readTextFile } from '../config/read-text-file.js'
import { HostError } from '../errors.js'
import { fillTemplate, type JointName, jointName } from './fill-template.js'
import { type ConfigEntry, JOINT_TRAITS, type Joint } from './joint.js'
import { withEntry } from './with-entry.js'

const TEMPLATES = new URL('../../templates/', import.meta.url)

export type ScaffoldOptions = {
  readonly joint: Joint
  readonly name: string
  /** Of the project: where its `tenon.yaml` stands or will stand. */
  readonly folder: string
  /** In place of what the joint would add by itself. */
  readonly entry?: ConfigEntry
}

export type Scaffolded = {
  /** Relative to the folder. */
  readonly files: readonly string[]
  /** What to do now, one line each. */
  readonly next: readonly string[]
}

/** A name that is good for a folder, a skill, a tool and a key of the configuration. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/**
 * Makes one joint with a test that passes. Nothing is written if anything of it is there already.
 * @throws HostError `usage`
 */
export function scaffold({ joint, name, folder, entry: given }: ScaffoldOptions): Scaffolded {
  if (!NAME.test(name) || name.length > 40)
    throw new HostError('usage', `"${name}" is no name: use lowercase letters, digits and single hyphens, 40 at most.`)
  const names = jointName(name)
  const { files, entry: usual, next } = JOINT_TRAITS[joint]
  const made = files.map(({ from, to }) => ({
    path: filled(to, names),
    text: fillTemplate(readFileSync(new URL(from, TEMPLATES), 'utf8'), names),
  }))
  const there = made.find(({ path }) => existsSync(join(folder, path)))
  if (there !== undefined) throw new HostError('usage', `${there.path} is there already and was left as it is.`)
  const entry = given ?? usual?.(name)
  const config = join(folder, CONFIG_NAME)
  const before = existsSync(config) ? readTextFile(config, MAX_CONFIG_BYTES) : ''
  const after = entry === undefined ? before : withEntry(before, entry)
  for (const { path, text } of made) write(folder, path, text)
  if (after !== before) {
    const whole = `${CONFIG_NAME}.new`
    write(folder, whole, after, 'w')
    renameSync(join(folder, whole), config)
  }
  return {
    files: [...made.map(({ path }) => path), ...(after === before ? [] : [CONFIG_NAME])],
    next: [
      ...(made.some(({ text }) => text.includes("'tenon'")) && !isInstalled(resolve(folder))
        ? ['npm install tenon']
        : []),
      ...next.map((line) => filled(line, names)),
    ],
  }
}

/** Whether a test in this folder finds the library; the command may lie elsewhere. */
function isInstalled(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', 'tenon', 'package.json'))) return true
  return dirname(folder) !== folder && isInstalled(dirname(folder))
}

const filled = (text: string, { kebab, camel }: JointName): string =>
  text.replaceAll('NAME', kebab).replaceAll('IDENTIFIER', camel)

function write(folder: string, path: string, text: string, flag: 'w' | 'wx' = 'wx'): void {
  const file = join(folder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag })
  } catch (cause) {
    throw new HostError('usage', `${file} cannot be written: ${(cause as Error).message}.`, { cause })
  }
}
