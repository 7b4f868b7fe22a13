import type { PushInbox } from '@tenon/a2a'
import type { HttpFace } from './http-site.js'

export const PUSH_PATH = '/push/a2a'
const PATH = /^\/push\/a2a\/([^/]{1,200})\/([^/]{1,200})$/

/** Where peers tell that a task moved on. What they post is not read: the task is looked at. */
export function pushFace(inbox: PushInbox): HttpFace {
  return {
    addresses: [],
    async serve(request, response) {
      const [, run, call] = PATH.exec(request.url ?? '') ?? []
      if (request.method !== 'POST' || run === undefined || call === undefined) return false
      request.resume()
      const token = request.headers['x-a2a-notification-token']
      const known = await inbox.receive(decoded(run), decoded(call), typeof token === 'string' ? token : undefined)
      response.writeHead(known ? 204 : 401).end()
      return true
    },
    close: async () => undefined,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
