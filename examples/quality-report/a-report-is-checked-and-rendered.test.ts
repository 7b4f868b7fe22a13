import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const skill = join(import.meta.dirname, '..', 'skills', 'report-pdf')
const scripts = join(skill, 'scripts')
const GOOD = readFileSync(join(import.meta.dirname, 'quality-report.md'), 'utf8')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-report-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(script: string, markdown: string, ...args: readonly string[]) {
  writeFileSync(join(folder, 'report.md'), markdown)
  return spawnSync(process.execPath, [join(scripts, script), 'report.md', ...args], { cwd: folder, encoding: 'utf8' })
}

const render = (markdown: string): Buffer => {
  expect(run('render-pdf.mjs', markdown, 'report.pdf')).toMatchObject({ status: 0, stderr: '' })
  return readFileSync(join(folder, 'report.pdf'))
}

/** Every stream of a PDF. */
const streams = (pdf: Buffer): readonly Buffer[] =>
  [...pdf.toString('latin1').matchAll(/\/Length (\d+) .*\nstream\n/g)].map((match) => {
    const start = match.index + match[0].length
    return pdf.subarray(start, start + Number(match[1]))
  })

test('the same report is the same bytes', () => {
  const first = render(GOOD)
  expect(render(GOOD).equals(first)).toBe(true)
  expect(render(GOOD.replace('三家供应商', '四家供应商')).equals(first)).toBe(false)
})

/** What stands on each page, one line for each piece of text. */
function pagesOf(pdf: Buffer): readonly string[] {
  const [, map = Buffer.alloc(0), ...pages] = streams(pdf)
  const glyphs = new Map(
    [...map.toString().matchAll(/<([0-9a-f]{4})> <([0-9a-f]+)>/g)].map(([, glyph = '', code = '']) => [
      glyph,
      Buffer.from(code, 'hex').swap16().toString('utf16le'),
    ]),
  )
  return pages.map((page) =>
    [...page.toString().matchAll(/<([0-9a-f]+)> Tj/g)]
      .map(([, hex = '']) => (hex.match(/.{4}/g) ?? []).map((glyph) => glyphs.get(glyph) ?? '\ufffd').join(''))
      .join('\n'),
  )
}

test('Chinese and Latin text can be read back from the PDF, with the font in it', () => {
  const pdf = render(GOOD)
  const text = pdf.toString('latin1')
  expect(text).toContain('/FontFile2')
  expect(text).toContain('/Lang (zh-CN)')
  expect(streams(pdf)[0]?.readUInt32BE(0)).toBe(0x00010000)
  const read = pagesOf(pdf).join('\n')
  for (const expected of [
    '2026年第三季度供应商质量报告',
    'Baltic Fasteners',
    '各供应商不合格率（%）',
    '8,100',
    '1 / 1',
  ])
    expect(read).toContain(expected)
  expect(read).not.toContain('\ufffd')
})

test('a long table goes on over pages, and its head stands on each of them', () => {
  const rows = Array.from({ length: 120 }, (_, i) => `| 第 ${i} 行 | ${i} |`).join('\n')
  const pages = pagesOf(render(`${GOOD}\n\n## 附录\n\n| 行号 | 数 |\n| --- | ---: |\n${rows}\n`))
  expect(pages.length).toBeGreaterThan(3)
  for (const page of pages.filter((text) => /第 \d+ 行/.test(text))) expect(page).toContain('行号\n数')
  expect(pages.map((text) => text.split('\n').at(-1))).toEqual(pages.map((_, i) => `${i + 1} / ${pages.length}`))
  expect(pages.join('\n').match(/第 \d+ 行/g)).toHaveLength(120)
})

test('a table that fits on a page stands on one, wherever it begins', () => {
  const table = `| 行号 | 数 |\n| --- | ---: |\n${Array.from({ length: 12 }, (_, i) => `| 第 ${i} 行 | ${i} |`).join('\n')}`
  for (const lines of [10, 14, 18, 22]) {
    const filler = Array.from({ length: lines }, (_, i) => `段落 ${i}。\n`).join('\n')
    const pages = pagesOf(render(GOOD.replace('## 来源', `## 附录\n\n${filler}\n${table}\n\n## 来源`)))
    expect(pages.filter((page) => page.includes('行号'))).toHaveLength(1)
  }
})

test('a quote below the title is the masthead, line by line; marks are numbers without brackets', () => {
  const [page = ''] = pagesOf(
    render(GOOD.replace('\n\n本报告', '\n\n> **For** purchasing · **As of** 2026-10-01\n\n本报告')),
  )
  const lines = page.split('\n')
  expect(lines.slice(0, 5)).toEqual(['2026年第三季度供应商质量报告', 'For', ' purchasing', 'As of', ' 2026-10-01'])
  expect(lines).toContain('1')
  expect(page).not.toContain('[1]，')
})

test.each([
  [
    'a claim without a source',
    (good: string) => good.replace('[^2]: documents/quality-policy.md', '关于 quality-policy'),
    'sources',
  ],
  ['a source that nobody cites', (good: string) => `${good}\n[^9]: nowhere\n`, 'sources'],
  ['a table with a cell too few', (good: string) => good.replace(/(\| Norrfrakt\s*\|) *5 *\|/, '$1'), 'table-columns'],
  ['a level left out', (good: string) => good.replace('### 交付', '#### 交付'), 'heading-levels'],
  ['a missing summary', (good: string) => good.replace('## 摘要', '## 开头'), 'parts'],
  ['a placeholder', (good: string) => good.replace('三个月后复核', 'TODO'), 'unfinished'],
  ['a chart with words for numbers', (good: string) => good.replace('Kessel: 0.6', 'Kessel: little'), 'chart-data'],
  ['a letter that the font lacks', (good: string) => good.replace('三个月', '\u{1F600}'), 'characters'],
])('%s is named with its line and not rendered', (_, spoil, rule) => {
  const bad = spoil(GOOD)
  const checked = run('check-report.mjs', bad, '--json')
  expect(checked.status).toBe(1)
  const problems: { line: number; rule: string }[] = JSON.parse(checked.stdout)
  expect(problems.map((problem) => problem.rule)).toContain(rule)
  expect(problems.every(({ line }) => line >= 1 && line <= bad.split('\n').length)).toBe(true)
  expect(run('render-pdf.mjs', bad, 'report.pdf').status).toBe(1)
})

test('a good report passes the check', () => {
  expect(run('check-report.mjs', GOOD)).toMatchObject({ status: 0, stdout: 'The format is right.\n' })
})

test('the template has the format that it stands for, but for what is to be filled in', () => {
  writeFileSync(join(folder, 't.md'), readFileSync(join(skill, 'assets', 'report-template.md')))
  expect(() =>
    execFileSync(process.execPath, [join(scripts, 'check-report.mjs'), 't.md'], { cwd: folder }),
  ).not.toThrow()
})
