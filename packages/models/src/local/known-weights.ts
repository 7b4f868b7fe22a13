/** Weights that can be asked for by a short name. */
export type KnownWeights = {
  readonly name: string
  readonly title: string
  readonly url: string
  /** Bytes, about: shown before the hub is asked. */
  readonly about: number
}

const HUB = 'https://huggingface.co'

/**
 * Good defaults for this machine. Their digests are the hub's own: it declares one for each large file, which is
 * compared after the download and recorded.
 */
export const KNOWN_WEIGHTS: readonly KnownWeights[] = [
  {
    name: 'qwen3-4b',
    title: 'Qwen3 4B Instruct 2507, Q4_K_M',
    url: `${HUB}/unsloth/Qwen3-4B-Instruct-2507-GGUF/resolve/main/Qwen3-4B-Instruct-2507-Q4_K_M.gguf`,
    about: 2_500_000_000,
  },
  {
    name: 'qwen3-1.7b',
    title: 'Qwen3 1.7B, Q4_K_M',
    url: `${HUB}/unsloth/Qwen3-1.7B-GGUF/resolve/main/Qwen3-1.7B-Q4_K_M.gguf`,
    about: 1_110_000_000,
  },
]

export function knownWeights(name: string): KnownWeights | undefined {
  return KNOWN_WEIGHTS.find((known) => known.name === name.toLowerCase())
}
