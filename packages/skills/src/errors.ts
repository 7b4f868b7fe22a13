import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const user = { retryable: false, modelVisible: false, userVisible: true } as const

/** Every error of the skills package. Codes are stable. */
export const SKILLS_ERRORS = {
  // what a model or a person asked for by name
  /** No skill of that name can be activated; the message names near ones. */
  'skill-unknown': told,
  /** It is there and may not be used: untrusted, disabled for the model, or it cannot be loaded. */
  'skill-unavailable': told,
  /** Not one of the skill's resources, or a path that leaves the skill. */
  'skill-file-unknown': told,
  // install
  /** `detail.reason` is one of the reasons to refuse an archive. */
  'skill-install-refused': user,
  /** The source cannot be fetched or read. */
  'skill-source-unreadable': user,
  /** A skill of that name is installed already. */
  'skill-exists': user,
  /** The disk takes no files there: no permission, no room, or a name that it cannot hold. */
  'skill-folder-unwritable': user,
  /** The lock file cannot be read; nothing is overwritten. */
  'skill-lock-invalid': user,
  /** Not installed by us: there is nothing to update, remove or verify. */
  'skill-not-installed': user,
  // scripts and the sandbox
  /** The skill has no such script; the message names those that it has. */
  'script-unknown': told,
  /** Nothing here can run a file of this kind. */
  'script-interpreter-missing': told,
  /** The script declares dependencies that are not installed, and nothing is installed for it. */
  'script-dependencies-missing': told,
  /** No sandbox here is as strong as the policy requires; nothing was run. */
  'sandbox-missing': told,
  /** A grant that this sandbox cannot keep apart from everything else; nothing was run. */
  'sandbox-cannot-grant': told,
  /** The sandbox was there and could not start the job. */
  'sandbox-failed': told,
} as const satisfies ErrorTable

export type SkillsErrorCode = keyof typeof SKILLS_ERRORS

export class SkillsError extends TenonError {
  override readonly name = 'SkillsError'
  declare readonly code: SkillsErrorCode

  constructor(code: SkillsErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, SKILLS_ERRORS[code], options)
  }
}
