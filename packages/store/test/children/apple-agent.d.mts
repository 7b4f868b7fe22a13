import type { Engine, Tool } from '@tenon/kernel'
import type { Store } from '@tenon/store'

export function appleEngine(store: Store, count: Tool['run'], disposition?: 'allow' | 'ask'): Engine
