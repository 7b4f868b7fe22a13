import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject, Model } from '@tenon/kernel'
import { McpHost, memoryPins } from '@tenon/mcp'
import { userDataFolder } from '@tenon/models'
import type { McpConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import type { KnownSecrets } from '../host/known-secrets.js'
import { ajvCompiler } from '../schema/ajv-compiler.js'
import { TENON_VERSION } from '../version.js'
import { pinFile } from './pin-file.js'
import { sampleWithModel } from './sample-with-model.js'
import { serversOfConfig } from './servers-of-config.js'

export type McpOptions = {
  readonly config: McpConfig
  readonly environment: Environment
  /** The folder of the configuration: servers of the same name elsewhere are others. */
  readonly folder: string
  readonly workspace: string
  /** Answers servers that want to use a model; asked for when one does. */
  readonly model: () => Promise<Model>
  /** Those of the configuration; those of imported files and of sign-ins are learned. */
  readonly secrets: KnownSecrets
  readonly onLog?: (server: string, line: string) => void
}

export type OpenMcp = {
  readonly host: McpHost
  readonly problems: readonly string[]
}

const DECLARED: JsonObject = {
  elicitation: { form: {}, url: {} },
  roots: {},
  extensions: { 'io.modelcontextprotocol/tasks': {}, 'io.modelcontextprotocol/skills': {} },
}

/** Starts the servers of a configuration. Nothing here waits for them. */
export function openMcp({ config, environment, folder, workspace, model, secrets, onLog }: McpOptions): OpenMcp {
  const { servers, problems } = serversOfConfig(config, environment, secrets)
  const pins =
    config.pin === 'off' ? memoryPins() : pinFile(join(userDataFolder(environment), 'mcp', 'pins.json'), folder)
  const host = new McpHost({
    servers,
    compile: ajvCompiler,
    clientInfo: { name: 'tenon', version: TENON_VERSION },
    pins,
    pinAtFirstSight: config.pin !== 'off',
    capabilities: config.sampling ? { ...DECLARED, sampling: {} } : DECLARED,
    automatic: {
      roots: [{ uri: pathToFileURL(workspace).href, name: 'workspace' }],
      ...(config.sampling
        ? {
            sample: async (params: JsonObject, signal: AbortSignal) => sampleWithModel(await model(), params, signal),
          }
        : {}),
    },
    redact: secrets.redact,
    ...(onLog === undefined
      ? {}
      : {
          onLog,
          onDiagnostic: ({ server, code, detail }) => onLog(server, detail === undefined ? code : `${code}: ${detail}`),
        }),
    ...(config.toolTokens === undefined ? {} : { toolBudget: config.toolTokens }),
  })
  host.start()
  return { host, problems }
}
