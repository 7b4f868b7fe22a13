import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { HostError } from '../errors.js'
import type { KnownNames } from './check-references.js'
import { issueLine } from './config-issue.js'
import type { McpConfig, McpServerSettings, TenonConfig } from './config-table.js'
import { CONFIG_NAME, findConfig, userConfigFile } from './find-config.js'
import type { Environment } from './interpolate.js'
import { mergeConfig } from './merge-config.js'
import { parseConfig } from './parse-config.js'
import { readTextFile } from './read-text-file.js'

export const MAX_CONFIG_BYTES = 1024 * 1024

export type LoadedConfig = {
  readonly config: TenonConfig
  /** The project's file, if there is one. */
  readonly file: string | undefined
  /** What paths in the configuration are relative to: the file's folder, else the working folder. */
  readonly folder: string
  /** Files that were read, weakest first. */
  readonly read: readonly string[]
}

export type ConfigSource = {
  readonly cwd: string
  /** Named by the user; must exist. */
  readonly file?: string
  readonly environment: Environment
  readonly known: KnownNames
}

/**
 * The configuration that holds in a folder: the nearest `tenon.yaml` over the user's defaults.
 * @throws HostError `config-invalid` that lists every issue with its place; `file-unreadable`, `file-too-large`, `file-not-text`
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const file = source.file === undefined ? findConfig(source.cwd) : resolve(source.cwd, source.file)
  const user = userConfigFile(source.environment)
  const read: string[] = []
  let config: TenonConfig = {}
  if (existsSync(user) && user !== file) {
    config = absolute(readConfig(user, user, source), dirname(user))
    read.push(user)
  }
  const folder = file === undefined ? source.cwd : dirname(file)
  if (file !== undefined) {
    config = mergeConfig(config, absolute(readConfig(file, shortName(file, source.cwd), source), folder))
    read.push(file)
  }
  return { config, file, folder, read }
}

function readConfig(file: string, name: string, source: ConfigSource): TenonConfig {
  const parsed = parseConfig(readTextFile(file, MAX_CONFIG_BYTES), name, source.environment, source.known)
  if (parsed.ok) return parsed.config
  const lines = parsed.issues.map(issueLine)
  throw new HostError('config-invalid', lines.join('\n'), {
    detail: parsed.issues.map(({ place, key, problem, fix }) => ({ ...place, key, problem, fix: fix ?? null })),
  })
}

/** Paths are relative to the file that they stand in, so they are settled before files are merged. */
function absolute(config: TenonConfig, folder: string): TenonConfig {
  const { store, tools, models, mcp } = config
  return {
    ...config,
    ...(store?.dir === undefined ? {} : { store: { ...store, dir: resolve(folder, store.dir) } }),
    ...(tools?.workspace === undefined ? {} : { tools: { ...tools, workspace: resolve(folder, tools.workspace) } }),
    ...(mcp === undefined ? {} : { mcp: absoluteMcp(mcp, folder) }),
    ...(models === undefined
      ? {}
      : {
          models: Object.fromEntries(
            Object.entries(models).map(([name, model]) => [
              name,
              model.file === undefined ? model : { ...model, file: resolve(folder, model.file) },
            ]),
          ),
        }),
  }
}

type OAuthSettings = NonNullable<McpServerSettings['oauth']>

function absoluteOAuth(oauth: OAuthSettings, folder: string): OAuthSettings {
  const { assertionFile } = oauth
  return assertionFile === undefined ? oauth : { ...oauth, assertionFile: resolve(folder, assertionFile) }
}

function absoluteMcp(mcp: McpConfig, folder: string): McpConfig {
  const servers = Object.entries(mcp.servers ?? {}).map(([name, { oauth, ...server }]) => [
    name,
    {
      ...server,
      ...(server.command === undefined ? {} : { cwd: resolve(folder, server.cwd ?? '.') }),
      ...(oauth === undefined ? {} : { oauth: absoluteOAuth(oauth, folder) }),
    },
  ])
  return {
    ...mcp,
    servers: Object.fromEntries(servers),
    ...(mcp.import === undefined ? {} : { import: mcp.import.map((file) => resolve(folder, file)) }),
  }
}

function shortName(file: string, cwd: string): string {
  const near = relative(cwd, file)
  return near === '' || near.startsWith('..') ? (near.endsWith(CONFIG_NAME) && near.length < 40 ? near : file) : near
}
