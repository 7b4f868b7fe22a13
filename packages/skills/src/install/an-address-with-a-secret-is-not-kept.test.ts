import { expect, test } from 'vitest'
import { parseSource } from './install-source.js'

test.each([
  ['https://ghp_secret@example.com/team/skills.git', 'https://example.com/team/skills.git'],
  ['https://ada:ghp_secret@example.com/team/skills.git#main', 'https://example.com/team/skills.git'],
  ['ssh://ada:ghp_secret@example.com/team/skills.git', 'ssh://ada@example.com/team/skills.git'],
])('%s is refused, and the secret is not repeated', (address, shown) => {
  const refused = expect.objectContaining({ code: 'skill-source-unreadable', message: expect.stringContaining(shown) })
  expect(() => parseSource(address, '/')).toThrow(refused)
  expect(() => parseSource(address, '/')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('ghp') }),
  )
})

test.each(['git@example.com:team/skills.git', 'ssh://git@example.com/team/skills.git', 'https://example.com/a@b.git'])(
  '%s names nothing secret',
  (address) => expect(parseSource(address, '/')).toEqual({ kind: 'git', url: address }),
)
