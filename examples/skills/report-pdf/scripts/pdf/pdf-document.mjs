import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** Points: A4. */
export const PAGE = { width: 595.28, height: 841.89 }

/**
 * A PDF 1.7 with one embedded font. It holds no date and no random number, so the same pages are the same bytes.
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

  /** @returns {Buffer} */
  bytes() {
    const glyphs = [...this.used.keys()].sort((a, b) => a - b)
    const firstPage = 9
    const pageIds = this.pages.map((_, index) => firstPage + index * 2)
    /** @type {(string | Buffer)[]} object n stands at index n - 1 */
    const objects = [
      `<< /Type /Catalog /Pages 2 0 R /Lang (${this.about.language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
      `<< /Type /Pages /Count ${pageIds.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
      `<< /Title ${unicodeString(this.about.title)} /Producer (report-pdf) >>`,
      '<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+NotoSansSC /Encoding /Identity-H /DescendantFonts [5 0 R] /ToUnicode 8 0 R >>',
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+NotoSansSC /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity /FontDescriptor 6 0 R /DW 1000 /W [${glyphs.map((glyph) => `${glyph} [${number(this.font.widthOf(glyph))}]`).join(' ')}] >>`,
      `<< /Type /FontDescriptor /FontName /AAAAAA+NotoSansSC /Flags 4 /FontBBox [${this.font.box.join(' ')}] /ItalicAngle 0 /Ascent ${number(this.font.ascent)} /Descent ${number(this.font.descent)} /CapHeight 733 /StemV 80 /FontFile2 7 0 R >>`,
      stream(this.font.subset(glyphs)),
      stream(Buffer.from(toUnicode(this.used, glyphs))),
    ]
    for (const [index, operators] of this.pages.entries()) {
      objects.push(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F 4 0 R >> >> /Contents ${firstPage + index * 2 + 1} 0 R >>`,
        stream(Buffer.from(operators)),
      )
    }
    return write(objects)
  }
}

/** Up to two decimals. @param {number} value */
export const number = (value) => String(Math.round(value * 100) / 100)

/** @param {string} text */
const unicodeString = (text) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/** @param {Buffer} data */
function stream(data) {
  const packed = deflateSync(data, { level: 9 })
  return Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Length1 ${data.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
}

/** So that text can be searched for and copied. @param {Map<number, number>} used @param {readonly number[]} glyphs */
function toUnicode(used, glyphs) {
  const lines = glyphs.map((glyph) => {
    const text = Buffer.from(String.fromCodePoint(used.get(glyph) ?? 0xfffd), 'utf16le').swap16()
    return `<${glyph.toString(16).padStart(4, '0')}> <${text.toString('hex')}>`
  })
  const parts = []
  for (let at = 0; at < lines.length; at += 100) {
    const part = lines.slice(at, at + 100)
    parts.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Report def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${parts.join('\n')}\nendcmap\nend\nend`
}

/** @param {readonly (string | Buffer)[]} objects */
function write(objects) {
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const at = length
    const body = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(body)
    length += body.length
    return at
  })
  const id = createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 32)
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
