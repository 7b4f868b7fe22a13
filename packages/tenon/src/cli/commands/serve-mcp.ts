import { offerSkills } from '@tenon/skills'
import { openHost } from '../../host/open-host.js'
import { AgentService } from '../../mcp/agent-service.js'
import { withSkills } from '../../skills/skill-service.js'
import { TENON_VERSION } from '../../version.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { type ListenOptions, listenMcp } from '../listen-mcp.js'
import { openRuns } from '../open-runs.js'
import { tellStart } from '../tell-start.js'

export type ServeMcpOptions = CommonOptions &
  ListenOptions & {
    readonly agent?: readonly string[]
    readonly model?: string
    readonly rehearsal?: string
    readonly workspace?: string
    readonly tools: boolean
  }

/** `tenon mcp serve` */
export async function serveMcp(io: Io, options: ServeMcpOptions): Promise<number> {
  const { agent: wanted, model, rehearsal, workspace } = options
  const choosing = {
    ...(wanted?.[0] === undefined ? {} : { agent: wanted[0] }),
    ...(model === undefined ? {} : { model }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
    ...(workspace === undefined ? {} : { workspace }),
  }
  const host = await openHost({
    ...openRuns(io, options),
    environment: io.environment,
    cwd: io.cwd,
    choosing,
    followSkills: true,
  })
  tellStart(host, io, choosing)
  const names = wanted ?? [...new Set([host.agent.name, ...Object.keys(host.config.agents ?? {})])]
  const agents = names.map((name) => host.agentNamed(name))
  const service = new AgentService({
    engine: host.engine,
    agents: () => agents,
    toolsOf: options.tools ? host.agent : undefined,
    summary: (runId) => host.store.runs.get(runId),
    metadataOf: host.metadataOf,
    // Here the client works for whoever runs this.
    whyNot: ({ error }) => error?.message,
    serverInfo: { name: 'tenon', version: TENON_VERSION },
  })
  const stop = host.mcp?.onChange(() => service.toolsChanged())
  try {
    const { skills } = host
    const offered =
      skills === undefined
        ? service
        : withSkills(
            service,
            offerSkills(() => skills.current()),
          )
    await listenMcp(io, offered, options)
    return EXIT.completed
  } finally {
    stop?.()
    await host.close()
  }
}
