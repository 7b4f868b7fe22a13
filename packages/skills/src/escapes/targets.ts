import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What attacks are aimed at: a home with keys, servers, and a process with a secret in its environment. */
export type Targets = {
  readonly secret: string
  /** A folder like a user's home, with `.ssh/id_test` and `file` in it, open to everybody who gets there. */
  readonly home: string
  readonly tcpPort: number
  readonly udpPort: number
  readonly socketFile: string
  readonly abstract: string
  readonly victimPid: number
  /** Stands on the command line of processes that an attack leaves behind. */
  readonly token: string
  /** Whether a datagram has come. */
  heard(): boolean
  /** Processes of the host with the token on their command line. */
  leftBehind(): number
  close(): Promise<void>
}

export async function layTargets(): Promise<Targets> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-escape-')))
  const home = join(folder, 'home')
  const secret = `secret-${randomUUID()}`
  const token = `token-${randomUUID()}`
  // As long as a name can be: Node 20 fills up a shorter one, later ones do not.
  const abstractName = token.padEnd(107, '-')
  chmodSync(folder, 0o755)
  mkdirSync(join(home, '.ssh'), { recursive: true })
  chmodSync(home, 0o777)
  writeFileSync(join(home, 'file'), secret, { mode: 0o666 })
  writeFileSync(join(home, '.ssh', 'id_test'), secret)
  writeFileSync(join(home, 'keys.json'), JSON.stringify({ secret }), { mode: 0o666 })
  const tcp = createServer((socket) => socket.end(secret))
  const socketFile = createServer((socket) => socket.end(secret))
  const abstract = createServer((socket) => socket.end(secret))
  const udp = createSocket('udp4')
  let heard = false
  udp.on('message', () => {
    heard = true
  })
  const socketPath = join(home, 'agent.sock')
  await Promise.all([
    listening(tcp, { host: '127.0.0.1', port: 0 }),
    listening(socketFile, { path: socketPath }),
    listening(abstract, { path: `\0${abstractName}` }),
    new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve)),
  ])
  chmodSync(socketPath, 0o777)
  const victim = await startVictim(secret)
  const address = tcp.address()
  return {
    secret,
    home,
    tcpPort: typeof address === 'object' && address !== null ? address.port : 0,
    udpPort: udp.address().port,
    socketFile: socketPath,
    abstract: abstractName,
    victimPid: victim.pid ?? 0,
    token,
    heard: () => heard,
    leftBehind: () => processesWith(token),
    async close() {
      victim.kill('SIGKILL')
      udp.close()
      await Promise.all([tcp, socketFile, abstract].map((server) => new Promise((done) => server.close(done))))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const listening = (server: Server, at: { host: string; port: number } | { path: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, resolve)
  })

/** As unprivileged as it can be, so that what keeps an attack off is the sandbox. */
function startVictim(secret: string): Promise<ChildProcess> {
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000); console.log("up")'], {
    env: { HOST_SECRET: secret },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Promise((resolve, reject) => {
    victim.once('error', reject)
    victim.stdout?.once('data', () => resolve(victim))
  })
}

function processesWith(token: string): number {
  let found = 0
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(token)) found++
    } catch {
      // Ended meanwhile.
    }
  }
  return found
}
