import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.js'
import { windowsCommand } from './windows-command.js'

test('keys, tokens and exported functions stay here; what is granted goes', () => {
  const own = { PATH: '/bin', HOME: '/h', OPENAI_API_KEY: 'sk-1', AWS_SECRET: 'x', SHELL: '() { evil; }' }
  expect(childEnvironment({ TOKEN: 't' }, own, 'linux')).toEqual({ PATH: '/bin', HOME: '/h', TOKEN: 't' })
})

test('on Windows names of variables are found in any case', () => {
  expect(childEnvironment({}, { Path: 'C:\\bin', SystemRoot: 'C:\\W', Secret: 's' }, 'win32')).toEqual({
    Path: 'C:\\bin',
    SystemRoot: 'C:\\W',
  })
})

test('on Windows a batch file goes through the shell with its arguments quoted, a program does not', () => {
  const env = { PATH: '', PATHEXT: '.EXE;.CMD', COMSPEC: 'C:\\cmd.exe' }
  const exists = (path: string): boolean => path === 'tools\\npx.cmd' || path === 'tools\\node.exe'
  const batch = windowsCommand('tools\\npx', ['-y', 'a b', 'x"&calc'], env, exists)
  expect(batch.file).toBe('C:\\cmd.exe')
  expect(batch.verbatim).toBe(true)
  expect(batch.args.slice(0, 3)).toEqual(['/d', '/s', '/c'])
  // Nothing that the shell acts on stands there unescaped.
  expect(batch.args[3]).not.toMatch(/(?<!\^)&/)
  expect(windowsCommand('tools\\node', ['a b'], env, exists)).toEqual({
    file: 'tools\\node.exe',
    args: ['a b'],
    verbatim: false,
  })
})
