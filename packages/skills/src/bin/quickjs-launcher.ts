// Runs one program as its order on file descriptor 3 says, in an engine that has nothing of this process but what is
// handed to it here. A process of its own, so that it can be ended at any moment and takes nobody along when it breaks.
import { closeSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core'
import { becomeUser } from '../sandbox/become-user.js'
import { bridge, print } from '../sandbox/guest-bridge.js'
import { GLOBALS, moduleName, moduleSource } from '../sandbox/guest-modules.js'
import { LAUNCHER_FAILED, LAUNCHER_SAYS } from '../sandbox/launcher-failure.js'
import { type MappedFiles, mappedFiles } from '../sandbox/mapped-files.js'
import type { QuickjsOrder } from '../sandbox/quickjs-order.js'

// An engine that runs for a moment only is compiled twice otherwise: half of the time of a start.
setFlagsFromString('--wasm-tiering-budget=30000000')

// Required rather than imported: its types are those of its CommonJS form.
type Variants = typeof import('@jitl/quickjs-wasmfile-release-sync')
const { default: VARIANT }: Variants = createRequire(import.meta.url)('@jitl/quickjs-wasmfile-release-sync')

/** Bytes of the guest's stack. Each call of it takes a call of ours, whose stack is a megabyte. */
const STACK = 128 * 1024
const FAILED = 1

/** The engine's own limit is not kept for large values, that of its whole memory is. Bytes, and what it begins with. */
const PAGE = 64 * 1024
const FIRST_PAGES = 256
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object
}

/** What the engine itself ends with when a guest has used up more than it has. */
const ENGINE_FAULTS: readonly string[] = ['RangeError', 'RuntimeError']

async function openContext(order: QuickjsOrder, files: MappedFiles): Promise<QuickJSContext> {
  const maximum = Math.max(FIRST_PAGES, Math.floor(order.memory / PAGE))
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum })
  const module = await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, { wasmMemory }))
  const runtime = module.newRuntime()
  runtime.setMaxStackSize(STACK)
  const allowed = order.cpuSeconds * 1e6
  runtime.setInterruptHandler(() => process.cpuUsage().user > allowed)
  runtime.setModuleLoader((name) => attempt(() => moduleSource(name, files)), moduleName)
  return runtime.newContext()
}

/** The engine takes an error as a value where it loads modules. */
function attempt(work: () => string): string | { readonly error: Error } {
  try {
    return work()
  } catch (thrown) {
    return { error: new Error(thrown instanceof Error ? thrown.message : 'It cannot be loaded.') }
  }
}

/** A module where its name says so, or where it has the words of one. */
const isModule = (file: string, source: string): boolean =>
  file.endsWith('.mjs') || (!file.endsWith('.cjs') && /^\s*(?:import\s*[\w{*'"]|export\s)/m.test(source))

function program(order: QuickjsOrder, files: MappedFiles): { readonly source: string; readonly name: string } {
  if ('text' in order.program)
    return { source: `tenonRunText(${JSON.stringify(order.program.text)})`, name: `${order.cwd}/[eval]` }
  const { file } = order.program
  const own = isModule(file, Buffer.from(files.read(file)).toString('utf8'))
  const source = own ? `import ${JSON.stringify(file)}` : `tenonRun(${JSON.stringify(file)})`
  return { source, name: `${order.cwd}/[start]` }
}

/** Runs to the end, with everything that was put off. False where it failed, and then it has been said why. */
function evaluated(context: QuickJSContext, source: string, name: string): boolean {
  const result = context.evalCode(source, name, { type: 'module' })
  if (result.error !== undefined) return told(context, result.error)
  for (let pending = true; pending; ) {
    const done = context.runtime.executePendingJobs()
    if (done.error !== undefined) return told(context, done.error)
    pending = context.runtime.hasPendingJob()
  }
  const state = context.getPromiseState(result.value)
  return state.type !== 'rejected' || told(context, state.error)
}

function told(context: QuickJSContext, error: QuickJSHandle): false {
  const thrown: unknown = context.dump(error)
  const { name, message, stack } = Object(thrown)
  const said = message === undefined ? String(thrown) : `${name}: ${message}\n${stack ?? ''}`
  print(2, `${said.replaceAll('tenon:/', 'node:').trimEnd()}\n`)
  return false
}

async function start(order: QuickjsOrder): Promise<void> {
  const files = mappedFiles(order.files, { read: order.memory, write: order.fileSize })
  const context = await openContext(order, files)
  if (order.uid !== undefined) becomeUser(order.uid)
  bridge(context, files, { args: order.args, env: order.env, cwd: order.cwd })
  if (!evaluated(context, `import '${GLOBALS}'`, '/[globals]')) process.exit(LAUNCHER_FAILED)
  const { source, name } = program(order, files)
  const worked = evaluated(context, source, name)
  const wanted: unknown = context.dump(context.unwrapResult(context.evalCode('globalThis.process?.exitCode')))
  process.exit(worked ? Number(wanted ?? 0) : FAILED)
}

const order: QuickjsOrder = JSON.parse(readFileSync(3, 'utf8'))
closeSync(3)
start(order).catch((error: unknown) => {
  if (error instanceof Error && ENGINE_FAULTS.includes(error.name)) {
    print(2, 'The program used up its stack or its memory.\n')
    process.exit(FAILED)
  }
  print(2, `${LAUNCHER_SAYS}${error instanceof Error ? error.message : 'it failed without a reason'}\n`)
  process.exit(LAUNCHER_FAILED)
})
