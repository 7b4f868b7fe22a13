/** @typedef {readonly [from: number, to: number]} Span epoch milliseconds */

/**
 * Where the wall time of a run went. Calls of one layer that ran side by side count once, calls of two layers for both;
 * while a person was waited for, nothing counts.
 *
 * @param {import('./demo-run.mjs').DemoRun} run
 * @returns {{ whole: number, layers: Record<string, number> }} `whole` is everything but the model
 */
export function wallByLayer({ started, ended, events }) {
  const first = events[0]?.at ?? started
  const last = events.at(-1)?.at ?? ended
  /** @type {Map<string, Span[]>} */
  const spans = new Map()
  /** @type {Map<string, { layer: string, from: number }>} */
  const calls = new Map()
  /** @type {Span[]} */
  const waits = []
  let turn = 0
  let asked
  for (const event of events) {
    if (event.kind === 'turn-began') turn = event.at
    else if (event.kind === 'turn-ended') add(spans, 'model', [turn, event.at])
    else if (event.kind === 'call-proposed')
      calls.set(event.call.callId, {
        layer: LAYERS[event.call.origin?.kind ?? 'function'] ?? 'functions',
        from: event.at,
      })
    else if (event.kind === 'call-settled') {
      const call = calls.get(event.callId)
      if (call !== undefined) add(spans, call.layer, [call.from, event.at])
    } else if (event.kind === 'input-requested' && event.request.kind === 'question') asked = event.at
    else if (event.kind === 'input-answered' && asked !== undefined) {
      waits.push([asked, event.at])
      asked = undefined
    }
  }
  const took = (name) => covered(spans.get(name) ?? [], waits)
  const whole = ended - started - took('model') - covered(waits, [])
  const layers = {
    'start, with both servers': first - started,
    ...Object.fromEntries([...new Set(Object.values(LAYERS))].map((name) => [name, took(name)])),
    'end of servers and process': ended - last,
  }
  // In which neither the model nor a call was at work.
  const between = last - first - covered([...spans.values()].flat(), waits) - covered(waits, [])
  return { whole, layers: { ...layers, 'engine and journal': between } }
}

/** @type {Record<string, string>} */
const LAYERS = {
  function: 'functions',
  mcp: 'MCP servers',
  skill: 'skills and scripts',
  peer: 'A2A peer',
  run: 'sub-runs',
}

/** @param {Map<string, Span[]>} spans @param {string} name @param {Span} span */
function add(spans, name, span) {
  const known = spans.get(name)
  if (known === undefined) spans.set(name, [span])
  else known.push(span)
}

/** Milliseconds that lie in any of the spans and in none of those that are left out. @param {readonly Span[]} spans @param {readonly Span[]} without */
function covered(spans, without) {
  const edges = [...new Set([...spans, ...without].flat())].sort((a, b) => a - b)
  const inside = (/** @type {readonly Span[]} */ all, /** @type {number} */ at) =>
    all.some(([from, to]) => from <= at && at < to)
  let sum = 0
  for (const [index, at] of edges.entries())
    if (inside(spans, at) && !inside(without, at)) sum += (edges[index + 1] ?? at) - at
  return sum
}
