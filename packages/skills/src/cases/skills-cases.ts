import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { type ArchiveCase, archiveDifferences } from './archive-case.js'
import type { CaseReport } from './case-report.js'
import { type LoadingCase, loadingDifferences } from './loading-case.js'

type AnyCase = Partial<LoadingCase> &
  Partial<ArchiveCase> & {
    readonly links?: readonly { readonly path: string; readonly target: string }[]
    readonly mustNotAppear?: readonly string[]
  }

/**
 * Runs a folder of cases of the kind `skills` through the code that a host runs. Each is copied to a temporary folder,
 * with the links that its `expect.json` names, and afterwards what must not appear is looked for.
 */
export async function runSkillsCases(folder: string): Promise<CaseReport> {
  const failures: { name: string; differences: readonly string[] }[] = []
  let passed = 0
  for (const name of await casesIn(folder)) {
    const differences = await differencesOf(join(folder, name))
    if (differences.length === 0) passed++
    else failures.push({ name, differences })
  }
  return { passed, failures }
}

/** Folders that hold an `expect.json`, one level of grouping allowed. */
async function casesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const entry of (await readdir(folder)).sort()) {
    if (existsSync(join(folder, entry, 'expect.json'))) names.push(entry)
    else
      for (const inner of (await readdir(join(folder, entry)).catch(() => [])).sort())
        if (existsSync(join(folder, entry, inner, 'expect.json'))) names.push(`${entry}/${inner}`)
  }
  return names
}

async function differencesOf(source: string): Promise<readonly string[]> {
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'tenon-skills-case-')))
  try {
    const one = JSON.parse(await readFile(join(source, 'expect.json'), 'utf8')) as AnyCase
    const copy = join(temporary, basename(source))
    await cp(source, copy, { recursive: true })
    await rm(join(copy, 'expect.json'))
    for (const { path, target } of one.links ?? []) {
      await mkdir(dirname(join(copy, path)), { recursive: true })
      await symlink(target, join(copy, path))
    }
    const before = new Set((await readdir(temporary, { recursive: true })).map((path) => basename(path)))
    const differences =
      one.archive === undefined
        ? await loadingDifferences(copy, { ...one, skills: one.skills ?? [] })
        : await archiveDifferences(join(copy, one.archive), { ...one, archive: one.archive })
    return [...differences, ...(await appeared(temporary, before, one.mustNotAppear ?? []))]
  } catch (error) {
    return [`stopped: ${error instanceof Error ? error.message : String(error)}`]
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** In the case's own folder, where the command was started, and where an absolute path points. */
async function appeared(
  temporary: string,
  before: ReadonlySet<string>,
  names: readonly string[],
): Promise<readonly string[]> {
  const here = (await readdir(temporary, { recursive: true })).map((path) => basename(path))
  return names
    .filter((name) =>
      isAbsolute(name) ? existsSync(name) : (here.includes(name) && !before.has(name)) || existsSync(name),
    )
    .map((name) => `${name} has appeared`)
}
