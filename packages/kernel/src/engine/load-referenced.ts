import type { ArtifactId, CallId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { Artifacts } from '../ports/artifacts.js'
import type { StepState } from '../run/call-state.js'
import type { RunState } from '../run/state.js'

/**
 * Reads the values of a step's references that were too large for the journal. Undefined when there are none to read;
 * otherwise settles when `into` has them all.
 */
export function loadReferenced(
  step: StepState,
  run: RunState,
  into: Map<CallId, Json>,
  artifacts: Artifacts,
): Promise<void> | undefined {
  if (step.refs.length === 0) return undefined
  const missing = step.refs.filter((callId) => run.call(callId).valueArtifact !== undefined && !into.has(callId))
  if (missing.length === 0) return undefined
  return Promise.all(
    missing.map(async (callId) => {
      const value = await readJson(artifacts, run.call(callId).valueArtifact as ArtifactId)
      into.set(callId, value)
      const { alias } = run.step(callId).block
      if (alias !== undefined) into.set(alias as CallId, value)
    }),
  ).then(() => undefined)
}

async function readJson(artifacts: Artifacts, artifactId: ArtifactId): Promise<Json> {
  const meta = await artifacts.meta(artifactId)
  const bytes = await artifacts.read(artifactId, 0, meta?.bytes ?? 0)
  return JSON.parse(new TextDecoder().decode(bytes)) as Json
}
