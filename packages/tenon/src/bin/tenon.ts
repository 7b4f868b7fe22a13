#!/usr/bin/env node
import { createRequire } from 'node:module'
import { processIo } from '../cli/io.js'
import { runProgram } from '../cli/run-program.js'

// A reader that has seen enough (`tenon runs | head`) closes the pipe: nothing is wrong then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
process.exitCode = await runProgram(process.argv.slice(2), processIo(), version)
