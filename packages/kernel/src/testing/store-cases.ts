import { ContextId, RequestId, RunId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import { canonicalJson } from '../content/json.js'
import { userMessage } from '../content/message.js'
import { isTenonError } from '../errors/error-table.js'
import type { Artifacts } from '../ports/artifacts.js'
import type { Grants, Inbox, InboxItem, Journal, Leases } from '../ports/journal.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import type { Grant, RunEvent } from '../run/events.js'

/** The ports that a store of one's own implements. */
export type StorePorts = {
  readonly journal: Journal
  readonly inbox: Inbox
  readonly leases: Leases
  readonly grants: Grants
  readonly artifacts: Artifacts
}

/** What every store must do. `run` gets an empty store and throws an Error that says what differed. */
export type StoreCase = { readonly name: string; run(store: StorePorts): MaybePromise<void> }

const RUN = RunId('run_1')
const OTHER = RunId('run_2')

const submitted: RunEvent = {
  seq: 1,
  at: 1_700_000_000_000,
  kind: 'run-submitted',
  agent: 'main',
  goal: userMessage('Zähle die Äpfel 🍎\u0000 and "quotes"'),
  contextId: ContextId('ctx_1'),
  depth: 0,
  planner: { name: 'react', version: 1 },
  limits: { steps: 3 },
  metadata: { nested: [{ a: null }, [], 1.5, -0.25, 'x'] },
}
const said = (seq: number): RunEvent => ({
  seq,
  at: 1_700_000_000_000 + seq,
  kind: 'cancel-requested',
  reason: `word ${seq}`,
})
const saidAll = (from: number, to: number): RunEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => said(from + index))

const cancel = (id: string): InboxItem => ({ id, kind: 'cancel', reason: `because of ${id}`, by: 'tester' })

const grant = (grantId: string, tool: string): Grant => ({
  grantId,
  tool,
  origin: { kind: 'function', name: 'test' },
  toolDigest: 'sha256:00',
  scope: 'always',
  grantedBy: 'tester',
})

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
const FILE = { name: 'a.txt', mediaType: 'text/plain', runId: RUN }

const JOURNAL_CASES: readonly StoreCase[] = [
  {
    name: 'events come back as they were appended',
    async run({ journal }) {
      await journal.append(RUN, [submitted], false)
      await journal.append(RUN, saidAll(2, 4), false)
      same(await journal.load(RUN), [submitted, ...saidAll(2, 4)])
    },
  },
  {
    name: 'a run that was never submitted is empty',
    async run({ journal }) {
      same(await journal.load(RUN), [])
    },
  },
  {
    name: 'a reader goes on from where it was, within appends too',
    async run({ journal }) {
      await journal.append(RUN, [submitted], false)
      await journal.append(RUN, saidAll(2, 4), false)
      await journal.append(RUN, saidAll(5, 8), true)
      for (let after = 0; after <= 9; after++)
        same(await journal.load(RUN, after), [submitted, ...saidAll(2, 8)].slice(after))
    },
  },
  {
    name: 'a reader gets no more than it asked for',
    async run({ journal }) {
      await journal.append(RUN, [submitted, ...saidAll(2, 3)], false)
      await journal.append(RUN, saidAll(4, 6), false)
      same(await journal.load(RUN, 0, 2), [submitted, said(2)])
      same(await journal.load(RUN, 1, 3), saidAll(2, 4))
      same(await journal.load(RUN, 2, 0), [])
    },
  },
  {
    name: 'a stale writer is refused and nothing of it is kept',
    async run({ journal }) {
      await journal.append(RUN, [submitted], false)
      await journal.append(RUN, [said(2)], false)
      await refused('journal-conflict', () => journal.append(RUN, [{ ...said(2), at: 0 }, said(3)], false))
      await refused('journal-conflict', () => journal.append(RUN, [submitted], false))
      same(await journal.load(RUN), [submitted, said(2)])
      await journal.append(RUN, [said(3)], false)
      same(await journal.load(RUN), [submitted, said(2), said(3)])
    },
  },
  {
    name: 'a writer that saw half of an append is refused',
    async run({ journal }) {
      await journal.append(RUN, [submitted], false)
      await journal.append(RUN, saidAll(2, 4), false)
      await refused('journal-conflict', () => journal.append(RUN, [said(3)], false))
      same(await journal.load(RUN), [submitted, ...saidAll(2, 4)])
    },
  },
  {
    name: 'a gap is refused, before an append and within it',
    async run({ journal }) {
      await refused('journal-conflict', () => journal.append(RUN, [said(2)], false))
      await journal.append(RUN, [submitted], false)
      await refused('journal-conflict', () => journal.append(RUN, [said(3)], false))
      await refused('journal-conflict', () => journal.append(RUN, [said(2), said(4)], false))
      same(await journal.load(RUN), [submitted])
    },
  },
  {
    name: 'an append of nothing changes nothing',
    async run({ journal }) {
      await journal.append(RUN, [], true)
      same(await journal.load(RUN), [])
    },
  },
  {
    name: 'runs do not mix',
    async run({ journal }) {
      await journal.append(RUN, [submitted], false)
      await journal.append(OTHER, [submitted, said(2)], false)
      await journal.append(RUN, [{ ...said(2), at: 7 }], false)
      same(await journal.load(RUN), [submitted, { ...said(2), at: 7 }])
      same(await journal.load(OTHER), [submitted, said(2)])
    },
  },
]

const INBOX_CASES: readonly StoreCase[] = [
  {
    name: 'items stay, in order, until they are removed',
    async run({ inbox }) {
      const answer: InboxItem = { id: 'b', kind: 'answer', requestId: RequestId('q1'), answer: { kind: 'approve' } }
      await inbox.put(RUN, cancel('c'))
      await inbox.put(RUN, answer)
      await inbox.put(OTHER, cancel('a'))
      same(await inbox.peek(RUN), [cancel('c'), answer])
      same(await inbox.peek(RUN), [cancel('c'), answer])
      await inbox.remove(RUN, ['c', 'not there'])
      same(await inbox.peek(RUN), [answer])
      await inbox.remove(RUN, ['b'])
      same(await inbox.peek(RUN), [])
      same(await inbox.peek(OTHER), [cancel('a')])
    },
  },
  {
    name: 'the same delivery twice is there once',
    async run({ inbox }) {
      await inbox.put(RUN, cancel('a'))
      await inbox.put(RUN, { ...cancel('a'), by: 'somebody else' })
      same(await inbox.peek(RUN), [cancel('a')])
    },
  },
  {
    name: 'all who watch are woken after a put, and never within it',
    async run({ inbox }) {
      let within = true
      const woken = [0, 1].map(
        () =>
          new Promise<void>((resolve, reject) =>
            inbox.watch(RUN, () => (within ? reject(new Error('woken from within the put')) : resolve())),
          ),
      )
      const put = inbox.put(RUN, cancel('a'))
      within = false
      await put
      await Promise.all(woken)
      same(await inbox.peek(RUN), [cancel('a')])
    },
  },
  {
    name: 'who begins to watch is woken for what is there already',
    async run({ inbox }) {
      await inbox.put(RUN, cancel('a'))
      await new Promise<void>((resolve) => inbox.watch(RUN, resolve))
    },
  },
  {
    name: 'who has stopped to watch is not woken, others are',
    async run({ inbox }) {
      let stopped = 0
      const stop = inbox.watch(RUN, () => stopped++)
      stop()
      stop()
      const woken = new Promise<void>((resolve) => inbox.watch(RUN, resolve))
      await inbox.put(RUN, cancel('a'))
      await woken
      same(stopped, 0)
    },
  },
]

const LEASE_CASES: readonly StoreCase[] = [
  {
    name: 'one holder has a run until it lets go',
    async run({ leases }) {
      same(await leases.acquire(RUN, 'a', 60_000), true)
      same(await leases.acquire(RUN, 'b', 60_000), false)
      same(await leases.acquire(RUN, 'a', 60_000), true)
      same(await leases.acquire(OTHER, 'b', 60_000), true)
      await leases.release(RUN, 'b')
      same(await leases.acquire(RUN, 'b', 60_000), false)
      await leases.release(RUN, 'a')
      same(await leases.acquire(RUN, 'b', 60_000), true)
      same(await leases.acquire(RUN, 'a', 60_000), false)
    },
  },
  {
    name: 'a lease whose time is over can be taken',
    async run({ leases }) {
      same(await leases.acquire(RUN, 'a', 0), true)
      same(await leases.acquire(RUN, 'b', 60_000), true)
      same(await leases.acquire(RUN, 'a', 60_000), false)
    },
  },
]

const GRANT_CASES: readonly StoreCase[] = [
  {
    name: 'grants are listed by tool, in the order they were given',
    async run({ grants }) {
      same(await grants.list('write'), [])
      await grants.add(grant('g2', 'write'))
      await grants.add(grant('g1', 'write'))
      await grants.add(grant('g3', 'fetch'))
      same(await grants.list('write'), [grant('g2', 'write'), grant('g1', 'write')])
    },
  },
  {
    name: 'a grant of the same id takes the place of the first',
    async run({ grants }) {
      await grants.add(grant('g1', 'write'))
      await grants.add({ ...grant('g1', 'write'), expiresAt: 5 })
      same(await grants.list('write'), [{ ...grant('g1', 'write'), expiresAt: 5 }])
    },
  },
]

const ARTIFACT_CASES: readonly StoreCase[] = [
  {
    name: 'an artifact is named by its bytes and read in pages',
    async run({ artifacts }) {
      const meta = await artifacts.put(bytesOf('hello'), FILE)
      same(meta, {
        // The digest of "hello", by FIPS 180-4.
        artifactId: 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        name: 'a.txt',
        mediaType: 'text/plain',
        bytes: 5,
      })
      same((await artifacts.meta(meta.artifactId)) ?? null, meta)
      same(textOf(await artifacts.read(meta.artifactId, 0, 100)), 'hello')
      same(textOf(await artifacts.read(meta.artifactId, 1, 3)), 'ell')
      same(textOf(await artifacts.read(meta.artifactId, 4, 3)), 'o')
      same(textOf(await artifacts.read(meta.artifactId, 5, 3)), '')
      same(textOf(await artifacts.read(meta.artifactId, 50, 3)), '')
    },
  },
  {
    name: 'the same bytes twice are one artifact',
    async run({ artifacts }) {
      const first = await artifacts.put(bytesOf('hello'), FILE)
      const second = await artifacts.put(bytesOf('hello'), { ...FILE, runId: OTHER })
      same(second, first)
    },
  },
  {
    name: 'an artifact of no bytes is one',
    async run({ artifacts }) {
      const { artifactId } = await artifacts.put(new Uint8Array(), FILE)
      same((await artifacts.meta(artifactId))?.bytes ?? null, 0)
      same((await artifacts.read(artifactId, 0, 10)).byteLength, 0)
    },
  },
  {
    name: 'whoever put an artifact may use its buffer again',
    async run({ artifacts }) {
      const bytes = bytesOf('hello')
      const { artifactId } = await artifacts.put(bytes, FILE)
      bytes.fill(0)
      const read = await artifacts.read(artifactId, 0, 5)
      same(textOf(read), 'hello')
      read.fill(0)
      same(textOf(await artifacts.read(artifactId, 0, 5)), 'hello')
    },
  },
  {
    name: 'an unknown handle is refused by name, whatever it looks like',
    async run({ artifacts }) {
      for (const handle of ['sha256:00', '', '../../etc/passwd', `sha256:${'0'.repeat(64)}`]) {
        same((await artifacts.meta(handle as never)) ?? null, null)
        await refused('artifact-unknown', () => artifacts.read(handle as never, 0, 10))
      }
    },
  },
]

/** Everything that the engine relies on. Run each against an empty store, with any test runner. */
export const STORE_CASES: readonly StoreCase[] = [
  ...JOURNAL_CASES,
  ...INBOX_CASES,
  ...LEASE_CASES,
  ...GRANT_CASES,
  ...ARTIFACT_CASES,
]

function same(actual: unknown, expected: unknown): void {
  const [is, should] = [actual, expected].map((value) => canonicalJson(value as Json))
  if (is !== should) throw new Error(`expected ${should}\n     got ${is}`)
}

async function refused(code: string, work: () => MaybePromise<unknown>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    if (isTenonError(thrown) && thrown.code === code) return
    throw thrown
  }
  throw new Error(`expected to be refused with ${code}`)
}
