/** Weights that can be asked for by a short name. */
export type KnownWeights = {
  readonly name: string
  readonly title: string
  readonly repository: string
  /** Commit of the repository: the file under it never changes. */
  readonly revision: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Good defaults for this machine: small enough for a laptop, large enough to choose tools. Both Apache-2.0. */
export const KNOWN_WEIGHTS: readonly KnownWeights[] = [
  {
    name: 'qwen3-4b',
    title: 'Qwen3 4B Instruct 2507, Q4_K_M',
    repository: 'unsloth/Qwen3-4B-Instruct-2507-GGUF',
    revision: 'a06e946bb6b655725eafa393f4a9745d460374c9',
    file: 'Qwen3-4B-Instruct-2507-Q4_K_M.gguf',
    bytes: 2_497_281_120,
    sha256: '3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597',
  },
  {
    name: 'qwen3-1.7b',
    title: 'Qwen3 1.7B, Q4_K_M',
    repository: 'unsloth/Qwen3-1.7B-GGUF',
    revision: 'd7f544eead698dbd1f15126ef60b45a1e1933222',
    file: 'Qwen3-1.7B-Q4_K_M.gguf',
    bytes: 1_107_409_472,
    sha256: 'b139949c5bd74937ad8ed8c8cf3d9ffb1e99c866c823204dc42c0d91fa181897',
  },
]

export function knownWeights(name: string): KnownWeights | undefined {
  return KNOWN_WEIGHTS.find((known) => known.name === name.toLowerCase())
}

/** Where the file stands: on the hub, or on the mirror that `HF_ENDPOINT` names, as the hub's own tools take it. */
export function weightsUrl(known: KnownWeights, env: Readonly<Record<string, string | undefined>>): string {
  const hub = env.HF_ENDPOINT || 'https://huggingface.co'
  return `${hub.replace(/\/+$/, '')}/${known.repository}/resolve/${known.revision}/${known.file}`
}
