// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration writes variables like this
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { parseConfig } from './parse-config.js'
import { redactConfig } from './redact-config.js'

const known = { tools: [], providers: ['openai'], keyed: ['openai'] }

test('a key is looked up when it is used, and never shown before or after', () => {
  const environment: Record<string, string> = { KEY: 'sk-very-secret' }
  const parsed = parseConfig(
    'models:\n  m:\n    provider: openai\n    apiKey: ${KEY}\n    headers: { x-token: literal-secret }\n',
    'tenon.yaml',
    environment,
    known,
  )
  if (!parsed.ok) throw new Error('the configuration is fine')
  const model = parsed.config.models?.m
  expect(model?.apiKey?.reveal()).toBe('sk-very-secret')
  const shown = [
    JSON.stringify(redactConfig(parsed.config)),
    inspect(parsed, { depth: 10, showHidden: true }),
    `${model?.apiKey}`,
  ].join()
  expect(shown).toContain('from KEY')
  expect(shown).not.toContain('secret')
})

test('a variable that is missing is named with its place once the key is needed', () => {
  const parsed = parseConfig('models:\n  m: { provider: openai, apiKey: "${NOT_THERE}" }\n', 'tenon.yaml', {}, known)
  if (!parsed.ok) throw new Error('a key that nobody uses is no mistake')
  expect(() => parsed.config.models?.m?.apiKey?.reveal()).toThrow(
    'tenon.yaml:2:34 models.m.apiKey needs the variable NOT_THERE, which is not set.',
  )
})
