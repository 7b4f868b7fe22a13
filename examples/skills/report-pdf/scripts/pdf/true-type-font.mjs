/** Tables that a PDF viewer needs of an embedded TrueType font. */
const EMBEDDED = ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']

/**
 * A TrueType font with outlines in `glyf` and a Unicode cmap of format 4: widths, glyphs and subsets.
 */
export class TrueTypeFont {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes
    this.tables = new Map()
    for (let i = 0; i < bytes.readUInt16BE(4); i++) {
      const at = 12 + i * 16
      const start = bytes.readUInt32BE(at + 8)
      this.tables.set(bytes.toString('latin1', at, at + 4), bytes.subarray(start, start + bytes.readUInt32BE(at + 12)))
    }
    const head = this.table('head')
    this.unitsPerEm = head.readUInt16BE(18)
    this.longOffsets = head.readInt16BE(50) === 1
    const hhea = this.table('hhea')
    this.ascent = (hhea.readInt16BE(4) * 1000) / this.unitsPerEm
    this.descent = (hhea.readInt16BE(6) * 1000) / this.unitsPerEm
    this.box = [36, 38, 40, 42].map((at) => Math.round((head.readInt16BE(at) * 1000) / this.unitsPerEm))
    this.metrics = hhea.readUInt16BE(34)
    this.glyphs = this.table('maxp').readUInt16BE(4)
    this.cmap = readCmap(this.table('cmap'))
  }

  /** @param {string} tag */
  table(tag) {
    const table = this.tables.get(tag)
    if (table === undefined) throw new Error(`the font has no ${tag} table`)
    return table
  }

  /** 0 where the font has no such character. @param {number} codePoint */
  glyphOf(codePoint) {
    return this.cmap.get(codePoint) ?? 0
  }

  /** Thousandths of the font size. @param {number} glyph */
  widthOf(glyph) {
    const at = Math.min(glyph, this.metrics - 1) * 4
    return (this.table('hmtx').readUInt16BE(at) * 1000) / this.unitsPerEm
  }

  /** @param {number} glyph */
  outline(glyph) {
    const loca = this.table('loca')
    const at = (index) => (this.longOffsets ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2)
    return this.table('glyf').subarray(at(glyph), at(glyph + 1))
  }

  /** The font with the outlines of these glyphs only; numbers stay what they are. @param {Iterable<number>} wanted */
  subset(wanted) {
    const kept = new Set([0])
    const waiting = [...wanted]
    for (let glyph = waiting.pop(); glyph !== undefined; glyph = waiting.pop()) {
      if (kept.has(glyph)) continue
      kept.add(glyph)
      waiting.push(...componentsOf(this.outline(glyph)))
    }
    const outlines = []
    const loca = Buffer.alloc((this.glyphs + 1) * 4)
    let length = 0
    for (let glyph = 0; glyph < this.glyphs; glyph++) {
      loca.writeUInt32BE(length, glyph * 4)
      if (!kept.has(glyph)) continue
      const outline = padded(this.outline(glyph))
      outlines.push(outline)
      length += outline.length
    }
    loca.writeUInt32BE(length, this.glyphs * 4)
    const head = Buffer.from(this.table('head'))
    head.writeInt16BE(1, 50)
    head.writeUInt32BE(0, 8)
    const made = new Map([
      ['glyf', Buffer.concat(outlines)],
      ['loca', loca],
      ['head', head],
    ])
    return assemble(EMBEDDED.map((tag) => [tag, made.get(tag) ?? this.table(tag)]))
  }
}

/** @param {Buffer} table @returns {Map<number, number>} */
function readCmap(table) {
  for (let i = 0; i < table.readUInt16BE(2); i++) {
    const sub = table.subarray(table.readUInt32BE(4 + i * 8 + 4))
    if (sub.readUInt16BE(0) === 4) return readFormat4(sub)
  }
  throw new Error('the font has no cmap of format 4')
}

/** @param {Buffer} sub */
function readFormat4(sub) {
  const map = new Map()
  const count = sub.readUInt16BE(6) / 2
  for (let segment = 0; segment < count; segment++) {
    const end = sub.readUInt16BE(14 + segment * 2)
    const start = sub.readUInt16BE(16 + (count + segment) * 2)
    const delta = sub.readUInt16BE(16 + (2 * count + segment) * 2)
    const at = 16 + (3 * count + segment) * 2
    const offset = sub.readUInt16BE(at)
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const raw = offset === 0 ? code : sub.readUInt16BE(at + offset + (code - start) * 2)
      const glyph = offset !== 0 && raw === 0 ? 0 : (raw + delta) & 0xffff
      if (glyph !== 0) map.set(code, glyph)
    }
  }
  return map
}

/** Glyphs that a composite glyph is put together from. @param {Buffer} outline */
function componentsOf(outline) {
  if (outline.length < 10 || outline.readInt16BE(0) >= 0) return []
  const found = []
  for (let at = 10; ; ) {
    const flags = outline.readUInt16BE(at)
    found.push(outline.readUInt16BE(at + 2))
    at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    if ((flags & 0x20) === 0) return found
  }
}

/** @param {Buffer} bytes */
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** @param {readonly (readonly [string, Buffer])[]} tables in the order of their tags */
function assemble(tables) {
  const header = Buffer.alloc(12 + tables.length * 16)
  header.writeUInt32BE(0x00010000, 0)
  header.writeUInt16BE(tables.length, 4)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  header.writeUInt16BE(power * 16, 6)
  header.writeUInt16BE(Math.log2(power), 8)
  header.writeUInt16BE((tables.length - power) * 16, 10)
  let offset = header.length
  const bodies = tables.map(([tag, bytes], i) => {
    const body = padded(bytes)
    const at = 12 + i * 16
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(checksum(body), at + 4)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(bytes.length, at + 12)
    offset += body.length
    return body
  })
  return Buffer.concat([header, ...bodies])
}

/** @param {Buffer} bytes a multiple of four */
function checksum(bytes) {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
