#!/usr/bin/env node
import { createRequire } from 'node:module'
import { guardOutputs } from '../cli/guard-outputs.js'
import { processIo } from '../cli/io.js'
import { runProgram } from '../cli/run-program.js'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
guardOutputs(process)
process.exitCode = await runProgram(process.argv.slice(2), processIo(), version)
