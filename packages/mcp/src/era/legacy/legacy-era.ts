import type { Era } from '../era.js'

/** Revisions with a handshake that we speak, newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

/** A connection of the handshake era, after `initialize`; before it no version is known. */
export function legacyEra(version: string | undefined): Era {
  // Revisions before 2025-06-18 do not know the header, and servers of then ignore it.
  const headers = version === undefined ? {} : { 'mcp-protocol-version': version }
  return {
    name: 'legacy',
    version: version ?? LEGACY_VERSIONS[0] ?? '',
    frame: (message) => ({ message, headers }),
    headers,
    check: () => undefined,
    cancelsByClosing: false,
    serverAsks: true,
  }
}
