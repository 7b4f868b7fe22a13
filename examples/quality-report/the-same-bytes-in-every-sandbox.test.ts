import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ArtifactId, type CallContext, CallId, type HandResult, memoryArtifacts, plainText, RunId } from '@tenon/kernel'
import { runSkillScriptTool, sandboxes } from '@tenon/skills'
import { expect, onTestFinished, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'skills', 'report-pdf')
const report = join(import.meta.dirname, 'quality-report.md')
const skill = {
  name: 'report-pdf',
  folder,
  resources: readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  metadata: undefined,
}

/** As Node renders it without any sandbox. */
function renderedPlainly(): Uint8Array {
  const place = mkdtempSync(join(tmpdir(), 'tenon-render-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  execFileSync(process.execPath, [join(folder, 'scripts', 'render-pdf.mjs'), report, 'report.pdf'], { cwd: place })
  return readFileSync(join(place, 'report.pdf'))
}

test.for(
  sandboxes()
    .map(({ name }) => name)
    .filter((name) => name !== 'unconfined'),
)('the same report is the same bytes in %s', async (name, { skip }) => {
  const sandbox = sandboxes().find((one) => one.name === name)
  const probe = await sandbox?.probe()
  // Which ones a machine has differs; the one that needs nothing is there on each.
  if (sandbox === undefined || probe?.usable !== true) {
    expect(name).not.toBe('quickjs')
    return skip(`${name} cannot be used here`)
  }
  const artifacts = memoryArtifacts((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const tool = runSkillScriptTool({
    skill: () => skill,
    sandbox: async () => sandbox,
    artifacts,
    compile: (json) => ({ json, check: (value) => ({ ok: true, value }) }),
  })
  const args = {
    skill: 'report-pdf',
    script: 'scripts/render-pdf.mjs',
    args: ['report.md', 'report.pdf'],
    files: { 'report.md': readFileSync(report, 'utf8') },
  }
  const context: CallContext = {
    runId: RunId('run'),
    callId: CallId('t1.1'),
    key: 'k',
    attempt: 1,
    signal: new AbortController().signal,
    handle: undefined,
    budget: undefined,
    answers: [],
    progress: () => {},
  }
  const result = (await tool.run(args, context)) as HandResult
  expect(plainText(result.content)).toContain('1 pages')
  const made = result.content.find((block) => block.kind === 'artifact')
  const bytes = await artifacts.read(ArtifactId(made?.artifactId ?? ''), 0, made?.bytes ?? 0)
  expect(Buffer.compare(bytes, renderedPlainly())).toBe(0)
})
