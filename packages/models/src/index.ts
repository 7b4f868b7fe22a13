export { MODELS_ERRORS, ModelsError, type ModelsErrorCode } from './errors.js'
export { readRehearsal } from './rehearsal/read-rehearsal.js'
export type {
  Rehearsal,
  ResultCondition,
  Scene,
  SceneCall,
  SceneConditions,
  SceneLines,
  TextCondition,
} from './rehearsal/rehearsal.js'
export { REHEARSAL_DISCLAIMER, rehearsalModel } from './rehearsal/rehearsal-model.js'
export { COMMON_NAME_RULE, type NameRule, type WireNames, wireNames } from './tool-form/wire-names.js'
