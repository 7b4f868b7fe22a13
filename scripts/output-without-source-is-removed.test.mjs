import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweepOutputs } from './sweep-outputs.mjs'

test('a compiled file goes with its source, and nothing else goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-sweep-'))
  try {
    for (const path of ['src/kept', 'dist/kept', 'dist/bundle']) mkdirSync(join(folder, path), { recursive: true })
    const stay = ['src/kept/a.ts', 'dist/kept/a.js', 'dist/kept/a.d.ts', 'dist/bundle/tenon.js', 'dist/kept/data.json']
    stay.push('src/kept/b.cts', 'dist/kept/b.cjs', 'dist/kept/b.d.cts')
    const go = ['dist/kept/gone.js', 'dist/kept/gone.d.ts', 'dist/old.js', 'dist/kept/gone.cjs', 'dist/kept/b.js']
    for (const path of [...stay, ...go]) writeFileSync(join(folder, path), '')

    expect(sweepOutputs(folder).sort()).toEqual(go.map((path) => join(folder, path)).sort())
    for (const path of stay) expect(existsSync(join(folder, path)), path).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
