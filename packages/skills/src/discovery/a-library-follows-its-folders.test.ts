import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { followLibrary } from './follow-library.js'
import { SkillLibrary } from './skill-library.js'
import { standardRoots } from './standard-roots.js'

const libraryOf = (path: string, trusted = true): SkillLibrary =>
  new SkillLibrary([{ path, scope: 'project', trusted }])
const namesOf = ({ current }: SkillLibrary): readonly string[] => [...current.byName.keys()].sort()
/** So that a change is not taken for one of the same tick. */
const age = (path: string): void => utimesSync(path, new Date(1_700_000_000_000), new Date(1_700_000_000_000))

test('a changed, a new, a renamed and a removed skill are seen at the next load', async () => {
  const folder = folderOf({ 'a/SKILL.md': skillFile('a'), 'b/SKILL.md': skillFile('b'), 'c/SKILL.md': skillFile('c') })
  const library = libraryOf(folder)
  await library.load()
  writeFileSync(join(folder, 'a/SKILL.md'), skillFile('a', 'license: MIT\n'))
  mkdirSync(join(folder, 'deep/d'), { recursive: true })
  writeFileSync(join(folder, 'deep/d/SKILL.md'), skillFile('d'))
  rmSync(join(folder, 'b'), { recursive: true })
  const { byName } = await library.load()
  expect(namesOf(library)).toEqual(['a', 'c', 'd'])
  expect(byName.get('a')?.license).toBe('MIT')
  renameSync(join(folder, 'c'), join(folder, 'e'))
  await library.load()
  expect(library.current.byName.get('c')?.path).toBe('e')
})

test('a library that nothing happened to is not read again, also when its clock is old', async () => {
  const folder = folderOf({ 'a/SKILL.md': skillFile('a'), 'a/scripts/x.sh': '' })
  for (const path of ['a/SKILL.md', 'a/scripts', 'a', '.']) age(join(folder, path))
  const library = libraryOf(folder)
  const first = await library.load()
  expect(await library.load()).toStrictEqual(first)
  writeFileSync(join(folder, 'a/scripts/y.sh'), '')
  expect((await library.load()).byName.get('a')?.resources).toEqual(['scripts/x.sh', 'scripts/y.sh'])
})

test('one changed path touches that skill alone; a new folder is found by its path', async () => {
  const folder = folderOf({ 'a/SKILL.md': skillFile('a'), 'b/SKILL.md': skillFile('b') })
  const library = libraryOf(folder)
  const before = (await library.load()).byName.get('b')
  writeFileSync(join(folder, 'a/SKILL.md'), skillFile('z'))
  library.changed(join(folder, 'a/SKILL.md'))
  expect(library.current.byName.get('b')).toBe(before)
  expect(namesOf(library)).toEqual(['b', 'z'])
  mkdirSync(join(folder, 'n'))
  writeFileSync(join(folder, 'n/SKILL.md'), skillFile('n'))
  library.changed(join(folder, 'n/SKILL.md'))
  rmSync(join(folder, 'b'), { recursive: true })
  library.changed(join(folder, 'b'))
  expect(namesOf(library)).toEqual(['n', 'z'])
})

test('what wins goes away, and what it shadowed comes forward', async () => {
  const home = folderOf({ 'notes/SKILL.md': skillFile('notes') })
  const project = folderOf({ 'notes/SKILL.md': skillFile('notes') })
  const library = new SkillLibrary([
    { path: home, scope: 'user', trusted: true },
    { path: project, scope: 'project', trusted: true },
  ])
  await library.load()
  expect(library.current.byName.get('notes')?.root.scope).toBe('project')
  rmSync(join(project, 'notes'), { recursive: true })
  await library.load()
  expect(library.current.byName.get('notes')?.root.scope).toBe('user')
  expect(library.current.byName.get('notes')?.diagnostics).toEqual([])
})

test('a project that is not trusted is listed, not read, and shadows nothing', async () => {
  const home = folderOf({ 'notes/SKILL.md': skillFile('notes') })
  const project = folderOf({ 'notes/SKILL.md': skillFile('notes') })
  const library = new SkillLibrary([
    { path: home, scope: 'user', trusted: true },
    { path: project, scope: 'project', trusted: false },
  ])
  const { skills, byName } = await library.load()
  expect(skills.map(({ diagnostics }) => diagnostics.map(({ kind }) => kind))).toEqual([['untrusted-workspace'], []])
  expect(byName.get('notes')?.root.scope).toBe('user')
})

test('links are followed once: a loop ends, a real folder goes before a link to it, a link to nothing is left out', async () => {
  const folder = folderOf({ 'z/real/SKILL.md': skillFile('real'), 'other/SKILL.md': skillFile('other') })
  symlinkSync('z/real', join(folder, 'alias'))
  symlinkSync('..', join(folder, 'z/loop'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  const { skills } = await libraryOf(folder).load()
  expect(skills.map(({ path }) => path)).toEqual(['other', 'z/real'])
})

test('a link to a file is passed over like a file, and no notice speaks of it', async () => {
  const folder = folderOf({ 'other/SKILL.md': skillFile('other'), 'z/notes.md': 'notes' })
  symlinkSync('z/notes.md', join(folder, 'README.md'))
  symlinkSync('itself', join(folder, 'itself'))
  const { skills, notices } = await libraryOf(folder).load()
  expect(skills.map(({ path }) => path)).toEqual(['other'])
  expect(notices).toEqual([])
})

test('a file where a folder of skills could be is no skill and stops nothing', async () => {
  const folder = folderOf({ '.agents/skills/other/SKILL.md': skillFile('other'), '.claude': 'a file' })
  const library = new SkillLibrary(
    standardRoots({ cwd: folder, workspace: folder, home: join(folder, '.claude'), trusted: true }),
  )
  await library.load()
  expect(namesOf(library)).toEqual(['other'])
})

test('six folders deep are searched, a seventh is not', async () => {
  const folder = folderOf({ '1/2/3/4/5/6/SKILL.md': skillFile('six'), 'a/b/c/d/e/f/g/SKILL.md': skillFile('seven') })
  const library = libraryOf(folder)
  await library.load()
  expect(namesOf(library)).toEqual(['six'])
})

test('the nearest project folder goes first, then those above, then configured ones, then the home', () => {
  const top = folderOf({ 'packages/app/x': '', 'home/x': '' })
  const roots = standardRoots({
    cwd: join(top, 'packages/app'),
    workspace: top,
    home: join(top, 'home'),
    folders: [join(top, 'more')],
    trusted: true,
  })
  const order = new SkillLibrary(roots).roots.map(({ path }) => path.slice(top.length + 1))
  expect(order.slice(0, 5)).toEqual([
    'packages/app/.agents/skills',
    'packages/app/.tenon/skills',
    'packages/app/.claude/skills',
    'packages/app/.github/skills',
    'packages/.agents/skills',
  ])
  expect(order.slice(-5)).toEqual([
    '.github/skills',
    'more',
    'home/.agents/skills',
    'home/.tenon/skills',
    'home/.claude/skills',
  ])
})

test('a library that is followed tells of a change by itself, and of nothing once it is stopped', async () => {
  const folder = folderOf({ 'a/SKILL.md': skillFile('a') })
  const library = libraryOf(folder)
  await library.load()
  let stop: () => void = () => {}
  const told = new Promise<readonly string[]>((resolve) => {
    stop = followLibrary(library, {
      everyMs: 1,
      onChange: ({ byName }) => {
        if (byName.has('b')) resolve([...byName.keys()])
      },
    })
  })
  mkdirSync(join(folder, 'b'))
  writeFileSync(join(folder, 'b/SKILL.md'), skillFile('b'))
  expect(await told).toEqual(['a', 'b'])
  stop()
})

test('a folder that two roots lead to belongs to the first, once, at every load', async () => {
  const folder = folderOf({ '.agents/skills/a/SKILL.md': skillFile('a'), '.claude/x': '' })
  symlinkSync('../.agents/skills', join(folder, '.claude/skills'))
  const roots = standardRoots({ cwd: folder, workspace: folder, home: join(folder, 'home'), trusted: true })
  const library = new SkillLibrary(roots)
  for (let time = 0; time < 2; time++) {
    const { skills } = await library.load()
    expect(skills.map(({ root }) => root.path)).toEqual([join(folder, '.agents/skills')])
  }
})
