/** `strong`: files, network, environment and other processes are closed. `weak`: something of that is open. */
export type Strength = 'strong' | 'weak' | 'none'

/** What was closed, and by what. Each word is what the probe or the started job really had. */
export type Isolation = {
  readonly backend: string
  readonly strength: Strength
  /** `hidden`: only what was granted exists. `refused`: names can be seen, contents cannot. `open`: as the user. */
  readonly files: 'hidden' | 'refused' | 'open'
  readonly network: 'none' | 'allow-list' | 'open'
  readonly environment: 'own' | 'host'
  /** `hidden`: others do not exist. `refused`: others can be neither signalled nor looked into. */
  readonly processes: 'hidden' | 'refused' | 'open'
  readonly user: 'unprivileged' | 'the host user' | 'root'
  readonly limits: {
    /** Bytes of memory: for the whole job, or for each of its processes. */
    readonly memory: 'whole job' | 'each process' | 'none'
    readonly processes: 'whole job' | 'whole user' | 'none'
    readonly cpu: 'each process' | 'none'
    readonly fileSize: 'each file' | 'none'
    /** Watched: looked at several times a second. */
    readonly disk: 'watched' | 'none'
  }
  /** What a reader should know besides, in sentences. */
  readonly notes: readonly string[]
}
