import { isMemory } from '@tenon/a2a'
import { isJsonObject, plainText, type RunId, RunState, type Submission } from '@tenon/kernel'
import type { Host } from '../../host/host.js'
import { resultText } from '../../host/result-text.js'

const MOST_RUNS = 20
/** Characters of earlier talk that a run is given; what is older is left out. */
const MOST_CHARS = 24_000

/** What a run that a client of the OpenAI API began keeps for that client. */
export type KeptForClient = {
  /** The run whose result this one answers to. */
  readonly previous?: RunId
  /** The client's own notes. */
  readonly notes?: Readonly<Record<string, string>>
}

export const keptForClient = ({ metadata }: Submission): KeptForClient =>
  isJsonObject(metadata?.openai) ? (metadata.openai as KeptForClient) : {}

/** What the user said to begin a run, without what the run was told of earlier ones. */
const goalText = ({ goal }: Submission): string => plainText(goal.blocks.filter((block) => !isMemory(block)))

/**
 * The exchanges that led to `last`, the oldest first, for the model to read. They come from the journal: what a client
 * sends of them is not read. Runs of one conversation that went another way are not among them.
 */
export function earlierExchanges({ store }: Pick<Host, 'store'>, last: RunId): string {
  const told: string[] = []
  let room = MOST_CHARS
  let at: RunId | undefined = last
  for (let count = 0; at !== undefined && count < MOST_RUNS; count++) {
    const { submission, ended, state } = RunState.of(store.journal.load(at))
    const answer = ended?.state === 'completed' ? `You: ${resultText(ended)}` : `(That run ended as ${state}.)`
    const exchange = `User: ${goalText(submission)}\n${answer}`
    room -= exchange.length
    if (room < 0) break
    told.unshift(exchange)
    at = keptForClient(submission).previous
  }
  return `Earlier in this conversation, oldest first:\n\n${told.join('\n\n')}`
}
