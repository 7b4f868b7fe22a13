// A tap as a process of its own: `node tapped-process.js REPORT COMMAND ARGS…`, as `tenon mcp tap -- COMMAND ARGS…`.
import { writeFileSync } from 'node:fs'
import { SecretMask } from '../tap/secret-mask.js'
import { type TapEntry, tapLine } from '../tap/tap-entry.js'
import { tapProcess } from '../tap/tap-process.js'
import { TapRecorder } from '../tap/tap-recorder.js'

const [report = '', command = '', ...args] = process.argv.slice(2)
const entries: TapEntry[] = []
const recorder = new TapRecorder({ mask: new SecretMask(), onEntry: (entry) => entries.push(entry) })
const { stdin, stdout, stderr, env: environment } = process
const code = await tapProcess({ command, args, environment, cwd: process.cwd(), stdin, stdout, stderr, recorder })
const log = entries.map(tapLine).join('\n')
writeFileSync(report, JSON.stringify({ maxBytes: process.resourceUsage().maxRSS * 1024, log }))
process.exitCode = code
