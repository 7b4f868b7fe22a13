import { expect, test } from 'vitest'
import { secretEntries } from './secret-name.js'

test('what a server is given under an ordinary name stays readable, keys and tokens do not', () => {
  const env = { NODE_ENV: 'production', REGION: 'europe', API_KEY: 'k', GITHUB_TOKEN: 't', 'X-Auth': 'a' }
  expect(Object.keys(secretEntries(env))).toEqual(['API_KEY', 'GITHUB_TOKEN', 'X-Auth'])
})
