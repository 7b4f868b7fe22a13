import { bytesOfText, joined, utf16Hex } from './bytes.mjs'

/** Points: A4. */
export const PAGE = { width: 595.28, height: 841.89 }

/**
 * A PDF 1.7 with one embedded font. It holds no date and no random number and is packed by nobody, so the same pages are
 * the same bytes in every engine.
 */
export class PdfDocument {
  /** @param {import('./true-type-font.mjs').TrueTypeFont} font @param {{ title: string, language: string }} about */
  constructor(font, about) {
    this.font = font
    this.about = about
    /** @type {string[]} drawing operators, one entry a page */
    this.pages = []
    /** @type {Map<number, number>} glyph to code point */
    this.used = new Map()
  }

  /** The operand of a text operator, and what remembers that its glyphs are needed. @param {string} text */
  show(text) {
    let hex = ''
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0
      const glyph = this.font.glyphOf(codePoint)
      this.used.set(glyph, codePoint)
      hex += glyph.toString(16).padStart(4, '0')
    }
    return `<${hex}>`
  }

  /** Points. @param {string} text @param {number} size */
  widthOf(text, size) {
    let width = 0
    for (const character of text) width += this.font.widthOf(this.font.glyphOf(character.codePointAt(0) ?? 0))
    return (width * size) / 1000
  }

  /** @returns {Uint8Array} */
  bytes() {
    const glyphs = [...this.used.keys()].sort((a, b) => a - b)
    const firstPage = 9
    const pageIds = this.pages.map((_, index) => firstPage + index * 2)
    /** @type {(string | Uint8Array)[]} object n stands at index n - 1 */
    const objects = [
      `<< /Type /Catalog /Pages 2 0 R /Lang (${this.about.language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
      `<< /Type /Pages /Count ${pageIds.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
      `<< /Title ${unicodeString(this.about.title)} /Producer (report-pdf) >>`,
      '<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+NotoSansSC /Encoding /Identity-H /DescendantFonts [5 0 R] /ToUnicode 8 0 R >>',
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+NotoSansSC /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity /FontDescriptor 6 0 R /DW 1000 /W [${glyphs.map((glyph) => `${glyph} [${number(this.font.widthOf(glyph))}]`).join(' ')}] >>`,
      `<< /Type /FontDescriptor /FontName /AAAAAA+NotoSansSC /Flags 4 /FontBBox [${this.font.box.join(' ')}] /ItalicAngle 0 /Ascent ${number(this.font.ascent)} /Descent ${number(this.font.descent)} /CapHeight 733 /StemV 80 /FontFile2 7 0 R >>`,
      stream(this.font.subset(glyphs)),
      stream(bytesOfText(toUnicode(this.used, glyphs))),
    ]
    for (const [index, operators] of this.pages.entries()) {
      objects.push(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F 4 0 R >> >> /Contents ${firstPage + index * 2 + 1} 0 R >>`,
        stream(bytesOfText(operators)),
      )
    }
    return write(objects)
  }
}

/** Up to two decimals. @param {number} value */
export const number = (value) => String(Math.round(value * 100) / 100)

/** @param {string} text */
const unicodeString = (text) => `<feff${utf16Hex(text)}>`

/** @param {Uint8Array} data */
const stream = (data) =>
  joined([
    bytesOfText(`<< /Length ${data.length} /Length1 ${data.length} >>\nstream\n`),
    data,
    bytesOfText('\nendstream'),
  ])

/** So that text can be searched for and copied. @param {Map<number, number>} used @param {readonly number[]} glyphs */
function toUnicode(used, glyphs) {
  const lines = glyphs.map((glyph) => {
    const text = utf16Hex(String.fromCodePoint(used.get(glyph) ?? 0xfffd))
    return `<${glyph.toString(16).padStart(4, '0')}> <${text}>`
  })
  const parts = []
  for (let at = 0; at < lines.length; at += 100) {
    const part = lines.slice(at, at + 100)
    parts.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Report def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${parts.join('\n')}\nendcmap\nend\nend`
}

/** @param {readonly (string | Uint8Array)[]} objects */
function write(objects) {
  const parts = [bytesOfText('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const at = length
    const body = joined([
      bytesOfText(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? bytesOfText(object) : object,
      bytesOfText('\nendobj\n'),
    ])
    parts.push(body)
    length += body.length
    return at
  })
  const id = fingerprint(joined(parts))
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    bytesOfText(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return joined(parts)
}

/** 16 bytes that tell documents apart (FNV-1a from four offsets); nobody relies on them for more. @param {Uint8Array} bytes */
function fingerprint(bytes) {
  const sums = [0x811c9dc5, 0x01000193, 0x5bd1e995, 0x9e3779b9]
  for (const byte of bytes) for (let i = 0; i < 4; i++) sums[i] = Math.imul((sums[i] ?? 0) ^ byte, 0x01000193)
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('')
}
