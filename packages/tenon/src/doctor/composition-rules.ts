import type { Rule } from './rule.js'
import { agentLacksItsTools } from './rules/agent-lacks-its-tools.js'
import { catalogueOverBudget } from './rules/catalogue-over-budget.js'
import { delegationWithoutABudget } from './rules/delegation-without-a-budget.js'
import { deprecatedMcpFeature } from './rules/deprecated-mcp-feature.js'
import { modelDoesNotAnswer } from './rules/model-does-not-answer.js'
import { moneyWithoutPrices } from './rules/money-without-prices.js'
import { peerDoesNotAnswer } from './rules/peer-does-not-answer.js'
import { peerIsAFunction } from './rules/peer-is-a-function.js'
import { peerWithoutCredentials } from './rules/peer-without-credentials.js'
import { peerWithoutOwnLife } from './rules/peer-without-own-life.js'
import { scriptsWithoutASandbox } from './rules/scripts-without-a-sandbox.js'
import { serverDoesNotAnswer } from './rules/server-does-not-answer.js'
import { skillCannotBeUsed } from './rules/skill-cannot-be-used.js'
import { skillInAServer } from './rules/skill-in-a-server.js'
import { skillIsShadowed } from './rules/skill-is-shadowed.js'
import { skillNeedsMissingTools } from './rules/skill-needs-missing-tools.js'
import { toolSaysTooLittle } from './rules/tool-says-too-little.js'
import { toolsWithoutAMethod } from './rules/tools-without-a-method.js'

/** All rules of the composition check: first what does not work, then what stands on the wrong layer. */
export const COMPOSITION_RULES: readonly Rule[] = [
  modelDoesNotAnswer,
  serverDoesNotAnswer,
  peerDoesNotAnswer,
  skillCannotBeUsed,
  skillNeedsMissingTools,
  agentLacksItsTools,
  peerWithoutCredentials,
  scriptsWithoutASandbox,
  moneyWithoutPrices,
  skillInAServer,
  toolsWithoutAMethod,
  peerIsAFunction,
  peerWithoutOwnLife,
  toolSaysTooLittle,
  catalogueOverBudget,
  deprecatedMcpFeature,
  skillIsShadowed,
  delegationWithoutABudget,
]
