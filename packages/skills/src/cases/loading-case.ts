import { join } from 'node:path'
import { readBody } from '../activation/read-body.js'
import { catalogueEntry } from '../catalogue/catalogue-text.js'
import { SkillLibrary } from '../discovery/skill-library.js'
import type { Skill, SkillRoot } from '../loading/skill.js'

/** What a case expects; see the README beside the cases. A field that is not given is not checked. */
export type LoadingCase = {
  readonly roots?: readonly { readonly path: string; readonly scope: SkillRoot['scope']; readonly trusted?: boolean }[]
  readonly skills: readonly ExpectedSkill[]
  readonly catalogueLacks?: readonly string[]
}

type ExpectedSkill = {
  readonly path: string
  readonly name?: string
  readonly loadable?: boolean
  readonly strictlyValid?: boolean
  readonly modelVisible?: boolean
  readonly description?: string | null
  readonly diagnostics: readonly string[]
  readonly mayAlso?: readonly string[]
  readonly allowedTools?: readonly string[]
  readonly extraKeys?: readonly string[]
  readonly resources?: readonly string[]
  readonly bodyContains?: readonly string[]
  readonly bodyLacks?: readonly string[]
}

/** Loads the folders of a case as a host would and compares everything that it says. */
export async function loadingDifferences(folder: string, one: LoadingCase): Promise<readonly string[]> {
  const library = new SkillLibrary(rootsOf(folder, one))
  const { skills, byName } = await library.load()
  const found = new Map(skills.map((skill) => [join(skill.root.path, skill.path), skill]))
  const differences: string[] = []
  for (const expected of one.skills) {
    const at = join(folder, expected.path)
    const skill = found.get(at)
    found.delete(at)
    if (skill === undefined) differences.push(`${expected.path}: is not listed`)
    else {
      for (const difference of skillDifferences(skill, expected)) differences.push(`${expected.path}: ${difference}`)
      if (skill.loadable && skill.shadowedBy === undefined && byName.get(skill.name) !== skill)
        differences.push(`${expected.path}: is not found by its name`)
    }
  }
  for (const at of found.keys()) differences.push(`${at.slice(folder.length + 1)}: is listed and was not expected`)
  const catalogue = skills
    .filter((skill) => skill.modelVisible)
    .map((skill) => catalogueEntry(skill, skill.description))
  for (const lacking of one.catalogueLacks ?? [])
    if (catalogue.join('\n').includes(lacking)) differences.push(`the catalogue has ${JSON.stringify(lacking)}`)
  return differences
}

function rootsOf(folder: string, { roots }: LoadingCase): readonly SkillRoot[] {
  if (roots === undefined) return [{ path: folder, scope: 'project', trusted: true }]
  return roots.map(({ path, scope, trusted }) => ({
    path: join(folder, path),
    scope,
    trusted: trusted ?? scope !== 'project',
  }))
}

function skillDifferences(skill: Skill, expected: ExpectedSkill): readonly string[] {
  const differences: string[] = []
  const compare = (what: string, came: unknown, wanted: unknown): void => {
    if (wanted !== undefined && JSON.stringify(came) !== JSON.stringify(wanted))
      differences.push(`${what} is ${JSON.stringify(came)}, expected ${JSON.stringify(wanted)}`)
  }
  compare('name', skill.name, expected.name)
  compare('loadable', skill.loadable, expected.loadable)
  compare('strictlyValid', skill.strictlyValid, expected.strictlyValid)
  compare('modelVisible', skill.modelVisible, expected.modelVisible)
  compare('description', skill.description ?? null, expected.description)
  compare('allowedTools', skill.allowedTools, expected.allowedTools)
  compare('extraKeys', [...skill.extra.keys()].sort(), expected.extraKeys && [...expected.extraKeys].sort())
  compare('resources', skill.resources, expected.resources)
  const kinds = new Set<string>(skill.diagnostics.map(({ kind }) => kind))
  for (const kind of expected.diagnostics) if (!kinds.has(kind)) differences.push(`${kind} is not reported`)
  for (const kind of kinds)
    if (![...expected.diagnostics, ...(expected.mayAlso ?? [])].includes(kind)) differences.push(`${kind} is reported`)
  return [...differences, ...bodyDifferences(skill, expected)]
}

function bodyDifferences(skill: Skill, { bodyContains = [], bodyLacks = [] }: ExpectedSkill): readonly string[] {
  if (bodyContains.length === 0 && bodyLacks.length === 0) return []
  const body = readBody(skill)?.body
  if (body === undefined) return ['there is no body']
  return [
    ...bodyContains.filter((part) => !body.includes(part)).map((part) => `the body lacks ${JSON.stringify(part)}`),
    ...bodyLacks.filter((part) => body.includes(part)).map((part) => `the body has ${JSON.stringify(part)}`),
  ]
}
