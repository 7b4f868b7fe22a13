// node worker.mjs DIR SEAL [POINT]: serves the fixture agent over A2A on a shared store; with a POINT it dies by
// SIGKILL there. Points are counted in writes to the journal and the inbox: 2n is before the nth, 2n + 1 after it.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRequestServer } from '@tenon/a2a/cases'

const [dir = '', seal = '', point = '-1'] = process.argv.slice(2)
let reached = 0
const here = () => {
  if (reached++ === Number(point)) process.kill(process.pid, 'SIGKILL')
}
const around = (write) => {
  here()
  const done = write()
  here()
  return done
}

const server = await startRequestServer({ pushAllow: ['127.0.0.1'] }, () => false, {
  dir,
  sealKey: Buffer.from(seal, 'hex'),
  journal: (own) => ({
    load: (...args) => own.load(...args),
    begin: (...args) => around(() => own.begin?.(...args)),
    append: (...args) => around(() => own.append(...args)),
  }),
  inbox: (own) => ({
    ...own,
    put: (...args) => around(() => own.put(...args)),
  }),
  touch: (key) => appendFileSync(join(dir, 'effects.txt'), `${key}\n`),
})
process.send?.({ url: server.urls['jsonrpc 1.0'] })
process.on('message', (message) => {
  if (message === 'points') process.send?.({ points: reached })
})
process.on('disconnect', () => process.exit(0))
