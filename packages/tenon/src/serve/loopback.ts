/** Names under which a server on this machine is called, as they stand in a URL. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether only this machine reaches an address that is listened on. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/** The name in a `Host` header, without port; undefined when it is none. */
export function hostNameOf(header: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(header)) return undefined
  try {
    return new URL(`http://${header}`).hostname || undefined
  } catch {
    return undefined
  }
}
