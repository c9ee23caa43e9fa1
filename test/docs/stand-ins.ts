/** What the reader of a page has, and the page only declares: global names for its snippets, by page. */

import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';

const model = (name: string): LLMProvider => ollamaProvider({ model: name });
const text = async () => '# Tea\n\nOolong is half-oxidised. Setup: boil water. The licence is MIT.';
const covered = async () => ({ covered: true, evidence: 'tea' });

export const standIns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'docs/frameworks.md': {
    agent: { generate: async () => ({ text: '# Tea' }) },
  },
  'docs/trust.md': {
    judge: model('a'),
    anotherFamily: model('b'),
  },
  'docs/blocks/self-review-loop.md': { write: text },
  'docs/blocks/workspace.md': { codingAgent: text },
  'docs/blocks/reviewer.md': { audit: async () => ({ score: 0.95, tokens: 10 }) },
  'docs/blocks/scorers.md': {
    Factuality: async () => ({ name: 'Factuality', score: 1 }),
  },
  'docs/blocks/base-agent.md': { askModel: text },
  'docs/blocks/models.md': { provider: model('a'), write: text },
  'docs/blocks/asking.md': { writeOffer: async () => ({ text: 'Tea.', tokens: 10 }) },
  'docs/blocks/pipeline.md': { model: async () => ({ text: 'x'.repeat(600), tokens: 10 }) },
  'docs/blocks/criteria.md': { checkRequirementCovered: covered },
};
