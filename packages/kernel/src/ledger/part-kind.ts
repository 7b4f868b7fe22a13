/**
 * What a view is made of, in the order in which it stands there. The first group is frozen and opens every request,
 * so that provider caches hit; the second grows at its end; a `reminder` comes last and is never kept.
 */
export type PartKind =
  | 'system-prompt'
  | 'instructions'
  | 'tool-definitions'
  | 'examples'
  | 'memory'
  | 'knowledge'
  | 'prompt'
  | 'history'
  | 'scratchpad'
  | 'tool-outputs'
  | 'sub-agent-outputs'
  | 'artifacts'
  | 'reminder'
