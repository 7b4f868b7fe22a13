import type { Finish, ToolDefinition } from '@tenon/kernel'
import type { PromptedDialect, TurnDelta, TurnWatcher } from './dialect.js'
import type { OfferedTools } from './offered-tools.js'
import { offeredTools } from './offered-tools.js'
import type { ReadTurn } from './read-turn.js'

/**
 * Takes an output in chunks, wherever they are cut. What it is, is decided at its end and once, so that no cut can
 * change it; until then deltas go out as soon as they are safe.
 */
export class TurnParser {
  private readonly chunks: string[] = []
  private readonly watcher: TurnWatcher
  private readonly tools: OfferedTools

  constructor(
    private readonly dialect: PromptedDialect,
    tools: readonly ToolDefinition[],
  ) {
    this.tools = offeredTools(tools)
    this.watcher = dialect.watch()
  }

  push(chunk: string): readonly TurnDelta[] {
    this.chunks.push(chunk)
    return this.watcher.push(chunk)
  }

  /** True when whatever follows would be discarded. */
  get done(): boolean {
    return this.watcher.done
  }

  end(finish: Finish): ReadTurn {
    return this.dialect.read(this.chunks.join(''), this.tools, finish)
  }
}
