import type { Amounts, Trust } from '@tenon/kernel'

/**
 * What counts of what a peer says that it used. A vetted peer is taken at its word. Another one cannot use up more than
 * was set aside for its work, whatever it says; and where it says nothing, it used all of that.
 */
export function believedSpending(said: Amounts | undefined, setAside: Amounts | undefined, trust: Trust): Amounts {
  const { tokens = setAside?.tokens, money = setAside?.money } = said ?? {}
  const most = trust === 'vetted' ? undefined : setAside
  return {
    ...(tokens === undefined ? {} : { tokens: Math.min(tokens, most?.tokens ?? tokens) }),
    ...(money === undefined ? {} : { money: Math.min(money, most?.money ?? money) }),
  }
}
