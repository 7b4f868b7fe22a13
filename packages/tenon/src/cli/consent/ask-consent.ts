import { type ApprovalAnswer, type CallState, type InputRequest, isTenonError } from '@tenon/kernel'
import type { Environment } from '../../config/interpolate.js'
import { readArgumentPattern } from './argument-pattern-text.js'
import type { Asker } from './asker.js'
import { consentCard } from './consent-card.js'
import { editArguments } from './edit-arguments.js'

export type ConsentQuestion = {
  readonly request: InputRequest
  readonly call: Pick<CallState, 'proposal' | 'args'> | undefined
  readonly environment: Environment
  readonly signal: AbortSignal
}

const HELP = [
  '  y  yes, this once            n  no; say why after it, and the model is told: n use the other file',
  '  a  yes, and for later calls  e  edit the arguments first',
  '  l  later: leave it open      v  show everything',
]

/** Puts a consent before a person. Undefined: they leave it open, or it was answered elsewhere. */
export async function askConsent(question: ConsentQuestion, asker: Asker): Promise<ApprovalAnswer | undefined> {
  const { request, call, environment, signal } = question
  let card = consentCard(request, call, false)
  for (const line of card.lines) asker.say(line)
  const passedUp = request.via !== undefined || call === undefined
  for (;;) {
    const choices = passedUp ? 'y/n/l' : card.folded ? 'v/n/l' : 'y/n/a/e/l/?'
    const typed = await asker.question(`Allow it? [${choices}] `, signal)
    if (typed === undefined) return undefined
    const [word = '', ...rest] = typed.trim().split(/\s+/)
    switch (word.toLowerCase()) {
      case 'n':
      case 'no':
        return { kind: 'deny', ...(rest.length === 0 ? {} : { reason: rest.join(' ') }) }
      case 'l':
      case 'later':
        return undefined
      case 'v':
        card = consentCard(request, call, true)
        for (const line of card.lines) asker.say(line)
        continue
      case '?':
      case 'h':
      case 'help':
        for (const line of HELP) asker.say(line)
        continue
      case '':
        continue
    }
    if (card.folded) {
      asker.say('The arguments were not shown whole: type v to see them first, or n to say no.')
      continue
    }
    switch (word.toLowerCase()) {
      case 'y':
      case 'yes':
        return { kind: 'approve' }
      case 'a':
      case 'always': {
        const grant = passedUp ? undefined : await askGrant(question, asker)
        if (grant !== undefined) return grant
        continue
      }
      case 'e':
      case 'edit': {
        const args = passedUp ? undefined : await editArguments(call.args, asker, environment, signal)
        if (args !== undefined) return { kind: 'approve', args }
        continue
      }
      default:
        asker.say(`"${typed.trim().slice(0, 40)}" is none of ${choices}. Type ? for what they mean.`)
    }
  }
}

async function askGrant({ call, signal }: ConsentQuestion, asker: Asker): Promise<ApprovalAnswer | undefined> {
  const span = await asker.question('For how long? [r] the rest of this run, [a] always, [b] back: ', signal)
  if (span === undefined || /^b/i.test(span.trim())) return undefined
  const remember = /^a/i.test(span.trim()) ? 'always' : 'run'
  for (;;) {
    const only = await asker.question('Only when (like path=reports/*; empty: any arguments): ', signal)
    if (only === undefined) return undefined
    if (only.trim() === '') return { kind: 'approve', remember }
    try {
      return { kind: 'approve', remember, pattern: readArgumentPattern(only, call?.args ?? {}) }
    } catch (error) {
      if (!isTenonError(error)) throw error
      asker.say(error.message)
    }
  }
}
