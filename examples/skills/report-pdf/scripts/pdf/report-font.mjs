import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TrueTypeFont } from './true-type-font.mjs'

/** The folder of the skill: a sandbox says where it is, and elsewhere it is found from here. */
const skillFolder = () => process.env.SKILL_DIR ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The font that reports are set in: Latin, Greek, Cyrillic and the Chinese of GB 2312. */
export const reportFont = () => new TrueTypeFont(readFileSync(join(skillFolder(), 'assets', 'noto-sans-sc-gb2312.ttf')))
