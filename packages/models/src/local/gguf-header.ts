import { type FileHandle, open } from 'node:fs/promises'
import { ModelsError } from '../errors.js'

/** What a GGUF file says about itself before its weights begin (GGUF specification, versions 2 and 3). */
export type GgufHeader = {
  readonly architecture: string
  readonly title: string
  readonly trainedContext: number
  readonly parameters: number
  readonly hasChatTemplate: boolean
}

type Scalar = string | number | bigint | boolean

/** @throws ModelsError `local-model-invalid` for anything but a whole GGUF file with a language model in it. */
export async function readGgufHeader(path: string): Promise<GgufHeader> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const reader = new HeaderReader(file, size)
    if ((await reader.bytes(4)).toString('latin1') !== 'GGUF') throw invalid('it does not begin as a GGUF file does')
    const version = await reader.u32()
    if (version !== 2 && version !== 3) throw invalid(`it has GGUF version ${version}; 2 and 3 are known`)
    const tensors = await reader.count()
    const values = await readMetadata(reader, await reader.count())
    const parameters = await countParameters(reader, tensors, size)
    const parts = Number(values.get('split.count') ?? 1)
    if (parts > 1) throw invalid(`it is one of ${parts} parts, and weights must be in one file`)
    const architecture = values.get('general.architecture')
    if (typeof architecture !== 'string') throw invalid('it names no architecture')
    return {
      architecture,
      title: String(values.get('general.name') ?? architecture),
      trainedContext: Number(values.get(`${architecture}.context_length`) ?? 2048),
      parameters,
      hasChatTemplate: values.has('tokenizer.chat_template'),
    }
  } finally {
    await file.close()
  }
}

const invalid = (why: string): ModelsError =>
  new ModelsError('local-model-invalid', `The file holds no weights that can be used: ${why}. GGUF files are needed.`)

async function readMetadata(reader: HeaderReader, count: number): Promise<ReadonlyMap<string, Scalar>> {
  const values = new Map<string, Scalar>()
  for (let i = 0; i < count; i++) {
    const key = await reader.text()
    const value = await readValue(reader, await reader.u32())
    if (value !== undefined) values.set(key, value)
  }
  return values
}

/** Bytes of each scalar type by its number; text is 8 and a list 9. */
const WIDTHS: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }

/** A scalar, or undefined for a list, which is stepped over: the vocabulary is one, and nobody here needs it. */
async function readValue(reader: HeaderReader, type: number): Promise<Scalar | undefined> {
  if (type === 8) return reader.text()
  if (type === 9) {
    const inner = await reader.u32()
    const length = await reader.count()
    const width = WIDTHS[inner]
    if (width !== undefined) await reader.skip(width * length)
    else if (inner === 8) for (let i = 0; i < length; i++) await reader.skip(await reader.count())
    else throw invalid(`it has a list of lists in its header`)
    return undefined
  }
  const width = WIDTHS[type]
  if (width === undefined) throw invalid(`it has a value of the unknown type ${type} in its header`)
  const bytes = await reader.bytes(width)
  if (type === 6) return bytes.readFloatLE()
  if (type === 12) return bytes.readDoubleLE()
  if (type === 7) return bytes[0] !== 0
  if (type === 10) return bytes.readBigUInt64LE()
  if (type === 11) return bytes.readBigInt64LE()
  const signed = type === 1 || type === 3 || type === 5
  return signed ? bytes.readIntLE(0, width) : bytes.readUIntLE(0, width)
}

async function countParameters(reader: HeaderReader, tensors: number, size: number): Promise<number> {
  let parameters = 0
  let furthest = 0
  for (let i = 0; i < tensors; i++) {
    await reader.skip(await reader.count())
    const dimensions = await reader.u32()
    if (dimensions > 8) throw invalid('it has a tensor of more than eight dimensions')
    let weights = 1
    for (let d = 0; d < dimensions; d++) weights *= await reader.count()
    await reader.u32()
    furthest = Math.max(furthest, await reader.count())
    parameters += weights
  }
  if (reader.position + furthest >= size) throw invalid('it ends before its weights do; the download may be incomplete')
  return parameters
}

const CHUNK = 1 << 20
/** No header has a text of this length, a garbled one may ask for it. */
const LONGEST_TEXT = 1 << 24

class HeaderReader {
  position = 0
  #chunk = Buffer.alloc(0)
  #start = 0

  constructor(
    readonly file: FileHandle,
    readonly size: number,
  ) {}

  async bytes(length: number): Promise<Buffer> {
    if (length > LONGEST_TEXT || this.position + length > this.size) throw invalid('its header is cut off or garbled')
    const offset = this.position - this.#start
    if (offset < 0 || offset + length > this.#chunk.length) await this.#load(Math.max(length, CHUNK))
    const from = this.position - this.#start
    this.position += length
    return this.#chunk.subarray(from, from + length)
  }

  async skip(length: number): Promise<void> {
    this.position += length
    if (this.position > this.size) throw invalid('its header is cut off or garbled')
  }

  async u32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE()
  }

  async count(): Promise<number> {
    return Number((await this.bytes(8)).readBigUInt64LE())
  }

  async text(): Promise<string> {
    return (await this.bytes(await this.count())).toString('utf8')
  }

  async #load(length: number): Promise<void> {
    const chunk = Buffer.alloc(Math.min(length, this.size - this.position))
    const { bytesRead } = await this.file.read(chunk, 0, chunk.length, this.position)
    this.#chunk = chunk.subarray(0, bytesRead)
    this.#start = this.position
  }
}
