// `npm run pack:check`: what a user gets. Packs every package, installs the tarballs in an empty folder, and works there.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playedOpenAi, SNIPPET_PART } from '../test-support/played-openai.mjs'
import { packages } from './packages.mjs'
import { readmeSnippet } from './readme-snippet.mjs'
import { binPath, npmPath, repoRoot, runNode } from './run-node.mjs'

/** What has no business in a tarball. Templates bring the tests of what is made from them. */
const STRAY = /^(?!templates\/).*\.test\.|\.map$|\.tsbuildinfo$|^(?:src|test)\/|\.ts$(?<!\.d\.ts)/

const folder = mkdtempSync(join(tmpdir(), 'tenon-pack-'))
const tarballs = join(folder, 'tarballs')
const user = join(folder, 'user')
mkdirSync(tarballs)
mkdirSync(user)

/** @param {string} what @param {() => Promise<string | undefined>} step gives what is to be told beside its name */
async function step(what, step) {
  const began = performance.now()
  try {
    const more = await step()
    console.log(`ok   ${what} ${Math.round(performance.now() - began)} ms${more ? ` (${more})` : ''}`)
  } catch (error) {
    console.log(`FAIL ${what}\n${error instanceof Error ? error.message : error}`)
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  }
}

/** @param {string[]} args @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options] */
async function mustRun(args, options) {
  const { code, stdout, stderr } = await runNode(args, options)
  if (code !== 0) throw new Error(`exit code ${code}\n${stdout}${stderr}`)
  return stdout.trim()
}

/** Without the variables that npm gives to scripts: they would make the empty folder a part of this checkout. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$|NODE_PATH$)/i.test(name)),
)

await step('build', async () => {
  await mustRun([join(repoRoot, 'scripts', 'build.mjs')])
  return undefined
})

const all = packages()
/** @type {string[]} */
const packed = []
await step('pack', async () => {
  for (const { name, folder: from } of all) {
    const out = await mustRun([npmPath(), 'pack', '--json', '--pack-destination', tarballs], { cwd: from, env })
    const report = JSON.parse(out)
    /** @type {{ filename: string, files: { path: string }[] }} */
    const { filename, files } = Array.isArray(report) ? report[0] : Object.values(report)[0]
    const stray = files.map(({ path }) => path).filter((path) => STRAY.test(path))
    if (stray.length > 0) throw new Error(`${name} packs what nobody needs: ${stray.join(', ')}`)
    for (const wanted of ['LICENSE', 'README.md']) {
      if (!files.some(({ path }) => path === wanted)) throw new Error(`${name} packs no ${wanted}`)
    }
    packed.push(join(tarballs, filename))
  }
  return `${packed.length} tarballs`
})

await step('install in an empty folder', async () => {
  writeFileSync(join(user, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await mustRun([npmPath(), 'install', ...quiet, ...packed], { cwd: user, env })
  return undefined
})

await step('npx tenon --version', async () => {
  const said = await mustRun([npmPath(), 'exec', '--offline', '--', 'tenon', '--version'], { cwd: user, env })
  const expected = all.find(({ name }) => name === 'tenon')?.manifest.version
  if (!said.includes(expected)) throw new Error(`said ${said}, the package is ${expected}`)
  return said
})

await step('npx tenon --help', async () => {
  const said = await mustRun([npmPath(), 'exec', '--offline', '--', 'tenon', '--help'], { cwd: user, env })
  if (!said.includes('run')) throw new Error(`no word of \`tenon run\`:\n${said}`)
  return undefined
})

const entries = all.flatMap(({ name, manifest }) =>
  Object.entries(manifest.exports ?? {})
    .filter(([, target]) => typeof target === 'object' && 'types' in target)
    .map(([path]) => (path === '.' ? name : `${name}/${path.slice(2)}`)),
)
await step('every entry can be imported', async () => {
  for (const entry of entries) await mustRun(['--input-type=module', '--eval', `import '${entry}'`], { cwd: user, env })
  return entries.join(', ')
})

await step('each sandbox of this machine works from here, in the library and in the command', async () => {
  const look =
    "import { sandboxes } from '@tenon/skills'\nfor (const one of sandboxes()) console.log(one.name, (await one.probe()).strength ?? 'missing')"
  const said = await mustRun(['--input-type=module', '--eval', look], { cwd: user, env })
  // The one that needs nothing of the machine.
  if (!said.includes('quickjs strong')) throw new Error(said)
  const config = join(user, 'sandbox.yaml')
  writeFileSync(config, 'sandbox: { backend: quickjs }\n')
  const command = join(user, 'node_modules', 'tenon', 'bin', 'tenon.js')
  const { stdout } = await runNode([command, 'doctor', '--config', config], { cwd: user, env })
  if (!stdout.includes('quickjs is strong')) throw new Error(stdout)
  return said.split('\n').join(', ')
})

const uses = entries.map((entry, index) => `import * as entry${index} from '${entry}'\nvoid entry${index}\n`).join('')
writeFileSync(join(user, 'entries.ts'), uses)
writeFileSync(join(user, 'snippet.ts'), readmeSnippet(readFileSync(join(repoRoot, 'README.md'), 'utf8')))

for (const [resolution, module] of /** @type {const} */ ([
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
])) {
  await step(`types resolve under ${resolution}`, async () => {
    const config = {
      compilerOptions: {
        target: 'es2023',
        module,
        moduleResolution: resolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        // The declarations themselves are what is looked at.
        skipLibCheck: false,
        outDir: `out-${resolution}`,
        rootDir: '.',
        types: ['node'],
        typeRoots: [join(repoRoot, 'node_modules', '@types')],
      },
      files: ['entries.ts', 'snippet.ts'],
    }
    const file = join(user, `tsconfig.${resolution}.json`)
    writeFileSync(file, JSON.stringify(config))
    await mustRun([binPath('typescript', 'tsc'), '-p', file], { cwd: user, env })
    return undefined
  })
}

await step('the snippet of the README runs', async () => {
  const server = await playedOpenAi(SNIPPET_PART)
  const said = await mustRun([join('out-nodenext', 'snippet.js')], { cwd: user, env: { ...env, ...server.env } })
  server.close()
  return said.split('\n').at(-1)
})

await step('what `tenon new` makes passes its own test', async () => {
  const project = join(user, 'project')
  mkdirSync(project)
  const tenon = join(user, 'node_modules', 'tenon', 'bin', 'tenon.js')
  for (const joint of ['tool', 'skill', 'agent', 'mcp-server'])
    await mustRun([tenon, 'new', joint, `my-${joint}`], { cwd: project, env })
  // The server stands for itself and brings the official SDK.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await mustRun([npmPath(), 'install', ...quiet], { cwd: join(project, 'servers', 'my-mcp-server'), env })
  const said = await mustRun(['--test', '--test-reporter', 'tap'], { cwd: project, env })
  return `${/^# pass \d+/m.exec(said)?.[0].slice(2)}`
})

if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
