import { answerRequest } from './answer-request.js'
import { cancelRun } from './cancel-run.js'
import { eventPage } from './event-page.js'
import { eventStream } from './event-stream.js'
import { forkRun } from './fork-run.js'
import { inbox } from './inbox.js'
import { listAgents } from './list-agents.js'
import { listRuns } from './list-runs.js'
import { listSkills } from './list-skills.js'
import { removeRun } from './remove-run.js'
import type { Route } from './route.js'
import { runBudget } from './run-budget.js'
import { sendArtifact } from './send-artifact.js'
import { showDocument } from './show-document.js'
import { showRun } from './show-run.js'
import { showView } from './show-view.js'
import { submitRun } from './submit-run.js'
import { tellRun } from './tell-run.js'

/** The whole run API: what the server serves and what the OpenAPI document describes. */
export const ROUTES: readonly Route[] = [
  submitRun,
  listRuns,
  showRun,
  eventPage,
  eventStream,
  showView,
  runBudget,
  tellRun,
  forkRun,
  cancelRun,
  removeRun,
  inbox,
  answerRequest,
  sendArtifact,
  listAgents,
  listSkills,
  showDocument,
]
