import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { MASKED, SecretMask } from './secret-mask.js'
import { type TapEntry, tapLine } from './tap-entry.js'
import { TapRecorder } from './tap-recorder.js'

function recorded(lines: readonly [from: 'client' | 'server', text: string][], methods: readonly string[] = []) {
  const entries: TapEntry[] = []
  let at = 1000
  const recorder = new TapRecorder({
    mask: new SecretMask(),
    onEntry: (entry) => entries.push(entry),
    methods,
    now: () => {
      at += 5
      return at
    },
  })
  for (const [from, text] of lines) {
    const head = Buffer.from(text)
    recorder.line(from, { head, bytes: head.length, digest: undefined })
  }
  return entries
}

test.each([
  ['a password by its key', '{"password":"hunter2-hunter2","user":"bo"}', `{"password":"${MASKED}","user":"bo"}`],
  ['a number by its key', '{"pin": 1234, "n": 1234}', `{"pin": "${MASKED}", "n": 1234}`],
  [
    'all below a secret key',
    '{"credentials":{"a":"xyz","b":["pq"]}}',
    `{"credentials":{"a":"${MASKED}","b":["${MASKED}"]}}`,
  ],
  ['a key by its form', '{"text":"use sk-live-ABCDEF0123456789 now"}', `{"text":"use ${MASKED} now"}`],
  ['a bearer token', '{"h":"Authorization: Bearer abcdef.123456"}', `{"h":"Authorization: Bearer ${MASKED}"}`],
  [
    'a secret inside of JSON in a string',
    '{"t":"{\\"api_key\\":\\"abc123\\"}"}',
    `{"t":"{\\"api_key\\":\\"${MASKED}\\"}"}`,
  ],
  ['a password in an address', '{"u":"postgres://bo:s3cret@db/x"}', `{"u":"postgres://bo:${MASKED}@db/x"}`],
])('masks %s', (_, text, logged) => {
  expect(new SecretMask().json(text)).toBe(logged)
})

test.each([
  ['a progress token', '{"_meta":{"progressToken":"p12345678"}}'],
  ['the schema of a password', '{"password":{"type":"string","title":"Your password"}}'],
  ['how tokens are counted', '{"maxTokens":100,"inputTokens":5}'],
])('leaves %s alone', (_, text) => {
  expect(new SecretMask().json(text)).toBe(text)
})

test('what was a secret once is one wherever it comes up again', () => {
  const mask = new SecretMask()
  mask.json('{"password":"correct horse"}')
  expect(mask.text('you said correct horse')).toBe(`you said ${MASKED}`)
})

test('a message is logged with its key order, doubled keys and digits', () => {
  const text = '{ "id":1e2, "jsonrpc":"2.0","result":{"n":0.10,"n":9007199254740993} }'
  const [entry] = recorded([['server', text]])
  expect(tapLine(entry as TapEntry)).toContain(`"message":${text}}`)
})

test('an answer says what was asked and how long it took', () => {
  const entries = recorded([
    ['client', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}'],
    ['server', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['client', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['server', '{"jsonrpc":"2.0","id":1,"result":{"isError":true}}'],
  ])
  expect(entries[2]).toMatchObject({ kind: 'response', method: 'ping', ms: 5 })
  expect(entries[3]).toMatchObject({ kind: 'response', method: 'tools/call', name: 'echo', ms: 15, failed: true })
})

test('only the wanted methods are kept, with their answers', () => {
  const entries = recorded(
    [
      ['client', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'],
      ['client', '{"jsonrpc":"2.0","id":2,"method":"ping"}'],
      ['server', '{"jsonrpc":"2.0","id":2,"result":{}}'],
      ['server', '{"jsonrpc":"2.0","id":1,"result":{}}'],
      ['server', 'Listening…'],
    ],
    ['tools/*'],
  )
  expect(entries.map(({ kind, method }) => `${kind} ${method}`)).toEqual(['request tools/call', 'response tools/call'])
})
