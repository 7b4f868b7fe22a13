import { STORE_CASES } from '@tenon/kernel/testing'
import { describe, test } from 'vitest'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'

describe('every store', () => {
  test.each(STORE_CASES)('$name', ({ run }) => run(openForTest({ dir: temporaryFolder() })))
})
