import * as fs from './fs.js'

/** What scripts use of `node:fs/promises`. Nothing else could go on meanwhile, so each is done at once. */
const later =
  <A extends readonly unknown[], R>(work: (...args: A) => R) =>
  async (...args: A): Promise<R> =>
    work(...args)

export const readFile = later(fs.readFileSync)
export const writeFile = later(fs.writeFileSync)
export const appendFile = later(fs.appendFileSync)
export const copyFile = later(fs.copyFileSync)
export const stat = later(fs.statSync)
export const lstat = later(fs.lstatSync)
export const readdir = later(fs.readdirSync)
export const mkdir = later(fs.mkdirSync)
export const rm = later(fs.rmSync)
export const unlink = later(fs.unlinkSync)
