// the model of the page: it names the day when a review asks for it
import { MockLanguageModelV4 } from 'ai/test';

export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const told = JSON.stringify(prompt).includes('no day is named');
    const text = told ? 'We refund 40 EUR. The money arrives within 5 days.' : 'We refund 40 EUR.';
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
      warnings: [],
    };
  },
});
