export type { LLMProvider, LLMRequest, LLMResult } from '../kernel/llm-provider.js';
