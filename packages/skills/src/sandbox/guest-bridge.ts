import { readFileSync, writeSync } from 'node:fs'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { GuestHost } from '../guest/host.js'
import type { MappedFiles } from './mapped-files.js'

type Calls = { readonly [K in keyof GuestHost as GuestHost[K] extends (...args: never[]) => unknown ? K : never]: Call }
type Call = (...args: readonly QuickJSHandle[]) => QuickJSHandle | undefined

const STANDARD_INPUT = 0

/** Puts `tenonHost` into the guest: functions that copy what goes in and out, and no object of ours. */
export function bridge(
  context: QuickJSContext,
  files: MappedFiles,
  facts: Pick<GuestHost, 'args' | 'env' | 'cwd'>,
): void {
  const text = (handle: QuickJSHandle | undefined): string => (handle === undefined ? '' : textOf(context, handle))
  const bytesOf = (place: QuickJSHandle | undefined): Uint8Array =>
    place === undefined || context.typeof(place) === 'undefined'
      ? readFileSync(STANDARD_INPUT)
      : files.read(text(place))
  const contentOf = (handle: QuickJSHandle): Uint8Array =>
    context.typeof(handle) === 'string'
      ? Buffer.from(textOf(context, handle))
      : context.getArrayBuffer(handle).consume(({ value }) => Uint8Array.from(value))
  const calls: Calls = {
    read: (path) => {
      const bytes = bytesOf(path)
      return context.newArrayBuffer(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    },
    readText: (path) => context.newString(Buffer.from(bytesOf(path)).toString('utf8')),
    write(path, content, append) {
      files.write(text(path), content === undefined ? new Uint8Array() : contentOf(content), isTrue(context, append))
      return undefined
    },
    list: (path) => copyOf(context, files.list(text(path))),
    stat: (path) => copyOf(context, files.stat(text(path))),
    makeFolder(path) {
      files.makeFolder(text(path))
      return undefined
    },
    remove(path) {
      files.remove(text(path))
      return undefined
    },
    print(stream, said) {
      print(stream !== undefined && context.getNumber(stream) === 2 ? 2 : 1, text(said))
      return undefined
    },
    exit(code) {
      process.exit(code === undefined ? 0 : context.getNumber(code) & 0xff)
    },
  }
  context.newObject().consume((host) => {
    for (const [name, call] of Object.entries(calls))
      context
        .newFunction(name, (...args) => answered(context, call, args))
        .consume((fn) => context.setProp(host, name, fn))
    for (const [name, value] of Object.entries(facts))
      copyOf(context, value).consume((handle) => context.setProp(host, name, handle))
    context.setProp(context.global, 'tenonHost', host)
  })
}

/** To the end, since the other side reads when it can. */
export function print(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(stream, bytes, at)
}

/** A text for whose copy there was no room would come out empty otherwise. */
function textOf(context: QuickJSContext, handle: QuickJSHandle): string {
  const text = context.getString(handle)
  const length = text === '' ? context.getProp(handle, 'length').consume((value) => context.getNumber(value)) : 0
  if (length > 0) throw Object.assign(new Error('ENOMEM: out of memory'), { code: 'ENOMEM' })
  return text
}

const isTrue = (context: QuickJSContext, handle: QuickJSHandle | undefined): boolean =>
  handle !== undefined && context.dump(handle) === true

/** Plain data, made anew inside. */
function copyOf(context: QuickJSContext, value: unknown): QuickJSHandle {
  return context
    .newString(JSON.stringify(value))
    .consume((json) =>
      context
        .getProp(context.global, 'JSON')
        .consume((codec) => context.unwrapResult(context.callMethod(codec, 'parse', [json]))),
    )
}

/** An error goes in with its message and code, and without our stack. */
function answered(context: QuickJSContext, call: Call, args: readonly QuickJSHandle[]): ReturnType<Call> {
  try {
    return call(...args)
  } catch (thrown) {
    const { message, code } = thrown as NodeJS.ErrnoException
    const error = context.newError({ name: 'Error', message })
    if (code !== undefined) context.newString(code).consume((handle) => context.setProp(error, 'code', handle))
    throw error
  }
}
