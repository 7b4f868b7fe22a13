import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const user = { retryable: false, modelVisible: false, userVisible: true } as const

/** Every error of the skills package. Codes are stable. */
export const SKILLS_ERRORS = {
  // what a model or a person asked for by name
  /**
   * No skill of that name can be activated; the message names near ones.
   * @remedy tenon skills list shows which there are.
   */
  'skill-unknown': { ...told, usage: true },
  /**
   * It is there and may not be used: untrusted, disabled for the model, or it cannot be loaded.
   * @remedy tenon skills doctor says why.
   */
  'skill-unavailable': told,
  /**
   * Not one of the skill's resources, or a path that leaves the skill.
   * @remedy Take a file that the activation listed.
   */
  'skill-file-unknown': told,
  // install
  /**
   * `detail.reason` is one of the reasons to refuse an archive.
   * @remedy Do not install it, or have it mended by who made it.
   */
  'skill-install-refused': user,
  /** The source cannot be fetched or read. @remedy Check the address or path. */
  'skill-source-unreadable': { ...user, usage: true },
  /**
   * A skill stands there that tenon skills add did not put there.
   * @remedy Move it away, then add it again.
   */
  'skill-exists': user,
  /**
   * The disk takes no files there: no permission, no room, or a name that it cannot hold.
   * @remedy Choose another folder with --into.
   */
  'skill-folder-unwritable': user,
  /** The lock file cannot be read; nothing is overwritten. @remedy Mend skills-lock.json, or restore it. */
  'skill-lock-invalid': user,
  /**
   * Not installed by us: there is nothing to update, remove or verify.
   * @remedy tenon skills list shows where it comes from.
   */
  'skill-not-installed': user,
  /**
   * The file of trusted skills cannot be read: nothing is trusted meanwhile, and it is not overwritten.
   * @remedy Mend the file that the message names, or move it away and trust what you use anew.
   */
  'skill-trust-unreadable': user,
  // scripts and the sandbox
  /**
   * The skill has no such script; the message names those that it has.
   * @remedy Nothing; the model is told which there are.
   */
  'script-unknown': told,
  /** Nothing here can run a file of this kind. @remedy Install the program that the message names. */
  'script-interpreter-missing': told,
  /**
   * The script declares dependencies that are not installed, and nothing is installed for it.
   * @remedy Install them, or take a script without.
   */
  'script-dependencies-missing': told,
  /**
   * No sandbox here is as strong as the policy requires; nothing was run.
   * @remedy Install bubblewrap, or allow less with sandbox.require.
   */
  'sandbox-missing': told,
  /**
   * A grant that this sandbox cannot keep apart from everything else; nothing was run.
   * @remedy Take the grant out, or install bubblewrap.
   */
  'sandbox-cannot-grant': told,
  /** The sandbox was there and could not start the job. @remedy tenon doctor shows what the sandbox can do here. */
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
