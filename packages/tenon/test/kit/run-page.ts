import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { needs } from '../../../../test-support/needs.js'
import { COMMAND, type Place, place } from '../tenon-process.js'

/** One fenced block of a page: its language, the file that it is, if any, and its text. */
export type PageBlock = { readonly language: string; readonly file: string | undefined; readonly text: string }

needs('a POSIX shell', () => existsSync('/bin/sh'))

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

export const blocksOf = (text: string): readonly PageBlock[] =>
  [...text.matchAll(/^```(\w+)(?:[ \t]+(\S+))?\n([\s\S]*?)^```$/gm)].map(([, language = '', file, block = '']) => ({
    language,
    file,
    text: block,
  }))

/**
 * Follows a page from top to bottom as a reader would, in an empty folder: a block with a file name becomes that file,
 * of a `console` block each `$` line is run and must print what stands below it. `…` stands for anything within a line,
 * and alone on a line for any number of lines.
 * @returns what did not come out as the page says, empty if all did
 */
export async function followPage(page: string): Promise<readonly string[]> {
  const here = place()
  symlinkSync(join(ROOT, 'node_modules'), join(here.folder, 'node_modules'), 'junction')
  const wrong: string[] = []
  for (const { language, file, text } of blocksOf(pageText(page))) {
    if (file !== undefined) {
      mkdirSync(dirname(join(here.folder, file)), { recursive: true })
      writeFileSync(join(here.folder, file), text)
    } else if (language === 'console')
      for (const { command, printed } of stepsOf(text)) {
        const said = await shell(here, command)
        if (!patternOf(printed).test(said)) wrong.push(`${page}: $ ${command}\n${said}`)
      }
  }
  return wrong
}

function stepsOf(text: string): readonly { readonly command: string; readonly printed: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n')
      return { command: step.slice(0, end), printed: step.slice(end + 1).trim() }
    })
}

function patternOf(printed: string): RegExp {
  const lines = printed
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:[^\\n]*\\n)*?'
        : `${line.trimEnd().split('…').map(literally).join('[^\\n]*')}[ \\t]*\\n`,
    )
  return new RegExp(`^\\s*${lines.join('')}\\s*$`)
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Both streams in the order in which they were written. */
async function shell({ folder, environment }: Place, command: string): Promise<string> {
  const bin = join(folder, '..', 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'tenon'), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`)
  chmodSync(join(bin, 'tenon'), 0o755)
  const log = join(folder, '..', 'said')
  const out = openSync(log, 'w')
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...environment, PATH: `${bin}:${dirname(process.execPath)}:${environment.PATH}` },
    stdio: ['ignore', out, out],
  })
  await new Promise((closed) => child.on('close', closed))
  closeSync(out)
  return `${readFileSync(log, 'utf8').trimEnd()}\n`
}
