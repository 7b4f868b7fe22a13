export { type ActivationOptions, activateSkillTool } from './activation/activate-skill.js'
export { type AllowedTool, allowedTools, toolOfRule } from './activation/allowed-tools-rules.js'
export { findSkill } from './activation/find-skill.js'
export {
  ACTIVATE_SKILL,
  beginningWithNamedSkills,
  type NamedSkill,
  namedSkillsMetadata,
  skillsNamedIn,
} from './activation/named-skills.js'
export { readSkillFileTool, type SkillFileOptions } from './activation/read-skill-file.js'
export { type SearchOptions, searchSkillsTool } from './activation/search-skills.js'
export { type SkillTrust, trustFile } from './activation/skill-trust.js'
export { CATALOGUE_BUDGET, type Catalogue, type CatalogueOptions, catalogueOf } from './catalogue/catalogue.js'
export { type SkillHit, SkillIndex } from './catalogue/skill-index.js'
export { checkSkills } from './check/check-skills.js'
export { type MisplacedSkill, misplacedSkills } from './check/misplaced-skills.js'
export { missingRequirements, type Requirement, requirementsOf, type Surroundings } from './check/requirements.js'
export { type FollowOptions, followLibrary } from './discovery/follow-library.js'
export { SkillLibrary, type SkillSet } from './discovery/skill-library.js'
export { type RootOptions, SKILL_FOLDERS, standardRoots } from './discovery/standard-roots.js'
export { SKILLS_ERRORS, SkillsError, type SkillsErrorCode } from './errors.js'
export { type StagedSkill, type StageOptions, stageSkill } from './install/install-skill.js'
export { LOCK_FILE, type LockEntry, type LockFile, readLock, writeLock } from './install/lock-file.js'
export { type ScanFinding, scanSkill } from './install/scan-skill.js'
export { removeInstalled, type Verified, verifyInstalled } from './install/verify-installed.js'
export { DIAGNOSTICS, type Diagnostic, type DiagnosticKind, type DiagnosticTraits } from './loading/diagnostic.js'
export type { Invocation, LoadedSkill, Skill, SkillRoot, SkillScope } from './loading/skill.js'
export { skillDigest } from './loading/skill-digest.js'
export { chooseSandbox, type SandboxPolicy, sandboxes } from './sandbox/choose-sandbox.js'
export type { Isolation, Strength } from './sandbox/isolation.js'
export { SANDBOX_LIMITS, type SandboxLimits, V8_OVERHEAD } from './sandbox/limits.js'
export { mountedWorkspace } from './sandbox/mounted-workspace.js'
export type {
  CapturedOutput,
  OutputPiece,
  Sandbox,
  SandboxFolder,
  SandboxJob,
  SandboxLaunch,
  SandboxProbe,
  SandboxPrograms,
  SandboxResult,
} from './sandbox/sandbox.js'
export { stageFolder } from './sandbox/stage-folder.js'
export { type RunSkillScriptOptions, runSkillScriptTool } from './scripts/run-skill-script.js'
export { type ScriptGrants, type ScriptSkill, scriptsOf } from './scripts/script-skill.js'
export { type FetchedSkills, fetchSkills, type SkillServer } from './served/fetch-skills.js'
export { offerSkills, type SkillOffer } from './served/offer-skills.js'
export { SKILLS_EXTENSION } from './served/skill-entry.js'
