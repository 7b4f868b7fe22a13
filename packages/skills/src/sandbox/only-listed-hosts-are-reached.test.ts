import { createServer } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from './bubblewrap.js'
import { SANDBOX_LIMITS, V8_OVERHEAD } from './limits.js'
import { programOnPath } from './program-on-path.js'
import { sandboxRuntime } from './sandbox-runtime.js'
import { stageFolder } from './stage-folder.js'

needs('Linux', () => process.platform === 'linux')
needs('socat and ripgrep', () => programOnPath('socat') !== undefined && programOnPath('rg') !== undefined)

/** Says by HTTP or by bare TCP that it was reached; gives its port. */
function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )
}

const PROGRAM = `
const http = require('node:http'), net = require('node:net')
const proxy = new URL(process.env.HTTP_PROXY)
// Later ones than Node 20 go through the proxy by themselves.
const direct = new http.Agent()
const say = (name) => (word) => console.log(name, word)
const login = proxy.username === '' ? {} : { 'proxy-authorization': 'Basic ' + btoa(decodeURIComponent(proxy.username) + ':' + proxy.password) }
const plain = (name, address) => new Promise((done) => http.get({ agent: direct, host: proxy.hostname, port: proxy.port, path: address, headers: { host: new URL(address).host, ...login } },
  (answer) => { let text = ''; answer.on('data', (d) => text += d).on('end', () => done(say(name)(answer.statusCode === 200 ? text : answer.statusCode))) }).on('error', (e) => done(say(name)(e.code))))
const tunnel = (name, target) => new Promise((done) => http.request({ agent: direct, host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: target, headers: login })
  .on('connect', (answer, socket) => { if (answer.statusCode !== 200) return done(say(name)(answer.statusCode)); socket.on('data', (d) => { say(name)(String(d)); socket.destroy(); done() }); socket.write('hello') })
  .on('error', (e) => done(say(name)(e.code))).end())
const past = (name, port) => new Promise((done) => net.connect(port, '127.0.0.1').on('connect', () => done(say(name)('reached'))).on('error', (e) => done(say(name)(e.code))))
const [web, tcp, other] = process.argv.slice(1)
plain('web', 'http://127.0.0.1:' + web + '/page').then(() => plain('other', 'http://127.0.0.1:' + other + '/'))
  .then(() => tunnel('tcp', '127.0.0.1:' + tcp)).then(() => tunnel('other-tcp', '127.0.0.1:' + other))
  .then(() => past('direct', Number(web))).then(() => process.exit(7))
`

test.each([bubblewrap(), sandboxRuntime()])(
  '$name: a job reaches the hosts of its list by the proxy, nothing else by it and nothing past it',
  async (sandbox) => {
    const web = await listening(createServer((asked, answer) => answer.end(`hello from ${asked.url}`)))
    const tcp = await listening(createTcpServer((socket) => socket.once('data', (data) => socket.end(`echo ${data}`))))
    const other = await listening(createServer((_, answer) => answer.end('never')))
    const stage = stageFolder('work')
    onTestFinished(() => stage.remove())
    const { stdout, exitCode, isolation } = await sandbox.run({
      folders: {
        work: { path: stage.at('work'), access: 'write', staged: true },
        node: { path: process.execPath, access: 'read', keepPath: true },
      },
      home: 'work',
      launch: (at) => ({
        command: [process.execPath, '-e', PROGRAM, String(web), String(tcp), String(other)],
        cwd: at('work'),
      }),
      network: [`127.0.0.1:${web}`, `127.0.0.1:${tcp}`],
      limits: { ...SANDBOX_LIMITS, wallMs: 30_000, overhead: V8_OVERHEAD },
    })
    expect(stdout.text.trim().split('\n')).toEqual([
      'web hello from /page',
      'other 403',
      'tcp echo hello',
      'other-tcp 403',
      'direct ECONNREFUSED',
    ])
    expect(exitCode).toBe(7)
    expect(isolation).toMatchObject({
      network: 'allow-list',
      notes: expect.arrayContaining([`127.0.0.1:${other} was asked for and refused.`]),
    })
  },
)
