// `node scripts/write-open-api.mjs`: writes the OpenAPI document of the run API, from the table that the server works by.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { binPath, repoRoot, runNode } from './run-node.mjs'

const home = join(repoRoot, 'packages', 'tenon')
const made = (name) => import(pathToFileURL(join(home, 'dist', 'serve', 'run-api', `${name}.js`)).href)
const [{ openApiDocument }, { ROUTES }] = await Promise.all([made('open-api-document'), made('routes')])
const file = join(home, 'schema', 'openapi.json')
writeFileSync(file, `${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`)
await runNode([binPath('@biomejs/biome', 'biome'), 'format', '--write', file])
