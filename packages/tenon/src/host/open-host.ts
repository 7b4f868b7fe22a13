import { agentsMd } from '../instructions/agents-md.js'
import type { Host } from './host.js'
import type { HostOptions } from './host-options.js'
import { KnownSecrets } from './known-secrets.js'
import { configOfAgent, unknownAgent, usualAgent } from './named-agent.js'
import { secretsOfConfig } from './secrets-of-config.js'
import { startServers } from './start-servers.js'
import { wantedOf } from './wanted-model.js'
import { workingFolder, workspaceFolder } from './workspace-folder.js'

/** @throws KernelError `agent-unknown`; HostError when the workspace or the configuration cannot be used */
export async function openHost(options: HostOptions): Promise<Host> {
  const { loaded, environment, choosing } = options
  const { config } = loaded
  const name = choosing.agent ?? usualAgent(config)
  if (configOfAgent(config, name) === undefined) throw unknownAgent(name, config)

  // Throws where there is no such model.
  wantedOf(options, name, name)
  const workspace = workspaceFolder(choosing.workspace, loaded, options.cwd)
  const instructions = await agentsMd(workingFolder(options.cwd, workspace))
  const secrets = new KnownSecrets(secretsOfConfig(config, environment))
  // Before everything that takes time, the loading of most of this program with it: a server is a process, and most of a
  // start is waiting for the slowest.
  const mcp = await startServers(options, workspace, secrets, async () => (await models).open(name).model)
  const models = import('./agent-models.js').then(({ AgentModels }) =>
    AgentModels.probe(options, name, options.everything),
  )
  models.catch(() => {})
  try {
    const { besideServers } = await import('./beside-servers.js')
    return await besideServers(mcp, { options, name, workspace, instructions, secrets, models })
  } catch (error) {
    await mcp?.host.close()
    throw error
  }
}
