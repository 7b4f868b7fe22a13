import { readFileSync } from 'node:fs'

const words = readFileSync(0, 'utf8').split(/\s+/)
console.log(words.filter((word) => word !== '').length)
