import { readReport } from './read-report.mjs'

/** @typedef {{ line: number, rule: string, message: string }} Problem */

/** A report has these parts, in English or in Chinese. */
const PARTS = [
  { name: 'Summary (摘要)', pattern: /^(?:summary|executive summary|摘要|概要|总结)$/i },
  { name: 'Sources (来源)', pattern: /^(?:sources|references|来源|参考资料|参考文献)$/i },
]
const UNFINISHED = /\b(?:TODO|TBD|FIXME|XXX)\b|lorem ipsum|待补充|待定|未完成/i

/**
 * What is wrong with the format of a report; nothing where it can be delivered. What a report says is not looked at.
 *
 * @param {string} markdown
 * @param {(codePoint: number) => boolean} canShow whether there is a letter for it
 * @returns {Problem[]}
 */
export function checkReport(markdown, canShow) {
  const blocks = readReport(markdown)
  /** @type {Problem[]} */
  const problems = []
  const add = (line, rule, message) => problems.push({ line, rule, message })
  const headings = blocks.filter((block) => block.kind === 'heading')
  const titles = headings.filter(({ level }) => level === 1)
  if (blocks[0] !== titles[0]) add(1, 'title-first', 'The report must begin with its title: "# Title".')
  for (const { line } of titles.slice(1)) add(line, 'one-title', 'A second title: use "##" for sections.')
  for (const [index, { level, line }] of headings.entries())
    if (index > 0 && level > (headings[index - 1]?.level ?? 0) + 1)
      add(line, 'heading-levels', `A heading of level ${level} under one of level ${headings[index - 1]?.level}.`)
  for (const { name, pattern } of PARTS)
    if (!headings.some(({ level, text }) => level === 2 && pattern.test(text.trim())))
      add(1, 'parts', `The section "## ${name}" is missing.`)
  for (const block of blocks) {
    if (block.kind === 'table') {
      for (const [index, row] of [block.align, ...block.rows].entries())
        if (row.length !== block.head.length)
          add(
            block.line + 1 + index,
            'table-columns',
            `${row.length} cells in a table of ${block.head.length} columns.`,
          )
    } else if (block.kind === 'chart') {
      if (block.problem !== undefined) add(block.line, 'chart-data', block.problem)
      if (block.title === '') add(block.line, 'chart-data', 'A chart needs a line "title: …".')
      if (block.bars.length === 0) add(block.line, 'chart-data', 'A chart needs lines "label: number".')
    }
  }
  const lines = markdown.split(/\r?\n/)
  for (const [index, text] of lines.entries()) {
    if (UNFINISHED.test(text)) add(index + 1, 'unfinished', `Unfinished: "${text.trim().slice(0, 60)}".`)
    for (const character of text.replace(/^\uFEFF|\t/g, ''))
      if (!canShow(character.codePointAt(0) ?? 0))
        add(index + 1, 'characters', `The font has no letter for "${character}" (${codeOf(character)}).`)
  }
  checkSources(markdown, blocks, add)
  return problems.sort((a, b) => a.line - b.line)
}

/** Every claim's mark leads to a source, and no source stands for nothing. */
function checkSources(markdown, blocks, add) {
  const sources = new Map(blocks.filter(({ kind }) => kind === 'source').map((block) => [block.id, block]))
  const cited = new Set()
  for (const [index, text] of markdown.split(/\r?\n/).entries())
    for (const [, id] of text.replace(/^\[\^[^\]]+\]:/, '').matchAll(/\[\^([^\]]+)\]/g)) {
      cited.add(id)
      if (!sources.has(id)) add(index + 1, 'sources', `[^${id}] leads to no source.`)
    }
  for (const [id, { line, text }] of sources) {
    if (!cited.has(id)) add(line, 'sources', `The source [^${id}] is not cited.`)
    if (text.trim() === '') add(line, 'sources', `The source [^${id}] says nothing.`)
  }
  if (sources.size === 0) add(1, 'sources', 'There is no source: write "[^1]: where it comes from".')
}

/** @param {string} character */
const codeOf = (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
