import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative, resolve } from 'node:path'
import { isTenonError } from '@tenon/kernel'
import { knownServerFiles, readServerFile } from '@tenon/mcp'
import { readTextFile } from '../../config/read-text-file.js'
import { projectOf } from '../../mcp/project-of.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

const MAX_FILE = 4 * 1024 * 1024

/** `tenon mcp import`: what other hosts have on this machine, and the lines that make it usable here. */
export async function importMcp(io: Io, named: readonly string[]): Promise<number> {
  const home = io.environment.HOME ?? homedir()
  const files =
    named.length > 0
      ? named.map((file) => ({ host: 'named', file: resolve(io.cwd, file) }))
      : knownServerFiles(io.cwd, home, io.environment).filter(({ file }) => existsSync(file))
  const usable: string[] = []
  for (const { host, file } of files)
    try {
      const variables = { env: io.environment, home, workspace: projectOf(file) }
      const { servers, problems } = readServerFile(readTextFile(file, MAX_FILE), file, variables)
      io.stderr.write(`${file} (${host})\n`)
      for (const { name, target } of servers)
        io.stderr.write(`  ${safeText(name)}: ${safeText(target.kind === 'stdio' ? target.command : target.url)}\n`)
      for (const problem of problems) io.stderr.write(`  left out: ${safeText(problem)}\n`)
      if (servers.length > 0) usable.push(file)
    } catch (error) {
      if (!isTenonError(error)) throw error
      io.stderr.write(`${safeText(error.message)}\n`)
    }
  if (usable.length === 0) {
    io.stderr.write('No servers of other hosts were found here. Name a file: tenon mcp import FILE\n')
    return EXIT.failed
  }
  io.stderr.write('Add this to tenon.yaml. Servers are programs: they run as you, with what they are given.\n')
  io.stdout.write(
    `mcp:\n  import:\n${usable.map((file) => `    - ${JSON.stringify(nearer(file, io.cwd))}\n`).join('')}`,
  )
  return EXIT.completed
}

function nearer(file: string, cwd: string): string {
  const near = relative(cwd, file)
  return near.startsWith('..') ? file : near
}
