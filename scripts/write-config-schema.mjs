// `node scripts/write-config-schema.mjs`: writes the schema that editors read, from the table that checks `tenon.yaml`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { binPath, repoRoot, runNode } from './run-node.mjs'

const home = join(repoRoot, 'packages', 'tenon')
const { configJsonSchema } = await import(pathToFileURL(join(home, 'dist', 'config', 'config-json-schema.js')).href)
const file = join(home, 'schema', 'tenon.schema.json')
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
await runNode([binPath('@biomejs/biome', 'biome'), 'format', '--write', file])
