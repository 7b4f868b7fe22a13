export type * from './content/block.js'
