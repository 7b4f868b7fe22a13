import { extname } from 'node:path'
import type { LoadedSkill } from '../loading/skill.js'
import { readInside } from '../loading/skill-files.js'
import { SCAN_RULES, type ScanCode } from './scan-rules.js'

/** Something that a person should look at before they trust a skill. A signal, not a verdict. */
export type ScanFinding = {
  readonly code: ScanCode
  readonly file: string
  readonly line: number
  readonly told: string
  /** The line, shortened. */
  readonly excerpt: string
}

const MAX_FILE = 512 * 1024
const MAX_LINE = 2_000
const MAX_FINDINGS = 50

/** Looks for what attacks on people's machines have looked like. That nothing is found proves nothing. */
export function scanSkill(skill: LoadedSkill): readonly ScanFinding[] {
  const findings: ScanFinding[] = []
  for (const file of [skill.file, ...skill.resources]) {
    const read = readInside(skill.folder, file, MAX_FILE)
    if (read.kind !== 'read') continue
    if (isBinary(read.bytes)) {
      if (!HARMLESS.has(extname(file).toLowerCase()))
        findings.push({ code: 'binary', file, line: 1, told: 'A file that cannot be read by a person.', excerpt: '' })
      continue
    }
    for (const [index, line] of read.bytes.toString('utf8').split('\n').entries()) {
      if (findings.length >= MAX_FINDINGS) return findings
      const rule = SCAN_RULES.find(({ pattern }) => pattern.test(line.slice(0, MAX_LINE)))
      if (rule !== undefined)
        findings.push({ code: rule.code, file, line: index + 1, told: rule.told, excerpt: line.trim().slice(0, 120) })
    }
  }
  return findings
}

/** Pictures, fonts and documents are what assets are made of. */
const HARMLESS = new Set(
  '.png .jpg .jpeg .gif .webp .ico .ttf .otf .woff .woff2 .pdf .docx .xlsx .pptx .odt .zip .gz .wav .mp3 .ogg .mp4'.split(
    ' ',
  ),
)

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_192).includes(0)
