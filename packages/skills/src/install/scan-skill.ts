import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { byteOrder } from '../loading/byte-order.js'
import type { LoadedSkill } from '../loading/skill.js'
import { readInside } from '../loading/skill-files.js'
import { ARCHIVE_LIMITS } from './archive-entry.js'
import { SCAN_RULES, type ScanCode, type ScanRule } from './scan-rules.js'

/** Something that a person should look at before they trust a skill. A signal, not a verdict. */
export type ScanFinding = {
  readonly code: ScanCode
  readonly file: string
  readonly line: number
  readonly told: string
  /** The line, shortened. */
  readonly excerpt: string
}

const MAX_TEXT = 512 * 1024
const MAX_FINDINGS = 50
/** A long line is looked at piece by piece; pieces overlap by more than any pattern is long. */
const PIECE = 2_000
const OVERLAP = 700

/**
 * Looks for what attacks on people's machines have looked like, in every file that there is, listed or not. That nothing
 * is found proves nothing; what could not be looked at is a finding.
 */
export function scanSkill({ folder, file }: Pick<LoadedSkill, 'folder' | 'file'>): readonly ScanFinding[] {
  let shown: readonly ScanFinding[] = []
  let left = 0
  for (const path of [file, ...filesBelow(folder).filter((other) => other !== file)]) {
    const all = [...shown, ...findingsIn(folder, path)]
    shown = worstOf(all)
    left += all.length - shown.length
  }
  if (left === 0) return shown
  return [
    ...shown,
    { code: 'more', file, line: 1, told: `And ${left} more findings, none of them worse.`, excerpt: '' },
  ]
}

function filesBelow(folder: string): readonly string[] {
  const files: string[] = []
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) waiting.push(inside)
      else files.push(inside)
    }
  return files.sort(byteOrder)
}

function findingsIn(folder: string, file: string): readonly ScanFinding[] {
  const whole = (code: ScanCode, told: string): readonly ScanFinding[] => [{ code, file, line: 1, told, excerpt: '' }]
  const read = readInside(folder, file, ARCHIVE_LIMITS.unpackedBytes)
  if (read.kind !== 'read') return whole('unscanned', 'A file that could not be looked at.')
  if (isBinary(read.bytes))
    return HARMLESS.has(extname(file).toLowerCase()) ? [] : whole('binary', 'A file that cannot be read by a person.')
  if (read.bytes.length > MAX_TEXT) return whole('unscanned', 'Too large to be looked at.')
  const lines = read.bytes.toString('utf8').split('\n')
  return lines.flatMap((line, index) => {
    const rule = ruleFor(line)
    if (rule === undefined) return []
    const { code, told } = rule
    return [{ code, file, line: index + 1, told, excerpt: line.trim().slice(0, 120) }]
  })
}

function ruleFor(line: string): ScanRule | undefined {
  const pieces = [line.slice(0, PIECE)]
  for (let at = PIECE; at < line.length; at += PIECE - OVERLAP)
    pieces.push(line.slice(at - OVERLAP, at - OVERLAP + PIECE))
  return SCAN_RULES.find(({ pattern }) => pieces.some((piece) => pattern.test(piece)))
}

/** As many as a person reads, the worst of them, where they stand: harmless ones cannot push a bad one out. */
function worstOf(findings: readonly ScanFinding[]): readonly ScanFinding[] {
  if (findings.length <= MAX_FINDINGS) return findings
  const ranked = findings.toSorted((a, b) => RANK.indexOf(a.code) - RANK.indexOf(b.code))
  const kept = new Set(ranked.slice(0, MAX_FINDINGS))
  return findings.filter((one) => kept.has(one))
}

const RANK: readonly ScanCode[] = [...SCAN_RULES.map(({ code }) => code), 'unscanned', 'binary']

/** Pictures, fonts and documents are what assets are made of. */
const HARMLESS = new Set(
  '.png .jpg .jpeg .gif .webp .ico .ttf .otf .woff .woff2 .pdf .docx .xlsx .pptx .odt .zip .gz .wav .mp3 .ogg .mp4'.split(
    ' ',
  ),
)

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_192).includes(0)
