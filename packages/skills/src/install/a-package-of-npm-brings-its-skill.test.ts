import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { stageSkill } from './install-skill.js'
import { readLock } from './lock-file.js'

type Packed = { readonly bytes: Buffer; readonly file: string }

const NAME = '@acme/review-skill'
let packed: Readonly<Record<string, Packed>> | undefined

/** As npm itself packs them. */
function pack(version: string, files: Readonly<Record<string, string>>): Packed {
  const scripts = { preinstall: 'touch ran', install: 'touch ran', postinstall: 'touch ran', prepare: 'touch ran' }
  const manifest = JSON.stringify({ name: NAME, version, scripts, dependencies: { 'never-fetched': '1.0.0' } })
  const cwd = folderOf({ 'package.json': manifest, ...files })
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=silent'], { cwd })
  const [{ filename }] = JSON.parse(String(said))
  return { bytes: readFileSync(join(cwd, filename)), file: filename }
}

/** Once for the file: a start of npm takes its time. */
const packages = (): Readonly<Record<string, Packed>> => {
  packed ??= {
    '1.0.0': pack('1.0.0', { 'SKILL.md': skillFile('review'), 'scripts/x.sh': 'echo 1' }),
    '2.0.0-rc.1': pack('2.0.0-rc.1', { 'SKILL.md': skillFile('review'), 'scripts/x.sh': 'echo 2' }),
  }
  return packed
}

/** A registry of one package, and npm set up for it and for nothing else. Gives the paths that were asked for. */
async function registry(states: (bytes: Buffer) => Buffer = (bytes) => bytes): Promise<readonly string[]> {
  const asked: string[] = []
  packages()
  const server = createServer((request, answer) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    asked.push(path)
    const tarball = Object.values(packages()).find(({ file }) => path === `tarballs/${file}`)
    if (tarball !== undefined) answer.end(tarball.bytes)
    else if (path === NAME) answer.setHeader('content-type', 'application/json').end(JSON.stringify(document()))
    else answer.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not_found"}')
  })
  const document = () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const versions = Object.entries(packages()).map(([version, { bytes, file }]) => {
      const integrity = `sha512-${createHash('sha512').update(states(bytes)).digest('base64')}`
      return [version, { name: NAME, version, dist: { tarball: `${address}/tarballs/${file}`, integrity } }]
    })
    const tags = { latest: '1.0.0', next: '2.0.0-rc.1' }
    return { name: NAME, 'dist-tags': tags, versions: Object.fromEntries(versions) }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const place = folderOf({ npmrc: `registry=${address}\n@acme:registry=${address}\nfetch-retries=0\n` })
  for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) vi.stubEnv(name, undefined)
  vi.stubEnv('NPM_CONFIG_USERCONFIG', join(place, 'npmrc'))
  vi.stubEnv('NPM_CONFIG_CACHE', join(place, 'cache'))
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return asked
}

test.each([
  [NAME, '1.0.0', 'echo 1'],
  [`${NAME}@next`, '2.0.0-rc.1', 'echo 2'],
  [`${NAME}@^1.0.0`, '1.0.0', 'echo 1'],
])(
  'npm:%s is version %s, whose scripts are not run and whose dependencies are not fetched',
  async (spec, version, script) => {
    const asked = await registry()
    const cwd = folderOf({})
    const into = join(cwd, 'skills')
    const staged = await stageSkill(`npm:${spec}`, { into, cwd })
    expect(staged).toMatchObject({ directory: 'review', ref: `${NAME}@${version}` })
    staged.commit()
    expect(readFileSync(join(into, 'review/scripts/x.sh'), 'utf8')).toBe(script)
    expect(readLock(into).get('review')).toMatchObject({ source: `npm:${spec}`, ref: `${NAME}@${version}` })
    expect(readdirSync(cwd)).toEqual(['skills'])
    expect(existsSync(join(into, 'review/ran'))).toBe(false)
    expect([...new Set(asked)]).toEqual([NAME, `tarballs/${packages()[version]?.file}`])
  },
  20_000,
)

test('a package that is not what the registry states is refused, and nothing is left of it', async () => {
  await registry((bytes) => Buffer.concat([bytes, Buffer.from('other')]))
  const cwd = folderOf({})
  await expect(stageSkill(`npm:${NAME}`, { into: join(cwd, 'skills'), cwd })).rejects.toMatchObject({
    code: 'skill-source-unreadable',
    message: expect.stringContaining(`npm:${NAME}: EINTEGRITY`),
  })
  expect(readdirSync(cwd)).toEqual([])
}, 20_000)

test.each(['@acme/nobody', `${NAME}@9.9.9`])(
  'npm:%s, which is not there, is told with what npm says',
  async (spec) => {
    await registry()
    const cwd = folderOf({})
    await expect(stageSkill(`npm:${spec}`, { into: join(cwd, 'skills'), cwd })).rejects.toMatchObject({
      code: 'skill-source-unreadable',
      message: expect.stringMatching(new RegExp(`^npm:${spec}: E(?:404|TARGET): `)),
    })
  },
  20_000,
)
