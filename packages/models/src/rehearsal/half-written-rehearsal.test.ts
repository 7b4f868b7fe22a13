import { expect, test } from 'vitest'
import { ModelsError } from '../errors.js'
import { readRehearsal } from './read-rehearsal.js'

function problemOf(source: string): string {
  try {
    readRehearsal(source, 'demo.yaml')
  } catch (error) {
    if (error instanceof ModelsError && error.code === 'rehearsal-invalid') return error.message
    throw error
  }
  return ''
}

const scene = (rest: string): string => `rehearsal: demo\nscenes:\n  - name: one\n${rest}`

test('a file that stops in the middle of a scene names the line and says so', () => {
  expect(problemOf(scene('    when: { turns: 0 }\n'))).toMatch(/demo\.yaml:3:\d+: .*"one" says nothing.*half-written/s)
})

test('a file that stops inside a quoted text names the place', () => {
  expect(problemOf(scene('    say: { text: "Hello'))).toMatch(/demo\.yaml:4:\d+: not YAML or JSON.*half-written/s)
})

test('cut JSON is told like cut YAML', () => {
  expect(problemOf('{"rehearsal": "demo", "scenes": [{"name": "one", ')).toMatch(/demo\.yaml:1:\d+: not YAML or JSON/)
})

test('an unknown key is shown with the known ones', () => {
  expect(problemOf(scene('    says: { text: hi }\n    say: { text: hi }\n'))).toContain(
    'demo.yaml:4:5: no such key "says": known are name, when, say, pace',
  )
})

test('a value that nothing takes is found before the run does', () => {
  expect(problemOf(scene('    say: { text: "It is {{sum}}." }\n'))).toContain('nothing takes a value for {{sum}}')
})

test('a bad expression, a bad pointer and a bad count are told together', () => {
  const message = problemOf(
    scene(
      '    when:\n      turns: -1\n      user: { matches: "(" }\n      seen: [{ take: { a: b } }]\n    say: { text: hi }\n',
    ),
  )
  expect(message).toContain('demo.yaml:5:7: `turns`')
  expect(message).toContain('demo.yaml:6:15: not a regular expression')
  expect(message).toContain('demo.yaml:7:24: a JSON pointer')
})

test('a price that is missing is asked for', () => {
  expect(problemOf('rehearsal: demo\nprices: { input: 3 }\nscenes: []\n')).toContain(
    'demo.yaml:2:1: `prices` needs output',
  )
})

test('an empty file asks for what must stand in it', () => {
  expect(problemOf('')).toContain('demo.yaml:1:1')
})

test('JSON is read as well', () => {
  const json = '{"rehearsal":"demo","scenes":[{"name":"one","say":{"text":"hi"}}]}'
  expect(readRehearsal(json, 'demo.json').scenes[0]?.say.text).toBe('hi')
})
