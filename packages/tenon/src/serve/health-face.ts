import type { HttpFace } from './http-site.js'

/** `GET /healthz` for whoever supervises the process. It says that the server takes requests, and nothing else. */
export const healthFace: HttpFace = {
  addresses: [],
  async serve({ url, method }, response) {
    if (url?.split('?', 1)[0] !== '/healthz') return false
    if (method === 'GET' || method === 'HEAD')
      response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end('{"status":"ok"}')
    else response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return true
  },
  close: async () => undefined,
}
