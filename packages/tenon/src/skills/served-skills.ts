import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '@tenon/kernel'
import type { McpHost, UpstreamInfo } from '@tenon/mcp'
import { userDataFolder } from '@tenon/models'
import { fetchSkills, SKILLS_EXTENSION, type SkillRoot } from '@tenon/skills'
import type { Environment } from '../config/interpolate.js'

export type ServedSkills = { readonly roots: readonly SkillRoot[]; readonly problems: readonly string[] }

/** All files of all skills of a server must be here by then; what is not is left for the next start. */
const TIMEOUT_MS = 15_000

/** Brings the skills that MCP servers offer here, each file verified. A server that fails is a problem and no end. */
export async function servedSkills(host: McpHost, environment: Environment, folder: string): Promise<ServedSkills> {
  const offering = host.states.filter(({ info }) => offersSkills(info))
  const fetched = await Promise.all(offering.map(({ name }) => fromServer(host, name, environment, folder)))
  return { roots: fetched.flatMap(({ roots }) => roots), problems: fetched.flatMap(({ problems }) => problems) }
}

function offersSkills(info: UpstreamInfo | undefined): boolean {
  const extensions = info?.capabilities.extensions
  return isJsonObject(extensions) && isJsonObject(extensions[SKILLS_EXTENSION])
}

async function fromServer(
  host: McpHost,
  name: string,
  environment: Environment,
  folder: string,
): Promise<ServedSkills> {
  const into = folderOf(name, environment, folder)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const upstream = host.server(name)?.upstream
    if (upstream === undefined) throw new Error('the server is gone')
    return upstream.request(method, params, { signal, repeatable: true })
  }
  try {
    const { problems } = await fetchSkills({ name, request }, into)
    return { roots: [rootOf(name, into)], problems }
  } catch (error) {
    return {
      roots: [],
      problems: [`${name}: its skills cannot be listed: ${error instanceof Error ? error.message : ''}`],
    }
  }
}

/** What was brought here before, for those who look without asking the servers. */
export function servedBefore(names: readonly string[], environment: Environment, folder: string): readonly SkillRoot[] {
  return names.map((name) => rootOf(name, folderOf(name, environment, folder)))
}

const rootOf = (server: string, path: string): SkillRoot => ({ path, scope: 'served', server, trusted: true })

/** Servers of the same name in other configurations are other servers. */
function folderOf(name: string, environment: Environment, folder: string): string {
  const key = createHash('sha256').update(`${folder}\0${name}`).digest('hex').slice(0, 24)
  return join(userDataFolder(environment), 'skills', 'served', key)
}
