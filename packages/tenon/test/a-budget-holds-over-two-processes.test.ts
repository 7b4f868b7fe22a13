import { expect, test } from 'vitest'
import { type Place, place } from './tenon-process.js'

/** A painter that looks around four times before it paints; a rehearsal estimates what it uses. */
const PEER = `agents:
  painter: { description: Paints., model: played, tools: [list_files], public: {} }
models: { played: { provider: rehearsal, file: r.yaml } }
policy: { otherwise: allow }
`
const looks = [0, 1, 2, 3].map(
  (turn) =>
    `  - { name: look ${turn}, when: { turns: ${turn} }, say: { calls: [{ tool: list_files, args: { path: . } }] } }`,
)
const SCENES = `rehearsal: a painter
scenes:
${looks.join('\n')}
  - { name: paint, when: { turns: 4 }, say: { text: The wall is red. } }
`

const boss = (url: string, tokens: number) => `agents:
  boss: { description: Has it done., model: played, tools: [delegate], limits: { tokens: ${tokens} } }
models: { played: { provider: rehearsal, file: r.yaml } }
peers: { painter: { url: "${url}" } }
policy: { rules: [{ allow: delegate }] }
`
const BOSS_SCENES = `rehearsal: a boss
scenes:
  - { name: give, when: { turns: 0 }, say: { calls: [{ tool: delegate, args: { peer: painter, brief: Paint. } }] } }
  - { name: red, when: { results: [{ tool: delegate, matches: 'The wall is red' }] }, say: { text: It is done. } }
  - { name: not, when: { results: [{ tool: delegate, matches: 'reached a limit' }] }, say: { text: The painter ran out. } }
`

async function painter(): Promise<string> {
  const at = place()
  at.write('tenon.yaml', PEER)
  at.write('r.yaml', SCENES)
  const serving = at.start(['serve', '--port', '0'])
  let out = ''
  serving.child.stdout?.on('data', (text: string) => {
    out += text
  })
  await serving.printed('"url"')
  return (JSON.parse(out.split('\n')[0] ?? '') as { readonly url: string }).url
}

type Report = {
  readonly state: string
  readonly delegated: { readonly tokens: number }
  readonly calls: readonly { readonly outcome: string; readonly spent?: { readonly tokens: number } }[]
}

/** A run with so many tokens, as it is shown afterwards. */
async function run(
  here: Place,
  url: string,
  tokens: number,
): Promise<{ readonly said: string; readonly report: Report }> {
  here.write('tenon.yaml', boss(url, tokens))
  here.write('r.yaml', BOSS_SCENES)
  const { stdout } = await here.tenon(['run', 'Have it painted.'])
  const shown = await here.tenon(['runs', 'show', 'last', '--json'])
  return { said: stdout, report: JSON.parse(shown.stdout) as Report }
}

test('what a peer may use is a share of the run’s tokens: enough and it paints, too little and it stops by name', async () => {
  const url = await painter()
  const here = place()
  const rich = await run(here, url, 100_000)
  expect(rich.said).toContain('It is done.')
  const [paid] = rich.report.calls
  expect(paid).toMatchObject({ outcome: 'finished', spent: { tokens: expect.any(Number) } })
  expect(rich.report.delegated.tokens).toBe(paid?.spent?.tokens)

  const poor = await run(here, url, Math.ceil((paid?.spent?.tokens ?? 0) * 0.9))
  expect(poor.report.calls[0]).toMatchObject({ outcome: 'failed' })
  expect(poor.said).toContain('The painter ran out.')
  expect(poor.report.delegated.tokens).toBeLessThan(rich.report.delegated.tokens)
})
