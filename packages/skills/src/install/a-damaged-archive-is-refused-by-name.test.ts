import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { needsProgram } from '../../../../test-support/needs.js'
import { randomFrom } from '../../test/support/mutate.js'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { ArchiveRefusal } from './archive-entry.js'
import { checkEntries } from './check-entries.js'
import { readArchive } from './read-archive.js'

/** A zip of one file, written by the book. */
function zipOf(name: string, content: string): Buffer {
  const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
  const packed = deflateRawSync(bytes)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(bytes.length, 18)
  common.writeUInt16LE(path.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, packed])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), path])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

/** Reads everything; what is refused is a reason. */
function readWhole(archive: Buffer): string {
  try {
    const entries = readArchive(archive)
    checkEntries(entries)
    for (const entry of entries) entry.bytes()
    return 'read'
  } catch (error) {
    if (error instanceof ArchiveRefusal) return error.reason
    throw error
  }
}

function damage(archive: Buffer, random: () => number): Buffer {
  const damaged = Buffer.from(archive)
  for (let times = 1 + Math.floor(random() * 6); times > 0; times--)
    damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256)
  return random() < 0.3 ? damaged.subarray(0, Math.floor(random() * damaged.length)) : damaged
}

test('a zip in which bytes are wrong or missing is read or refused by name, and never anything else', () => {
  const good = zipOf('review/SKILL.md', skillFile('review'))
  expect(readWhole(good)).toBe('read')
  const random = randomFrom(11)
  const reasons = new Set<string>()
  for (let index = 0; index < 3_000; index++) reasons.add(readWhole(damage(good, random)))
  expect(reasons).toContain('archive-broken')
})

test('a zip whose two names of an entry differ is refused', () => {
  const good = zipOf('review/SKILL.md', skillFile('review'))
  const renamed = Buffer.from(good)
  renamed.write('review/other.md', good.indexOf('review/SKILL.md'))
  expect(readWhole(renamed)).toBe('archive-broken')
})

needsProgram('tar')

test('a tar is read with its long names, and the same holds for one that is damaged', () => {
  const long = `review/${'deep-folder/'.repeat(20)}file.md`
  const folder = folderOf({ 'review/SKILL.md': skillFile('review'), [long]: 'x' })
  for (const format of ['gnu', 'pax']) {
    const file = join(folder, `${format}.tar.gz`)
    execFileSync('tar', ['-czf', file, `--format=${format}`, '-C', folder, 'review'])
    const good = readFileSync(file)
    expect(readArchive(good).map(({ name }) => name)).toContain(long)
    const plain = gunzipSync(good)
    const random = randomFrom(13)
    const reasons = new Set<string>()
    for (let index = 0; index < 500; index++) {
      reasons.add(readWhole(damage(plain, random)))
      reasons.add(readWhole(gzipSync(damage(plain, random))))
    }
    expect(reasons).toContain('archive-broken')
  }
})
