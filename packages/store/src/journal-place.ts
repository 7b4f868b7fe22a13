const SEQS_A_RUN = 2 ** 26

/**
 * The journal's key, (run, seq), in one integer: `runKey * 2^26 + seq`. That holds 67 million events a run and 134
 * million runs within the integers that JavaScript has exactly, keeps a run's events side by side, and makes the key
 * the row id, so that an append writes to one b-tree.
 */
export const journalPlace = (runKey: number, seq: number): number => runKey * SEQS_A_RUN + seq

/** SQL for the place of a run's last row; `key` is an expression for the run's key. */
export const lastPlaceSql = (key: string): string =>
  `(SELECT max(place) FROM journal WHERE place BETWEEN ${key} * ${SEQS_A_RUN} AND ${key} * ${SEQS_A_RUN} + ${SEQS_A_RUN - 1})`
