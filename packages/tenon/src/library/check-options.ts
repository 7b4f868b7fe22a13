import { KernelError, type Limits } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { isSchema } from '../schema/to-schema.js'
import { checkMessage } from './check-message.js'
import { checkPolicy } from './check-policy.js'

const LIMITS: readonly string[] = ['steps', 'calls', 'tokens', 'money', 'wallMs'] satisfies (keyof Limits)[]
const DISPOSITIONS: readonly unknown[] = ['allow', 'ask', 'deny']
const CHOICES: readonly unknown[] = ['auto', 'none', 'required']

type Loose = { readonly [key: string]: unknown }

/**
 * What a program without types gets wrong, told where it stands instead of somewhere in a run.
 * @throws HostError `options-invalid`; KernelError `tool-invalid`, `policy-invalid`
 */
export function checkAgentOptions(options: unknown): void {
  if (!isObject(options)) throw invalid('agent() takes an object: agent({ model, tools, … }).')
  const { name, model, instructions, tools, policy, limits, toolChoice } = options
  if (name !== undefined && (typeof name !== 'string' || name === '')) throw invalid('The name of an agent is a text.')
  if (!isObject(model) || typeof model.generate !== 'function' || !isObject(model.author))
    throw invalid('An agent needs a model: agent({ model: openai("gpt-5") }), or one of your own with generate().')
  if (instructions !== undefined && typeof instructions !== 'string')
    throw invalid('The instructions of an agent are a text.')
  const names = checkTools(tools)
  if (typeof policy === 'string' && !DISPOSITIONS.includes(policy))
    throw new KernelError('policy-invalid', 'A policy in one word is "allow", "ask" or "deny".')
  if (policy !== undefined && typeof policy !== 'string') checkPolicy(policy)
  checkLimits(limits)
  if (toolChoice === undefined || CHOICES.includes(toolChoice)) return
  if (!isObject(toolChoice) || !names.has(toolChoice.name))
    throw invalid('toolChoice is "auto", "none", "required" or { name } of one of the tools.')
}

/** @throws HostError `options-invalid` */
export function checkRunOptions(goal: unknown, { limits, deadline }: Loose): void {
  checkMessage('The goal of a run', goal)
  checkLimits(limits)
  if (deadline !== undefined && !Number.isFinite(deadline))
    throw invalid('The deadline of a run is a time in epoch milliseconds: Date.now() + 60_000.')
}

function checkTools(tools: unknown): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  if (tools === undefined) return names
  if (!Array.isArray(tools)) throw invalid('The tools of an agent are a list: agent({ tools: [tool({ … })] }).')
  for (const [index, one] of tools.entries()) {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.run !== 'function' || !isSchema(one.input))
      throw new KernelError('tool-invalid', `Number ${index + 1} of the tools is none; make it with tool({ … }).`)
    if (names.has(one.name))
      throw new KernelError('tool-invalid', `Two tools are named ${JSON.stringify(one.name)}; give each its own name.`)
    names.add(one.name)
  }
  return names
}

function checkLimits(limits: unknown): void {
  if (limits === undefined) return
  if (!isObject(limits)) throw invalid(`Limits are an object with any of: ${LIMITS.join(', ')}.`)
  for (const [name, limit] of Object.entries(limits)) {
    if (!LIMITS.includes(name))
      throw invalid(`There is no limit ${JSON.stringify(name)}; there are: ${LIMITS.join(', ')}.`)
    if (limit !== undefined && !(Number.isFinite(limit) && Number(limit) >= 0))
      throw invalid(`The limit ${name} is a number of 0 or more; leave it out for none.`)
  }
}

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null

const invalid = (message: string): HostError => new HostError('options-invalid', message)
