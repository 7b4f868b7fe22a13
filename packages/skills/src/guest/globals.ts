import * as fs from './fs.js'
import * as promises from './fs-promises.js'
import type { GuestHost } from './host.js'
import { missingModule } from './missing-module.js'
import * as path from './path.js'
import * as process from './process.js'
import * as url from './url.js'

declare const tenonHost: GuestHost

type Module = { exports: unknown }

const BUILTIN: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['fs', { ...fs, promises }],
  ['fs/promises', promises],
  ['path', { ...path, posix: path }],
  ['process', process],
  ['url', url],
])

const loaded = new Map<string, Module>()

/** `require` as of a file in that folder: what is built in here, and files of the job. */
function requireIn(folder: string): (name: string) => unknown {
  return (name) => {
    const builtin = BUILTIN.get(name.replace(/^node:/, ''))
    if (builtin !== undefined) return builtin
    if (!/^(?:\.{0,2}\/)/.test(name)) throw new Error(missingModule(name))
    const file = ['', '.js', '.cjs', '.json', '/index.js']
      .map((end) => path.resolve(folder, name + end))
      .find((place) => fs.existsSync(place) && fs.statSync(place).isFile())
    if (file === undefined) throw new Error(`There is no module ${name} beside ${folder}.`)
    return run(file)
  }
}

/** Runs a CommonJS file once, and gives what it exports. */
function run(file: string): unknown {
  const known = loaded.get(file)
  if (known !== undefined) return known.exports
  const module: Module = { exports: {} }
  loaded.set(file, module)
  const source = String(fs.readFileSync(file, 'utf8')).replace(/^#!.*/, '')
  if (file.endsWith('.json')) module.exports = JSON.parse(source)
  else runIn(path.dirname(file), file, source, module)
  return module.exports
}

function runIn(folder: string, file: string, source: string, module: Module): void {
  const body = new Function('exports', 'require', 'module', '__filename', '__dirname', source)
  body(module.exports, requireIn(folder), module, file, folder)
}

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value}\n${value.stack ?? ''}`.trimEnd()
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    return String(value)
  }
}

const printer =
  (stream: 1 | 2) =>
  (...values: readonly unknown[]): void =>
    tenonHost.print(stream, `${values.map(shown).join(' ')}\n`)
const [say, warn] = [printer(1), printer(2)]

Object.assign(globalThis, {
  console: { log: say, info: say, debug: say, error: warn, warn, trace: warn },
  process: { ...process, exitCode: undefined },
  // How the launcher starts what is no module.
  tenonRun: (file: string) => run(file),
  tenonRunText: (source: string) => runIn(tenonHost.cwd, '[eval]', source, { exports: {} }),
})
