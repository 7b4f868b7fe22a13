import type { Prices } from '@tenon/kernel'

/** What is known of a model without asking anyone. */
export type ModelFacts = { readonly contextWindow: number; readonly prices: Prices }

/** When the table below was last compared with the providers' price lists. */
export const MODEL_FACTS_DATE = '2026-11-30'

/**
 * Input windows in tokens and list prices in US dollars for a million tokens, standard tier. Surcharges for very long
 * prompts, regions and priority are not in it. A model that is not listed has no price: it is never guessed.
 */
const MODEL_FACTS: Readonly<Record<string, ModelFacts>> = {
  'openai/gpt-6-astra': { contextWindow: 922000, prices: { input: 10, output: 50, cachedInput: 1, cacheWrite: 12.5 } },
  'openai/gpt-6.1-sol': { contextWindow: 922000, prices: { input: 2, output: 10, cachedInput: 0.1, cacheWrite: 2.5 } },
  'openai/gpt-6.1-terra': {
    contextWindow: 922000,
    prices: { input: 1, output: 5, cachedInput: 0.05, cacheWrite: 1.25 },
  },
  'openai/gpt-6-sol': { contextWindow: 922000, prices: { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5 } },
  'openai/gpt-6-luna': {
    contextWindow: 922000,
    prices: { input: 0.1, output: 0.5, cachedInput: 0.01, cacheWrite: 0.125 },
  },
  'openai/gpt-5.6': { contextWindow: 922000, prices: { input: 4, output: 20, cachedInput: 0.4, cacheWrite: 5 } },
  'openai/gpt-5.6-sol': { contextWindow: 922000, prices: { input: 4, output: 20, cachedInput: 0.4, cacheWrite: 5 } },
  'openai/gpt-5.6-terra': {
    contextWindow: 922000,
    prices: { input: 2, output: 12, cachedInput: 0.2, cacheWrite: 2.5 },
  },
  'openai/gpt-5.6-luna': {
    contextWindow: 922000,
    prices: { input: 0.2, output: 1.2, cachedInput: 0.02, cacheWrite: 0.25 },
  },
  'openai/gpt-5.5': { contextWindow: 1050000, prices: { input: 5, output: 30, cachedInput: 0.5 } },
  'openai/gpt-5.4': { contextWindow: 1050000, prices: { input: 2.5, output: 15, cachedInput: 0.25 } },
  'openai/gpt-5.4-mini': { contextWindow: 272000, prices: { input: 0.75, output: 4.5, cachedInput: 0.075 } },
  'openai/gpt-5.4-nano': { contextWindow: 272000, prices: { input: 0.2, output: 1.25, cachedInput: 0.02 } },
  'openai/gpt-5.2': { contextWindow: 272000, prices: { input: 1.75, output: 14, cachedInput: 0.175 } },
  'openai/gpt-5.1': { contextWindow: 272000, prices: { input: 1.25, output: 10, cachedInput: 0.125 } },
  'openai/gpt-5': { contextWindow: 272000, prices: { input: 1.25, output: 10, cachedInput: 0.125 } },
  'openai/gpt-5-mini': { contextWindow: 272000, prices: { input: 0.25, output: 2, cachedInput: 0.025 } },
  'openai/gpt-5-nano': { contextWindow: 272000, prices: { input: 0.05, output: 0.4, cachedInput: 0.005 } },
  'openai/gpt-4.1': { contextWindow: 1047576, prices: { input: 2, output: 8, cachedInput: 0.5 } },
  'openai/gpt-4.1-mini': { contextWindow: 1047576, prices: { input: 0.4, output: 1.6, cachedInput: 0.1 } },
  'openai/gpt-4.1-nano': { contextWindow: 1047576, prices: { input: 0.1, output: 0.4, cachedInput: 0.025 } },
  'openai/gpt-4o': { contextWindow: 128000, prices: { input: 2.5, output: 10, cachedInput: 1.25 } },
  'openai/gpt-4o-mini': { contextWindow: 128000, prices: { input: 0.15, output: 0.6, cachedInput: 0.075 } },
  'openai/o3': { contextWindow: 200000, prices: { input: 2, output: 8, cachedInput: 0.5 } },
  'openai/o4-mini': { contextWindow: 200000, prices: { input: 1.1, output: 4.4, cachedInput: 0.275 } },
  'anthropic/claude-fable-5': {
    contextWindow: 1000000,
    prices: { input: 10, output: 50, cachedInput: 1, cacheWrite: 12.5, cacheWrite1h: 20 },
  },
  'anthropic/claude-fable-5-1': {
    contextWindow: 1000000,
    prices: { input: 10, output: 50, cachedInput: 0.25, cacheWrite: 12.5, cacheWrite1h: 20 },
  },
  'anthropic/claude-opus-5-5': {
    contextWindow: 1000000,
    prices: { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5, cacheWrite1h: 8 },
  },
  'anthropic/claude-opus-5': {
    contextWindow: 1000000,
    prices: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
  },
  'anthropic/claude-opus-4-8': {
    contextWindow: 1000000,
    prices: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
  },
  'anthropic/claude-opus-4-7': {
    contextWindow: 1000000,
    prices: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
  },
  'anthropic/claude-opus-4-6': {
    contextWindow: 1000000,
    prices: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
  },
  'anthropic/claude-opus-4-5': {
    contextWindow: 200000,
    prices: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
  },
  'anthropic/claude-sonnet-5-5': {
    contextWindow: 1000000,
    prices: { input: 2, output: 10, cachedInput: 0.1, cacheWrite: 2.5, cacheWrite1h: 4 },
  },
  'anthropic/claude-sonnet-5': {
    contextWindow: 1000000,
    prices: { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5, cacheWrite1h: 4 },
  },
  'anthropic/claude-sonnet-4-6': {
    contextWindow: 1000000,
    prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75, cacheWrite1h: 6 },
  },
  'anthropic/claude-sonnet-4-5': {
    contextWindow: 200000,
    prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75, cacheWrite1h: 6 },
  },
  'anthropic/claude-haiku-5-5': {
    contextWindow: 1000000,
    prices: { input: 0.1, output: 0.5, cachedInput: 0.01, cacheWrite: 0.125, cacheWrite1h: 0.2 },
  },
  'anthropic/claude-haiku-4-5': {
    contextWindow: 200000,
    prices: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25, cacheWrite1h: 2 },
  },
  'gemini/gemini-4-argon': { contextWindow: 1048576, prices: { input: 2, output: 10, cachedInput: 0.1 } },
  'gemini/gemini-4-hydrogen': { contextWindow: 1048576, prices: { input: 1.5, output: 7.5, cachedInput: 0.075 } },
  'gemini/gemini-3.8-flash': { contextWindow: 1048576, prices: { input: 0.75, output: 3.75, cachedInput: 0.075 } },
  'gemini/gemini-3.7-flash': { contextWindow: 1048576, prices: { input: 0.75, output: 3.75, cachedInput: 0.075 } },
  'gemini/gemini-3.6-flash': { contextWindow: 1048576, prices: { input: 0.75, output: 3.75, cachedInput: 0.075 } },
  'gemini/gemini-3.5-flash': { contextWindow: 1048576, prices: { input: 1.5, output: 9, cachedInput: 0.15 } },
  'gemini/gemini-3.5-flash-lite': { contextWindow: 1048576, prices: { input: 0.3, output: 2.5, cachedInput: 0.03 } },
  'gemini/gemini-3.1-pro-preview': { contextWindow: 1048576, prices: { input: 2, output: 12, cachedInput: 0.2 } },
  'gemini/gemini-3.1-flash-lite': { contextWindow: 1048576, prices: { input: 0.25, output: 1.5, cachedInput: 0.025 } },
  'gemini/gemini-3-flash-preview': { contextWindow: 1048576, prices: { input: 0.5, output: 3, cachedInput: 0.05 } },
  'gemini/gemini-2.5-pro': { contextWindow: 1048576, prices: { input: 1.25, output: 10, cachedInput: 0.125 } },
  'gemini/gemini-2.5-flash': { contextWindow: 1048576, prices: { input: 0.3, output: 2.5, cachedInput: 0.03 } },
  'gemini/gemini-2.5-flash-lite': { contextWindow: 1048576, prices: { input: 0.1, output: 0.4, cachedInput: 0.01 } },
  'deepseek/deepseek-v4-pro': { contextWindow: 1000000, prices: { input: 1.32, output: 3.96, cachedInput: 0.044 } },
  'deepseek/deepseek-v4-flash': { contextWindow: 1000000, prices: { input: 0.3, output: 1.2, cachedInput: 0.006 } },
  'deepseek/deepseek-flash': { contextWindow: 1000000, prices: { input: 0.3, output: 1.2, cachedInput: 0.006 } },
  'dashscope/qwen3.8-max': { contextWindow: 991808, prices: { input: 2, output: 6, cachedInput: 0.25 } },
  'dashscope/qwen3.8-flash': {
    contextWindow: 991808,
    prices: { input: 0.15, output: 0.47, cachedInput: 0.016, cacheWrite: 0.2 },
  },
  'dashscope/qwen3.7-max': {
    contextWindow: 991808,
    prices: { input: 2.5, output: 7.5, cachedInput: 0.5, cacheWrite: 3.125 },
  },
  'dashscope/qwen-max': { contextWindow: 30720, prices: { input: 1.6, output: 6.4 } },
  'dashscope/qwen-plus': { contextWindow: 129024, prices: { input: 0.4, output: 1.2 } },
  'dashscope/qwen-turbo': { contextWindow: 129024, prices: { input: 0.05, output: 0.2 } },
  'dashscope/deepseek-v4-pro': { contextWindow: 1000000, prices: { input: 2.4, output: 4.8, cachedInput: 0.2 } },
  'dashscope/deepseek-v4-flash': { contextWindow: 1000000, prices: { input: 0.2, output: 0.4, cachedInput: 0.04 } },
  'dashscope/glm-5.2': { contextWindow: 1048576, prices: { input: 1.4, output: 4.4, cachedInput: 0.28 } },
  'groq/openai/gpt-oss-120b': { contextWindow: 131072, prices: { input: 0.15, output: 0.6, cachedInput: 0.075 } },
  'groq/openai/gpt-oss-20b': { contextWindow: 131072, prices: { input: 0.075, output: 0.3, cachedInput: 0.0375 } },
  'groq/qwen/qwen3.8-27b': { contextWindow: 131072, prices: { input: 0.8, output: 4 } },
  'mistral/mistral-large-4': { contextWindow: 1048576, prices: { input: 0.7, output: 2.1, cachedInput: 0.07 } },
  'mistral/mistral-large-latest': { contextWindow: 262144, prices: { input: 0.5, output: 1.5, cachedInput: 0.05 } },
  'mistral/mistral-medium-latest': { contextWindow: 262144, prices: { input: 1.5, output: 7.5, cachedInput: 0.15 } },
  'mistral/mistral-small-latest': { contextWindow: 262144, prices: { input: 0.15, output: 0.6, cachedInput: 0.015 } },
  'mistral/devstral-latest': { contextWindow: 256000, prices: { input: 0.4, output: 2, cachedInput: 0.04 } },
  'mistral/codestral-latest': { contextWindow: 128000, prices: { input: 0.3, output: 0.9, cachedInput: 0.03 } },
  'mistral/magistral-medium-latest': { contextWindow: 262144, prices: { input: 1.5, output: 7.5, cachedInput: 0.15 } },
  'mistral/ministral-8b-latest': { contextWindow: 262144, prices: { input: 0.15, output: 0.15, cachedInput: 0.015 } },
  'mistral/ministral-3b-latest': { contextWindow: 131072, prices: { input: 0.1, output: 0.1, cachedInput: 0.01 } },
  'xai/grok-4.7': { contextWindow: 500000, prices: { input: 2, output: 6, cachedInput: 0.5 } },
  'xai/grok-4.6': { contextWindow: 500000, prices: { input: 2, output: 6, cachedInput: 0.5 } },
  'xai/grok-4.5': { contextWindow: 500000, prices: { input: 2, output: 6, cachedInput: 0.3 } },
  'xai/grok-4.3': { contextWindow: 1000000, prices: { input: 1.25, output: 2.5, cachedInput: 0.2 } },
  'xai/grok-4.20': { contextWindow: 1000000, prices: { input: 1.25, output: 2.5, cachedInput: 0.2 } },
  'moonshot/kimi-k3.1-pro': {
    contextWindow: 1048576,
    prices: { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2, cacheWrite1h: 4 },
  },
  'moonshot/kimi-k3': {
    contextWindow: 1048576,
    prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3, cacheWrite1h: 6 },
  },
  'moonshot/kimi-k2.7-code': { contextWindow: 262144, prices: { input: 0.95, output: 4, cachedInput: 0.19 } },
  'moonshot/kimi-k2.6': { contextWindow: 262144, prices: { input: 0.95, output: 4, cachedInput: 0.16 } },
  'together/moonshotai/Kimi-K3': { contextWindow: 1048576, prices: { input: 3, output: 15, cachedInput: 0.3 } },
  'together/zai-org/GLM-5.3': { contextWindow: 1048575, prices: { input: 1.4, output: 4.4, cachedInput: 0.26 } },
  'together/zai-org/GLM-5.3-Flash': { contextWindow: 1048575, prices: { input: 0.15, output: 0.5, cachedInput: 0.03 } },
  'together/openai/gpt-oss-120b': { contextWindow: 131072, prices: { input: 0.15, output: 0.6 } },
  'together/deepseek-ai/DeepSeek-V4.1-Flash': {
    contextWindow: 1048576,
    prices: { input: 0.3, output: 1.2, cachedInput: 0.006 },
  },
}

/** A dated snapshot of a model (`-20250929`, `-2025-08-07`) has the facts of the model. */
const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/

/** @param model The provider's own name of the model. */
export function modelFacts(provider: string, model: string): ModelFacts | undefined {
  return MODEL_FACTS[`${provider}/${model}`] ?? MODEL_FACTS[`${provider}/${model.replace(SNAPSHOT, '')}`]
}
