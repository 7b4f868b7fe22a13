import { joined } from './bytes.mjs'

/** Tables that a PDF viewer needs of an embedded TrueType font. */
const EMBEDDED = ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']

/**
 * A TrueType font with outlines in `glyf` and a Unicode cmap of format 4: widths, glyphs and subsets.
 */
export class TrueTypeFont {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    /** @type {Map<string, DataView>} */
    this.tables = new Map()
    for (let i = 0; i < file.getUint16(4); i++) {
      const at = 12 + i * 16
      const tag = String.fromCharCode(...bytes.subarray(at, at + 4))
      this.tables.set(tag, part(file, file.getUint32(at + 8), file.getUint32(at + 12)))
    }
    const head = this.table('head')
    this.unitsPerEm = head.getUint16(18)
    this.longOffsets = head.getInt16(50) === 1
    const hhea = this.table('hhea')
    this.ascent = (hhea.getInt16(4) * 1000) / this.unitsPerEm
    this.descent = (hhea.getInt16(6) * 1000) / this.unitsPerEm
    this.box = [36, 38, 40, 42].map((at) => Math.round((head.getInt16(at) * 1000) / this.unitsPerEm))
    this.metrics = hhea.getUint16(34)
    this.glyphs = this.table('maxp').getUint16(4)
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
    return (this.table('hmtx').getUint16(at) * 1000) / this.unitsPerEm
  }

  /** @param {number} glyph */
  outline(glyph) {
    const loca = this.table('loca')
    const at = (index) => (this.longOffsets ? loca.getUint32(index * 4) : loca.getUint16(index * 2) * 2)
    return part(this.table('glyf'), at(glyph), at(glyph + 1) - at(glyph))
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
    const loca = new DataView(new ArrayBuffer((this.glyphs + 1) * 4))
    let length = 0
    for (let glyph = 0; glyph < this.glyphs; glyph++) {
      loca.setUint32(glyph * 4, length)
      if (!kept.has(glyph)) continue
      const outline = padded(bytesOf(this.outline(glyph)))
      outlines.push(outline)
      length += outline.length
    }
    loca.setUint32(this.glyphs * 4, length)
    const head = viewOf(bytesOf(this.table('head')).slice())
    head.setInt16(50, 1)
    head.setUint32(8, 0)
    const made = new Map([
      ['glyf', joined(outlines)],
      ['loca', bytesOf(loca)],
      ['head', bytesOf(head)],
    ])
    return assemble(EMBEDDED.map((tag) => [tag, made.get(tag) ?? bytesOf(this.table(tag))]))
  }
}

/** @param {DataView} table @returns {Map<number, number>} */
function readCmap(table) {
  for (let i = 0; i < table.getUint16(2); i++) {
    const sub = part(table, table.getUint32(4 + i * 8 + 4))
    if (sub.getUint16(0) === 4) return readFormat4(sub)
  }
  throw new Error('the font has no cmap of format 4')
}

/** @param {DataView} sub */
function readFormat4(sub) {
  const map = new Map()
  const count = sub.getUint16(6) / 2
  for (let segment = 0; segment < count; segment++) {
    const end = sub.getUint16(14 + segment * 2)
    const start = sub.getUint16(16 + (count + segment) * 2)
    const delta = sub.getUint16(16 + (2 * count + segment) * 2)
    const at = 16 + (3 * count + segment) * 2
    const offset = sub.getUint16(at)
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const raw = offset === 0 ? code : sub.getUint16(at + offset + (code - start) * 2)
      const glyph = offset !== 0 && raw === 0 ? 0 : (raw + delta) & 0xffff
      if (glyph !== 0) map.set(code, glyph)
    }
  }
  return map
}

/** Glyphs that a composite glyph is put together from. @param {DataView} outline */
function componentsOf(outline) {
  if (outline.byteLength < 10 || outline.getInt16(0) >= 0) return []
  const found = []
  for (let at = 10; ; ) {
    const flags = outline.getUint16(at)
    found.push(outline.getUint16(at + 2))
    at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    if ((flags & 0x20) === 0) return found
  }
}

/** @param {Uint8Array} bytes */
function padded(bytes) {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
  whole.set(bytes)
  return whole
}

/** @param {readonly (readonly [string, Uint8Array])[]} tables in the order of their tags */
function assemble(tables) {
  const header = new DataView(new ArrayBuffer(12 + tables.length * 16))
  header.setUint32(0, 0x00010000)
  header.setUint16(4, tables.length)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  header.setUint16(6, power * 16)
  header.setUint16(8, Math.log2(power))
  header.setUint16(10, (tables.length - power) * 16)
  let offset = header.byteLength
  const bodies = tables.map(([tag, bytes], i) => {
    const body = padded(bytes)
    const at = 12 + i * 16
    for (let letter = 0; letter < 4; letter++) header.setUint8(at + letter, tag.charCodeAt(letter))
    header.setUint32(at + 4, checksum(body))
    header.setUint32(at + 8, offset)
    header.setUint32(at + 12, bytes.length)
    offset += body.length
    return body
  })
  return joined([bytesOf(header), ...bodies])
}

/** @param {Uint8Array} bytes a multiple of four */
function checksum(bytes) {
  const view = viewOf(bytes)
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}

/** @param {DataView} view @param {number} start @param {number} [length] */
const part = (view, start, length) =>
  new DataView(view.buffer, view.byteOffset + start, length ?? view.byteLength - start)

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** @param {DataView} view */
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
