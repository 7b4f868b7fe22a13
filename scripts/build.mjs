// `npm run build [-- --quiet]`: compiles what changed, then bundles the kernel and the command where they changed.
import { bundleCommand } from './bundle-command.mjs'
import { bundleKernel } from './bundle-kernel.mjs'
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

const kernel = (await bundleKernel(all)) ? ', kernel bundled' : ''
const command = (await bundleCommand(all)) ? ', command bundled' : ''
if (!quiet) console.log(`built in ${Math.round(performance.now() - began)} ms${kernel}${command}`)
