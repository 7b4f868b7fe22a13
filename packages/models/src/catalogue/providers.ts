/** Which wire form a provider's endpoint speaks. Each is a folder of this package. */
export type WireDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

export type Provider = {
  /** The first part of a model's name: `openai/…`. */
  readonly id: string
  readonly title: string
  /** Environment variables that may hold the key; the first that is set counts. */
  readonly keys: readonly string[]
  readonly baseUrl: string
  /** Environment variable that moves the endpoint, where the provider's own tools know one. */
  readonly baseUrlVariable?: string
  readonly dialect: WireDialect
  /** What is used when only the provider is known. */
  readonly defaultModel: string
  /** Where a person gets a key. */
  readonly keyPage: string
}

/** Providers in the order in which a key in the environment is taken. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: 'openai',
    title: 'OpenAI',
    keys: ['OPENAI_API_KEY'],
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    dialect: 'openai-responses',
    defaultModel: 'gpt-6.1-sol',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    keys: ['ANTHROPIC_API_KEY'],
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    dialect: 'anthropic-messages',
    defaultModel: 'claude-sonnet-5',
    keyPage: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'gemini',
    title: 'Google Gemini',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    dialect: 'openai-chat',
    defaultModel: 'gemini-3.8-flash',
    keyPage: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'deepseek',
    title: 'DeepSeek',
    keys: ['DEEPSEEK_API_KEY'],
    baseUrl: 'https://api.deepseek.com',
    dialect: 'openai-chat',
    defaultModel: 'deepseek-v4-flash',
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'dashscope',
    title: 'DashScope (Qwen)',
    keys: ['DASHSCOPE_API_KEY'],
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    baseUrlVariable: 'DASHSCOPE_BASE_URL',
    dialect: 'openai-chat',
    defaultModel: 'qwen3.8-flash',
    keyPage: 'https://modelstudio.console.alibabacloud.com',
  },
  {
    id: 'openrouter',
    title: 'OpenRouter',
    keys: ['OPENROUTER_API_KEY'],
    baseUrl: 'https://openrouter.ai/api/v1',
    dialect: 'openai-chat',
    defaultModel: 'openrouter/auto',
    keyPage: 'https://openrouter.ai/keys',
  },
  {
    id: 'groq',
    title: 'Groq',
    keys: ['GROQ_API_KEY'],
    baseUrl: 'https://api.groq.com/openai/v1',
    dialect: 'openai-chat',
    defaultModel: 'openai/gpt-oss-120b',
    keyPage: 'https://console.groq.com/keys',
  },
  {
    id: 'mistral',
    title: 'Mistral',
    keys: ['MISTRAL_API_KEY'],
    baseUrl: 'https://api.mistral.ai/v1',
    dialect: 'openai-chat',
    defaultModel: 'mistral-medium-latest',
    keyPage: 'https://console.mistral.ai/api-keys',
  },
  {
    id: 'xai',
    title: 'xAI',
    keys: ['XAI_API_KEY'],
    baseUrl: 'https://api.x.ai/v1',
    dialect: 'openai-chat',
    defaultModel: 'grok-4.7',
    keyPage: 'https://console.x.ai',
  },
  {
    id: 'moonshot',
    title: 'Moonshot (Kimi)',
    keys: ['MOONSHOT_API_KEY'],
    baseUrl: 'https://api.moonshot.ai/v1',
    baseUrlVariable: 'MOONSHOT_BASE_URL',
    dialect: 'openai-chat',
    defaultModel: 'kimi-k3',
    keyPage: 'https://platform.moonshot.ai/console/api-keys',
  },
  {
    id: 'together',
    title: 'Together',
    keys: ['TOGETHER_API_KEY'],
    baseUrl: 'https://api.together.xyz/v1',
    dialect: 'openai-chat',
    defaultModel: 'openai/gpt-oss-120b',
    keyPage: 'https://api.together.ai/settings/api-keys',
  },
  {
    id: 'zai',
    title: 'Z.ai (GLM)',
    keys: ['ZAI_API_KEY'],
    baseUrl: 'https://api.z.ai/api/paas/v4',
    dialect: 'openai-chat',
    defaultModel: 'glm-5.3',
    keyPage: 'https://z.ai/manage-apikey/apikey-list',
  },
  {
    id: 'cerebras',
    title: 'Cerebras',
    keys: ['CEREBRAS_API_KEY'],
    baseUrl: 'https://api.cerebras.ai/v1',
    dialect: 'openai-chat',
    defaultModel: 'gpt-oss-120b',
    keyPage: 'https://cloud.cerebras.ai',
  },
]

export function providerById(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id)
}
