/** A whole GGUF file (version 3) with a header that says what the test wants and a few weights. */
export function tinyWeights(
  options: { readonly salt?: string; readonly dimensions?: readonly number[]; readonly parts?: number } = {},
): Buffer {
  const { salt = '', dimensions = [4, 2], parts } = options
  const metadata = [
    text('general.architecture', 'tiny'),
    text('general.name', `Tiny ${salt}`),
    entry('tiny.context_length', 4, u32(512)),
    ...(parts === undefined ? [] : [entry('split.count', 2, Buffer.from([parts, 0]))]),
    entry('tokenizer.ggml.tokens', 9, Buffer.concat([u32(8), u64(2), string('a'), string('bc')])),
    entry('tokenizer.ggml.scores', 9, Buffer.concat([u32(6), u64(2), Buffer.alloc(8)])),
    entry('tiny.flag', 7, Buffer.from([1])),
    text('tokenizer.chat_template', '{{ messages }}'),
  ]
  const tensor = Buffer.concat([string('w'), u32(dimensions.length), ...dimensions.map(u64), u32(0), u64(0)])
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(1), u64(metadata.length), ...metadata, tensor])
  return Buffer.concat([head, Buffer.alloc(64 + 4 * dimensions.reduce((a, b) => a * b, 1))])
}

const entry = (key: string, type: number, value: Buffer): Buffer => Buffer.concat([string(key), u32(type), value])
const text = (key: string, value: string): Buffer => entry(key, 8, string(value))
const string = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
