import type { JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { type McpService, rpcError, type ServedCall, type ServiceInfo } from '@tenon/mcp'
import { SKILLS_EXTENSION, type SkillOffer } from '@tenon/skills'

const INVALID_PARAMS = -32_602

/** A service that offers skills as well (SEP-2640): listed by `skills/list`, read by `resources/read`. */
export function withSkills(service: McpService, offer: SkillOffer): McpService {
  const info = async (caller: ServedCall['caller']): Promise<ServiceInfo> => {
    const own = await service.info(caller)
    const { extensions, resources } = own.capabilities
    return {
      ...own,
      capabilities: {
        ...own.capabilities,
        resources: isJsonObject(resources) ? resources : {},
        extensions: { ...(isJsonObject(extensions) ? extensions : {}), [SKILLS_EXTENSION]: {} },
      },
    }
  }
  const request = async (call: ServedCall): Promise<JsonObject> => {
    const uri = String(call.params.uri)
    if (call.method === 'skills/list') return offer.list()
    if (call.method === 'skills/get') return offer.get(uri) ?? missing(uri)
    if (call.method === 'resources/read' && uri.startsWith('skill://')) return offer.read(uri) ?? missing(uri)
    if (call.method === 'resources/list' && !(await hasResources(service, call))) return { resources: [] }
    return service.request(call)
  }
  return {
    info,
    request,
    follow: service.follow.bind(service),
    ...(service.toolSchema === undefined ? {} : { toolSchema: service.toolSchema.bind(service) }),
    ...(service.notified === undefined ? {} : { notified: service.notified.bind(service) }),
    ...(service.levelChosen === undefined ? {} : { levelChosen: service.levelChosen.bind(service) }),
    ...(service.ended === undefined ? {} : { ended: service.ended.bind(service) }),
  }
}

async function hasResources(service: McpService, { caller }: ServedCall): Promise<boolean> {
  return isJsonObject((await service.info(caller)).capabilities.resources)
}

function missing(uri: string): never {
  throw rpcError(INVALID_PARAMS, `There is no skill file ${uri}.`)
}
