// `npm run build [-- --quiet]`: compiles what changed, then bundles libraries and the command where they changed.
import { bundleCommand } from './bundle-command.mjs'
import { bundleLibrary } from './bundle-library.mjs'
import { packages } from './packages.mjs'
import { binPath, runNode } from './run-node.mjs'
import { sweepOutputs } from './sweep-outputs.mjs'

const quiet = process.argv.includes('--quiet')
const began = performance.now()
const all = packages()

for (const one of all) sweepOutputs(one.folder)
const compiled = await runNode([binPath('typescript', 'tsc'), '-b', ...all.map((one) => one.folder)])
if (compiled.code !== 0) {
  process.stdout.write(compiled.stdout + compiled.stderr)
  process.exit(compiled.code)
}

const bundled = []
for (const one of all) if (await bundleLibrary(one)) bundled.push(one.name)
if (await bundleCommand(all)) bundled.push('the command')
const what = bundled.length > 0 ? `, bundled ${bundled.join(', ')}` : ''
if (!quiet) console.log(`built in ${Math.round(performance.now() - began)} ms${what}`)
