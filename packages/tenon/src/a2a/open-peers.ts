import { delegateTool, delegationTools, Peers, PushInbox, type ReadArtifact } from '@tenon/a2a'
import { ArtifactId, type Artifacts, type Engine, type Tool } from '@tenon/kernel'
import type { PeerSettings } from '../config/config-table.js'
import { ajvCompiler } from '../schema/ajv-compiler.js'
import { peerOfSettings } from './peer-of-settings.js'

/** The peers of a configuration, with the tool that gives work to them. */
export type OpenPeers = {
  readonly tools: readonly Tool[]
  /** From now on peers are told that they may knock at this address, without a slash at its end. */
  listen(url: string, key: Uint8Array): PushInbox
  close(): Promise<void>
}

export function openPeers(
  configured: Readonly<Record<string, PeerSettings>>,
  artifacts: Artifacts,
  engine: () => Engine,
): OpenPeers {
  const peers = new Peers(Object.entries(configured).map(([name, settings]) => peerOfSettings(name, settings)))
  return {
    tools: [
      delegateTool({ peers, compile: ajvCompiler, artifact: reader(artifacts), engine }),
      ...delegationTools({ peers, compile: ajvCompiler, engine }),
    ],
    listen(url, key) {
      peers.push = new PushInbox({ url, key, engine })
      return peers.push
    },
    close: () => peers.close(),
  }
}

const MOST_BYTES = 32 * 1024 * 1024

function reader(artifacts: Artifacts): ReadArtifact {
  return async (id) => {
    const artifactId = ArtifactId(id)
    const meta = await artifacts.meta(artifactId)
    if (meta === undefined) return undefined
    const bytes = await artifacts.read(artifactId, 0, Math.min(meta.bytes, MOST_BYTES))
    return { bytes, name: meta.name, mediaType: meta.mediaType }
  }
}
