import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { SkillLibrary } from '../discovery/skill-library.js'
import { fetchSkills, type SkillServer } from './fetch-skills.js'
import { offerSkills } from './offer-skills.js'

/** Our own offer, answered in this process; `change` is what a server in the middle makes of it. */
async function served(files: Record<string, string | Buffer>, change = (_: string, result: JsonObject) => result) {
  const library = new SkillLibrary([{ path: folderOf(files), scope: 'user', trusted: true }])
  await library.load()
  const offer = offerSkills(() => library.current)
  const asked: string[] = []
  const server: SkillServer = {
    name: 'house',
    async request(method, params) {
      asked.push(method)
      const result = method === 'skills/list' ? offer.list() : offer.read(String(params.uri))
      if (result === undefined) throw new Error('there is no such resource')
      return change(method, structuredClone(result) as JsonObject)
    },
  }
  return { server, asked }
}

const FILES = { 'review/SKILL.md': skillFile('review'), 'review/assets/a b.png': Buffer.from([0, 255, 1]) }
const into = (): string => join(folderOf({ x: '' }), 'house')

test('what one host offers another one gets, byte for byte, and not twice', async () => {
  const { server, asked } = await served(FILES)
  const folder = into()
  const { names, problems } = await fetchSkills(server, folder)
  expect(problems).toEqual([])
  const library = new SkillLibrary([{ path: folder, scope: 'served', server: 'house', trusted: true }])
  const review = (await library.load()).byName.get('review')
  expect(review).toMatchObject({ strictlyValid: true, resources: ['assets/a b.png'], root: { server: 'house' } })
  expect(readFileSync(join(review?.folder ?? '', 'assets/a b.png'))).toEqual(FILES['review/assets/a b.png'])
  const before = asked.length
  expect((await fetchSkills(server, folder)).names).toEqual(names)
  expect(asked.slice(before)).toEqual(['skills/list'])
})

test('a file that is not what was stated is not taken, and neither is its skill', async () => {
  const swapped = (method: string, result: JsonObject): JsonObject =>
    method === 'resources/read' ? { contents: [{ text: skillFile('review', '', 'Another method.') }] } : result
  const { server } = await served(FILES, swapped)
  const folder = into()
  const { names, problems } = await fetchSkills(server, folder)
  expect(names).toEqual([])
  expect(problems[0]).toContain('is not what the server stated')
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  'skill://review/../../x',
  'skill://review/%2e%2e/x',
  'skill://review/a%2f..%2f..%2fx',
  'skill://other/x',
  'file:///etc/passwd',
])('a file at %s does not get out of the skill', async (uri) => {
  const { server } = await served(FILES, (method, result) => {
    if (method !== 'skills/list') return result
    const skills = result.skills as unknown as { resources: { uri: string }[] }[]
    skills[0]?.resources.push({ ...(skills[0].resources[0] as { uri: string }), uri })
    return result
  })
  const folder = into()
  expect((await fetchSkills(server, folder)).names).toEqual([])
  expect(readdirSync(join(folder, '..')).sort()).toEqual(['house', 'x'])
})

test('what is no longer offered goes, and what a strict reader would refuse is not offered', async () => {
  const first = await served({
    ...FILES,
    'sums/SKILL.md': '---\nname: sums\ndescription: Use when: sums differ\n---\nx\n',
  })
  const folder = into()
  expect((await fetchSkills(first.server, folder)).names).toHaveLength(1)
  const second = await served({ 'other/SKILL.md': skillFile('other') })
  expect((await fetchSkills(second.server, folder)).names[0]).toMatch(/^other-/)
  expect(readdirSync(folder)).toHaveLength(1)
})
