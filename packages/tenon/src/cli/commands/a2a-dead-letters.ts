import { dirname } from 'node:path'
import { PushSender, SecretSeal } from '@tenon/a2a'
import type { DeadPush } from '@tenon/store'
import { HostError } from '../../errors.js'
import { serveKeys } from '../../serve/serve-keys.js'
import { webhookSigner } from '../../serve/webhook-signer.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'

export type DeadLettersOptions = CommonOptions & { readonly json?: boolean }

/** `tenon a2a dead-letters`: what webhooks of tasks of this store were not told. */
export async function listDeadLetters(io: Io, options: DeadLettersOptions): Promise<number> {
  const { store } = openRuns(io, options)
  try {
    const dead = store.pushes.dead()
    if (options.json) for (const one of dead) io.stdout.write(`${JSON.stringify(one)}\n`)
    else if (dead.length === 0) io.stderr.write('Every webhook was told everything.\n')
    else io.stdout.write(table(dead.map((one) => lineOf(one, store.pushes.get(one.runId, one.target)?.host))))
    return EXIT.completed
  } finally {
    store.close()
  }
}

/** `tenon a2a dead-letters replay`: tries them again, all or those that are named, the oldest first. */
export async function replayDeadLetters(
  io: Io,
  numbers: readonly string[],
  options: DeadLettersOptions,
): Promise<number> {
  const { store, loaded } = openRuns(io, options)
  const serve = loaded.config.serve ?? {}
  const keys = serveKeys(dirname(store.file))
  const signer = webhookSigner(serve, keys)
  const sender = new PushSender({
    store,
    seal: new SecretSeal(keys.seal),
    allowed: serve.push?.allow ?? [],
    ...(signer === undefined ? {} : { signer }),
  })
  try {
    const all = store.pushes.dead().map(({ number }) => number)
    const wanted = numbers.length === 0 ? all : numbers.map((written) => numberOf(written, all))
    let failed = 0
    for (const number of wanted) {
      const became = await sender.replay(number)
      if (became === 'not-told') failed++
      const line = options.json ? JSON.stringify({ number, taken: became === 'told', became }) : TOLD[became]
      io.stdout.write(`${options.json ? '' : `${number}  `}${line}\n`)
    }
    return failed === 0 ? EXIT.completed : EXIT.failed
  } finally {
    await sender.stop()
    store.close()
  }
}

const TOLD = {
  told: 'told',
  'not-told': 'not told; it stays in the list, under a new number',
  gone: 'its webhook or its task was removed; it is off the list',
} as const

function numberOf(written: string, all: readonly number[]): number {
  const number = Number(written)
  if (all.includes(number)) return number
  throw new HostError('usage', `There is no dead letter ${written.slice(0, 40)}. tenon a2a dead-letters lists them.`)
}

const lineOf = ({ number, runId, at, reason }: DeadPush, host: string | undefined): string[] =>
  [String(number), runId, host ?? '', new Date(at).toISOString(), reason].map(safeText)
