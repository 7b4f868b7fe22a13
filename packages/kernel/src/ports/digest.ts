/** A collision-resistant digest of a text as `sha256:` and lower-case hex. */
export type Digest = (text: string) => string
