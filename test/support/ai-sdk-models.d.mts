import type { AiSdkModel } from '@/adapters/providers/ai-sdk/ai-sdk-provider.js';

/** Real models of the AI SDK, by what they are an example of. */
export declare const models: Readonly<Record<string, { readonly protocol: 'chat' | 'responses' | 'anthropic'; readonly make: (url: string, apiKey: string, model: string) => AiSdkModel }>>;
