import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_OVERHEAD, SANDBOX_LIMITS, V8_OVERHEAD } from '../sandbox/limits.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { stageFolder } from '../sandbox/stage-folder.js'
import { type Attack, attackProgram } from './attack.js'
import { layTargets, type Targets } from './targets.js'

export type AttackOutcome = {
  readonly attack: Attack
  readonly blocked: boolean
  /** What the attacker saw, for a person who wonders. */
  readonly said: string
}

const PYTHON = (body: string): string => `
import ctypes, json, os, resource, signal, socket, sys, time
T = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    args = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = libc.syscall(ctypes.c_long(number), *args)
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def ctypes_mount(path):
    if libc.mount(b'none', path.encode(), b'tmpfs', 0, None) != 0: raise OSError(ctypes.get_errno(), 'mount')
def attack():
${body.trim().replace(/^/gm, '    ')}
try: print('OUT' if attack() else 'no')
except BaseException as error: print('no:', type(error).__name__, error)
`

const JAVASCRIPT = (body: string): string => `
import fs from 'node:fs'
const T = JSON.parse(process.argv[2])
const attack = async () => { ${body} }
try { console.log(await attack() ? 'OUT' : 'no') } catch (error) { console.log('no: ' + error) }
`

/** Milliseconds that an attack is given. Those that only wait to be stopped get less. */
const WALL_MS = 15_000
const SHORT_MS = 1_500

/**
 * Tries every attack in a sandbox that its programs have a way to try, one after the other, each in a job and against
 * targets of its own.
 */
export async function runAttacks(sandbox: Sandbox, attacks: readonly Attack[]): Promise<readonly AttackOutcome[]> {
  const outcomes: AttackOutcome[] = []
  for (const attack of attacks) {
    if (attackProgram(attack, sandbox.runs) === undefined) continue
    const targets = await layTargets()
    try {
      outcomes.push(await runAttack(sandbox, attack, targets))
    } finally {
      await targets.close()
    }
  }
  return outcomes
}

async function runAttack(sandbox: Sandbox, attack: Attack, targets: Targets): Promise<AttackOutcome> {
  const stage = stageFolder('work', 'skill')
  const [work, skill] = [stage.at('work'), stage.at('skill')]
  try {
    const { language, body } = attackProgram(attack, sandbox.runs) ?? { language: 'python', body: '' }
    const isPython = language === 'python'
    const file = isPython ? 'attack.py' : 'attack.mjs'
    writeFileSync(join(skill, file), isPython ? PYTHON(body) : JAVASCRIPT(body))
    const interpreter = isPython ? (['python3', '-I'] as const) : ([process.execPath] as const)
    const result = await sandbox.run({
      folders: {
        work: { path: work, access: 'write', staged: true },
        skill: { path: skill, access: 'read', staged: true },
        ...(isPython ? {} : { node: { path: process.execPath, access: 'read', keepPath: true } }),
      },
      home: 'work',
      launch: (at) => ({
        command: [...interpreter, `${at('skill')}/${file}`, JSON.stringify({ ...targets, skill: at('skill') })],
        cwd: at('work'),
      }),
      limits: {
        ...SANDBOX_LIMITS,
        overhead: isPython ? NO_OVERHEAD : V8_OVERHEAD,
        wallMs: attack.name.startsWith('outlive') ? SHORT_MS : WALL_MS,
        outputMost: 8 * 1024 * 1024,
      },
    })
    const worked = attack.worked?.(targets, result, work) ?? result.stdout.text.trimEnd().endsWith('OUT')
    const said = result.stdout.text.slice(0, 200).trim() || result.stderr.text.slice(-200).trim() || result.end
    return { attack, blocked: !worked, said }
  } finally {
    stage.remove()
  }
}
