import { expect, test } from 'vitest'
import { ReactTextWatcher } from './watch-react-text.js'

/** How many characters a model writes until it is told to stop; undefined where it never is. */
function writtenOf(output: string): number | undefined {
  const watcher = new ReactTextWatcher()
  for (let at = 0; at < output.length; at++) {
    watcher.push(output.charAt(at))
    if (watcher.done) return at + 1
  }
  return undefined
}

const HEAD = 'Action: look_up\nAction Input: '

test.each([
  '{"term": "kelp"}',
  '{"term": {"of": ["a", {"b": (1)}]}}',
  '{"term": "}"}',
  '{"term": "\\"}", "path": "C:\\\\"}',
  "{'term': '}'}",
  '{“term”: “}”}',
  '{"term": "it\'s // no /* comment"}',
  '{"term": 1 /* } ** / " */}',
  '{"term": 1 // }\n}',
  '{"ratio": 1 / 2}',
])('behind %j, and not before', (input) => {
  expect(writtenOf(`${HEAD}${input}`)).toBeUndefined()
  expect(writtenOf(`${HEAD}${input}\n`)).toBeUndefined()
  expect(writtenOf(`${HEAD}${input} and so on`)).toBe(`${HEAD}${input} a`.length)
  const watcher = new ReactTextWatcher()
  watcher.push(`${HEAD}${input} and so on`)
  expect(watcher.done).toBe(true)
})

test('a bracket too many, and the fence around an input, belong to it', () => {
  expect(writtenOf(`${HEAD}{"term": "kelp"}}] `)).toBeUndefined()
  expect(writtenOf(`${HEAD}\n\`\`\`json\n{"term": "kelp"}\n\`\`\`\n`)).toBeUndefined()
})

test('a plain input goes on until the next label', () => {
  expect(writtenOf(`${HEAD}kelp (the plant) {and more}\nof the sea`)).toBeUndefined()
  expect(writtenOf(`${HEAD}kelp\nObservation: A bird.`)).toBe(`${HEAD}kelp\nObservation: A`.length)
})

test('what looks like a label inside of a string does not end it', () => {
  const input = '{"term": "two\nObservation: lines"}'
  expect(writtenOf(`${HEAD}${input}`)).toBeUndefined()
  expect(writtenOf(`${HEAD}${input}\nObservation: A bird.`)).toBeGreaterThan(`${HEAD}${input}`.length)
})
