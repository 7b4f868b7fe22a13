export type { AiSdkLanguageModel } from './ai-sdk/ai-sdk-types.js'
export { type FromAiSdkOptions, fromAiSdk } from './ai-sdk/from-ai-sdk.js'
export { type AnthropicMessagesOptions, anthropicMessages } from './anthropic-messages/anthropic-messages.js'
export { ANTHROPIC_QUIRKS, type AnthropicQuirks } from './anthropic-messages/anthropic-quirks.js'
export {
  chooseModel,
  type ModelChoice,
  type ModelDecision,
  type ModelProbes,
  type ModelWay,
  type NamedModel,
} from './catalogue/choose-model.js'
export { connectModel } from './catalogue/connect-model.js'
export { LOCAL_SERVERS, type LocalServer, probeLocalServers } from './catalogue/local-servers.js'
export {
  type ConnectionSettings,
  keyInEnvironment,
  type ModelConnection,
  modelConnection,
} from './catalogue/model-connection.js'
export { MODEL_FACTS_DATE, type ModelFacts, modelFacts } from './catalogue/model-facts.js'
export { COMPATIBLE_PROVIDER, LOCAL_PROVIDER, parseModelName } from './catalogue/model-name.js'
export { anthropic, openai, providerModel } from './catalogue/named-models.js'
export { type ProbeModelsOptions, probeModels } from './catalogue/probe-models.js'
export { PROVIDERS, type Provider } from './catalogue/providers.js'
export { MODELS_ERRORS, ModelsError, type ModelsErrorCode } from './errors.js'
export { type AddModelOptions, addModel } from './local/add-model.js'
export { userDataFolder } from './local/data-folder.js'
export { findRuntime, installRuntime, RUNTIME_VERSION } from './local/install-runtime.js'
export type { BrokenModel, InstalledModel, ModelManifest } from './local/installed-model.js'
export { KNOWN_WEIGHTS, type KnownWeights } from './local/known-weights.js'
export { listModels } from './local/list-models.js'
export { type LocalOptions, local, openLocalModel } from './local/local.js'
export { type LocalModel, type LocalModelOptions, localModel } from './local/local-model.js'
export { byteSize, type SetupOptions, type SetupProgress } from './local/progress.js'
export { removeModel } from './local/remove-model.js'
export { CHAT_QUIRKS, type ChatQuirks } from './openai-chat/chat-quirks.js'
export { type OpenAiChatOptions, openaiChat } from './openai-chat/openai-chat.js'
export type { ThinkTags } from './openai-chat/think-tags.js'
export { type OpenAiResponsesOptions, openaiResponses } from './openai-responses/openai-responses.js'
export { RESPONSES_QUIRKS, type ResponsesQuirks } from './openai-responses/responses-quirks.js'
export { type PromptedOptions, prompted } from './prompted/prompted-model.js'
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
export {
  type ReadDefinition,
  readToolDefinition,
  readToolSchema,
  type SchemaChange,
} from './tool-form/tool-schema.js'
export { COMMON_NAME_RULE, type NameRule, type WireNames, wireNames } from './tool-form/wire-names.js'
export type { Diagnostic } from './wire/diagnostic.js'
export { PATIENCE, type Patience } from './wire/stall-timer.js'
export type { WireOptions } from './wire/wire-model.js'
