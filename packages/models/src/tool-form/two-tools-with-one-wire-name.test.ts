import { expect, test } from 'vitest'
import { wireNames } from './wire-names.js'

const legal = /^[a-zA-Z0-9_-]{1,64}$/

test('a name that every provider takes is sent as it is', () => {
  const names = wireNames(['read_file', 'list-jobs'])
  expect(names.toWire('read_file')).toBe('read_file')
  expect(names.fromWire('list-jobs')).toBe('list-jobs')
})

test('a dotted name gets underscores and comes back', () => {
  const names = wireNames(['files.search', 'files.read'])
  expect(names.toWire('files.search')).toBe('files_search')
  expect(names.fromWire('files_search')).toBe('files.search')
})

test('names that would be written alike stay apart, whatever their order', () => {
  const list = ['a.b', 'a/b', 'a_b', 'a:b']
  const names = wireNames(list)
  const turned = wireNames([...list].reverse())
  expect(new Set(list.map(names.toWire)).size).toBe(4)
  for (const name of list) {
    expect(names.toWire(name)).toMatch(legal)
    expect(names.fromWire(names.toWire(name))).toBe(name)
    expect(turned.toWire(name)).toBe(names.toWire(name))
  }
  expect(names.toWire('a_b')).toBe('a_b')
})

test('long, empty and foreign names become legal and reversible', () => {
  const list = ['x'.repeat(200), `${'x'.repeat(199)}y`, '', '天气', '查询', '😀.😀']
  const names = wireNames(list)
  for (const name of list) {
    expect(names.toWire(name)).toMatch(legal)
    expect(names.fromWire(names.toWire(name))).toBe(name)
  }
})

test('a tool that is gone still has a name for the calls in the history, and takes nobody else’s', () => {
  const names = wireNames(['files.search'])
  expect(names.toWire('files_search')).toMatch(legal)
  expect(names.toWire('files_search')).not.toBe(names.toWire('files.search'))
  expect(names.toWire('old.tool')).toMatch(legal)
  expect(names.fromWire('unknown')).toBeUndefined()
})
