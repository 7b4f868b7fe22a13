import { type Engine, type LiveItem, type RunEvent, RunId, RunState, userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { type Frame, ResponseFrames } from './response-frames.js'
import { responseId } from './response-id.js'
import { pastSpeech, runSpeech } from './run-speech.js'
import { segmentRecord } from './segment-record.js'

const runId = RunId('run_01')
const id = responseId(runId, 0)
const TEXTS = ['I will look first, in all corners.', 'There was nothing – 什么都没有 – at all.']

/** Texts stand apart where a client puts them together. */
const SAID = TEXTS.map((text, index) => (index === 0 ? text : `\n\n${text}`))

/** A run of two turns that say a text each, as an engine tells of it. `breaksOff`: each text is begun twice. */
function story(breaksOff = false): { readonly events: readonly RunEvent[]; readonly items: readonly LiveItem[] } {
  const events: RunEvent[] = []
  const items: LiveItem[] = []
  const event = (body: object): void => {
    const made = { seq: events.length + 1, at: 1, ...body } as RunEvent
    events.push(made)
    items.push({ kind: 'event', runId, event: made })
  }
  const root = ''
  event({
    kind: 'run-submitted',
    agent: 'a',
    goal: userMessage('g'),
    contextId: 'c',
    depth: 0,
    planner: { name: 'p', version: 1 },
    limits: {},
  })
  const attempts = TEXTS.flatMap((text) => (breaksOff ? [`Hm, ${text}`, text] : [text]))
  for (const [index, text] of attempts.entries()) {
    const turnId = `t${index + 1}`
    const model = { provider: 'p', model: 'm' }
    event({
      kind: 'turn-began',
      turnId,
      scope: root,
      purpose: 'act',
      model,
      view: { parts: [], messages: 0, tokens: 0 },
    })
    items.push({ kind: 'block-began', runId, turnId, scope: root, index: 0, block: 'text' } as LiveItem)
    for (const piece of text.match(/.{1,4}/gsu) ?? [])
      items.push({ kind: 'delta', runId, turnId, index: 0, block: 'text', text: piece } as LiveItem)
    if (!TEXTS.includes(text)) {
      event({ kind: 'turn-ended', turnId, outcome: 'interrupted', usage: null })
      continue
    }
    event({ kind: 'block-ended', turnId, index: 0, block: { kind: 'text', text } })
    event({ kind: 'turn-ended', turnId, outcome: 'finished', finish: 'stop', usage: null })
  }
  event({ kind: 'run-ended', state: 'completed', blocks: [{ kind: 'text', text: TEXTS[1] }] })
  return { events, items }
}

/** Tells of the run as it happened, or from `from` on as to somebody who comes in the middle. */
function engineOf({ events, items }: ReturnType<typeof story>, from: number): Engine {
  const before = items.slice(0, from).flatMap((item) => (item.kind === 'event' ? [item] : []))
  return {
    state: () => RunState.of(events),
    async *follow() {
      yield* [...before, ...items.slice(from)]
    },
  } as Partial<Engine> as Engine
}

async function framesOf(engine: Engine, after: number | undefined): Promise<readonly Frame[]> {
  const frames = new ResponseFrames(id, after)
  const made: Frame[] = [...frames.begin(0, {})]
  const options = { signal: new AbortController().signal, resultOnly: false }
  for await (const said of runSpeech(engine, { runId, after: 0, answered: new Set() }, options))
    if (said.kind === 'ended' || said.kind === 'asked')
      made.push(...frames.end(said.seq, [], [], { status: 'completed' }))
    else made.push(...frames.text(said))
  return made
}

function textsOf(frames: readonly Frame[]): readonly string[] {
  const texts: string[] = []
  for (const { type, output_index: at, delta } of frames)
    if (type === 'response.output_text.delta') texts[Number(at)] = (texts[Number(at)] ?? '') + delta
  return texts
}

const kindsOf = (frames: readonly Frame[]) =>
  frames
    .filter(({ type }) => type !== 'response.output_text.delta')
    .map(({ type, output_index }) => [type, output_index])

test('whoever comes back after any frame, to a run at any point of its life, gets the rest once', async () => {
  const told = story()
  const live = await framesOf(engineOf(told, 0), undefined)
  expect(textsOf(live)).toEqual(SAID)
  expect(live.length).toBeGreaterThan(30)
  for (const [index, frame] of live.entries()) {
    const had = live.slice(0, index + 1)
    for (let from = 0; from <= told.items.length; from++) {
      const rest = await framesOf(engineOf(told, from), frame.sequence_number)
      const all = [...had, ...rest]
      expect(textsOf(all), `cut at ${index}, back at ${from}`).toEqual(SAID)
      expect(kindsOf(all), `cut at ${index}, back at ${from}`).toEqual(kindsOf(live))
    }
  }
})

test('a text that breaks off and begins anew is one item, told whole after whatever was told of it', async () => {
  const told = story(true)
  const live = await framesOf(engineOf(told, 0), undefined)
  for (const [index, frame] of live.entries())
    for (const from of [0, Math.floor(told.items.length / 2), told.items.length]) {
      const all = [...live.slice(0, index + 1), ...(await framesOf(engineOf(told, from), frame.sequence_number))]
      expect(kindsOf(all)).toEqual(kindsOf(live))
      const done = all.flatMap((one) => (one.type === 'response.output_text.done' ? one.text : []))
      expect(done).toEqual(SAID)
      for (const [at, text] of textsOf(all).entries())
        expect(text, `cut at ${index}, back at ${from}`).toMatch(new RegExp(`${SAID[at]}$`, 's'))
    }
})

test('numbers rise, and a replay has those of the journal', async () => {
  const told = story()
  const live = await framesOf(engineOf(told, 0), undefined)
  const numbers = live.map(({ sequence_number }) => sequence_number)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  const past = pastSpeech(segmentRecord(told.events, 0), false)
  expect(past.flatMap((said) => (said.kind === 'text-ended' ? said.whole : []))).toEqual(SAID)
})
