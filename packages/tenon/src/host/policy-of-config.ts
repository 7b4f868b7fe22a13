import type { Policy, PolicyRule } from '@tenon/kernel'
import type { PolicyConfig } from '../config/config-table.js'

/** A policy as the kernel reads it. The agent's rules stand before the general ones; any deny of either wins. */
export function policyOfConfig(
  general: PolicyConfig | undefined,
  own: PolicyConfig | undefined,
  servers: readonly PolicyRule[] = [],
): Policy {
  const otherwise = own?.otherwise ?? general?.otherwise
  return {
    rules: [...[...(own?.rules ?? []), ...(general?.rules ?? [])].map(rule), ...servers],
    ...(otherwise === undefined ? {} : { otherwise }),
  }
}

function rule(config: NonNullable<PolicyConfig['rules']>[number]): PolicyRule {
  const { allow, ask, deny, args, effect, origin, outward, trustAtMost, reason } = config
  const [disposition, tool] =
    allow !== undefined
      ? (['allow', allow] as const)
      : deny !== undefined
        ? (['deny', deny] as const)
        : (['ask', ask ?? '*'] as const)
  return {
    disposition,
    tool,
    ...(args === undefined ? {} : { args }),
    ...(effect === undefined ? {} : { effect }),
    ...(origin === undefined ? {} : { origin }),
    ...(outward === undefined ? {} : { outward }),
    ...(trustAtMost === undefined ? {} : { trustAtMost }),
    ...(reason === undefined ? {} : { reason }),
  }
}
