import { describe, expect, it } from 'vitest';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import type { LLMProvider } from '@/index.js';
import { readingJudge } from '@/testing/index.js';
import { aimockService } from '../support/aimock-service.js';
import { project, reviewOf, task } from '../unit/products/task-review/support.js';

const apiKey = 'sk-a-key-of-the-test';
const services: Readonly<Record<string, (url: string) => LLMProvider>> = {
  'OpenAI, responses': (url) =>
    openaiProvider({ model: 'gpt-5.5', baseURL: `${url}/v1`, apiKey, api: 'responses' }),
  Anthropic: (url) => anthropicProvider({ model: 'claude-sonnet-5-5', baseURL: url, apiKey }),
};

/** A reviewer that reads what it is shown: a section that is missing, or is cut off, fails the work. */
const judge = () =>
  readingJudge(
    {
      diff: (text) =>
        text.includes('+exports.value = 1; // handles errors') || 'nothing handles errors',
      checklist: (text) => text.includes('- [ ] handles errors') || 'no checklist',
      'test results': (text) => text.endsWith('15 passed, 0 failed') || 'no result of the tests',
      summary: (text) => text.includes('1 file changed') || 'no summary',
    },
    {
      answer: ({ passed, details }) => ({
        verdict: passed ? 'passed' : 'failed',
        reason: details,
        issues: passed ? [] : [{ severity: 'major', text: details, file: 'api.js', line: 1 }],
      }),
    },
  );

describe.each(Object.entries(services))(
  'a task that is reviewed through the protocol of %s',
  (_, providerAt) => {
    it('is sent back for what the reviewer read in it, and passes after the fix', async () => {
      const reader = judge();
      const mock = await aimockService(async (request) => (await reader.generate(request)).text);
      const { review, told } = reviewOf(
        project(),
        ['exports.value = 1;\n', 'exports.value = 1; // handles errors\n'],
        { provider: providerAt(mock.url), reviewPolicy: 'required' },
      );
      const result = await review.run(task);
      expect(told).toEqual([undefined, expect.stringContaining('diff: nothing handles errors')]);
      expect(result).toMatchObject({
        success: true,
        run: { status: 'approved' },
        attempts: [
          { status: 'failed', machineVerdict: 'failed', issues: 1, errorCode: 'REVIEW_FAILED' },
          { status: 'success', reviewStatus: 'passed' },
        ],
      });
      expect(mock.getRequests()).toHaveLength(2);
    });
  },
);
