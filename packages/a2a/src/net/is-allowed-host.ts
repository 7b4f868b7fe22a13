/** Hosts that may be reached although they are not public: `localhost`, `127.0.0.1:8080`, `agents.internal`. */
export type AllowedHosts = readonly string[]

/** An entry with a port allows that port alone. */
export function isAllowedHost(url: URL, allowed: AllowedHosts): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return allowed.some((entry) => {
    const wanted = entry.toLowerCase()
    return wanted === url.hostname || wanted === `${url.hostname}:${port}`
  })
}
