/** What the probe could do. `true` means that it worked, which is bad news in all but `writesWork`. */
export type ProbeFacts = {
  readonly writesWork: boolean
  readonly readsOutside: boolean
  readonly seesOutside: boolean
  readonly writesOutside: boolean
  readonly reachesTcp: boolean
  readonly reachesSocketFile: boolean
  readonly readsEnvironment: boolean
  readonly signalsHost: boolean
  readonly seesHostProcesses: boolean
}

export type ProbeTargets = {
  /** A file outside that only a leak can show. */
  readonly canary: string
  readonly port: number
  /** An abstract socket, without the leading NUL. */
  readonly abstract: string
  readonly hostPid: number
}

/**
 * Whether something was written outside is for the host to see: a sandbox may have a folder of its own at that place.
 */
export const plantedBy = ({ canary }: Pick<ProbeTargets, 'canary'>): string => `${canary}.written`

/**
 * Tries to get out of a sandbox and prints all of `ProbeFacts` but `writesOutside`. Run with `node -e`: inside there is no file of ours, and Node
 * is there wherever we are.
 */
export const probeProgram = (targets: ProbeTargets): string => `
const fs = require('node:fs')
const { canary, port, abstract, hostPid } = ${JSON.stringify(targets)}
const planted = ${JSON.stringify(plantedBy(targets))}
const works = (attempt) => { try { attempt(); return true } catch { return false } }
let net
works(() => { net = require('node:net') })
const reaches = (to) => new Promise((done) => {
  try {
    const socket = net.connect(to)
    socket.once('connect', () => { socket.destroy(); done(true) })
    socket.once('error', () => done(false))
  } catch { done(false) }
})
const pids = works(() => fs.readdirSync('/proc')) ? fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)) : []
const known = new Set(Object.keys(process.env))
const readsEnvironment = pids.some((pid) => {
  let text = ''
  works(() => { text = fs.readFileSync('/proc/' + pid + '/environ', 'latin1') })
  return text.split('\\0').some((entry) => entry !== '' && !known.has(entry.split('=')[0]))
})
const ownProcesses = pids.length > 0 && pids.length < 12 && !pids.includes(String(hostPid)) || hostPid < 12 && pids.length < 12
works(() => fs.writeFileSync(planted, 'x'))
Promise.all([reaches({ host: '127.0.0.1', port }), reaches({ path: '\\0' + abstract })]).then(([tcp, socketFile]) => {
  console.log(JSON.stringify({
    writesWork: works(() => fs.writeFileSync('probe-output', 'x')),
    readsOutside: works(() => fs.readFileSync(canary)),
    seesOutside: works(() => fs.lstatSync(canary)),
    reachesTcp: tcp,
    reachesSocketFile: socketFile,
    readsEnvironment,
    signalsHost: !ownProcesses && works(() => process.kill(hostPid, 0)),
    seesHostProcesses: pids.length > 0 && !ownProcesses,
  }))
})
`
