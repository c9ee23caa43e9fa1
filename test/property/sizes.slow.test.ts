import { describe, expect, it } from 'vitest';
import { tokensOf } from '@/blocks/criteria/code/code-criteria.js';
import { readAnswer } from '@/blocks/models/answer/read-answer.js';
import { leastTokens } from '@/blocks/models/answer/whole-prompt.js';
import { fence, readFences } from '@/blocks/models/prompt/fence.js';
import { gptTokens } from '@/blocks/tokens/gpt/gpt-tokens.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { redactSecrets } from '@/core/redact/secrets.js';
import { truncate } from '@/core/text/truncate.js';
import { llmCriterion, reviewOutput } from '@/index.js';
import { sanitise } from '@/node/terminal/sanitise.js';
import { estimatedTokens } from '@/ports/token-counter.js';
import { parseVerdicts, withoutMarkers } from '@/products/task-review/parse-verdicts.js';
import { scriptedProvider } from '@/testing/index.js';

const length = 7_000_000;
const pieces = [
  'a',
  'aB3dE5gH',
  ' ',
  '.',
  '"',
  '\\"',
  '`\\',
  '[',
  '{"a":',
  'password="',
  '<',
  '\r',
  '中',
];
const nonce = '0123456789abcdef0123456789abcdef';

/** Readers of any text. They return a value, or throw an error that says what is wrong. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the estimate of tokens': (text) => estimatedTokens.count(text),
  'the least number of tokens': (text) => leastTokens(text),
  'the counter of tokens': (text) => gptTokens().count(text),
  fences: (text) => readFences(fence('label', text, nonce)),
  redaction: (text) => redactSecrets(text),
  answers: (text) => readAnswer(text, ''),
  'quoted answers': (text) => readAnswer(JSON.stringify({ a: text }), ''),
  markers: (text) => [parseVerdicts(text), withoutMarkers(text)],
  'cut texts': (text) => truncate(text, 1000),
  terminals: (text) => sanitise(text),
  diffs: (text) => parseDiff(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${text}\n`),
  'comments of code': (text) => [tokensOf(`"${text}`, 'c'), tokensOf(text, 'hash')],
};

describe('a line of 7 MB', () => {
  it.each(Object.keys(readers))('ends no process: %s [R2-027]', async (name) => {
    for (const piece of pieces) {
      const text = piece.repeat(length / piece.length);
      try {
        await readers[name]?.(text);
      } catch (error) {
        expect(error, piece).not.toBeInstanceOf(RangeError);
        expect(error, piece).toHaveProperty('code');
      }
    }
  });

  it('is refused by its name before a judge is asked [R2-027]', async () => {
    const provider = scriptedProvider(() => 'never');
    const content = 'a'.repeat(length);
    const { assessments } = await reviewOutput({
      task: 'tea',
      output: { artifacts: [{ type: 'text', path: 'long.txt', content }] },
      reviewers: [llmCriterion({ id: 'clear', question: 'Is it clear?', provider })],
    });
    expect(provider.requests).toEqual([]);
    expect(assessments).toMatchObject([
      {
        verdict: 'errored',
        error: { code: 'view_truncated', what: expect.stringContaining('long.txt') as string },
      },
    ]);
  });

  it('may be nested as deep as it likes [R2-027]', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      await expect(readAnswer(text, '')).rejects.toMatchObject({ code: 'answer_unreadable' });
    }
  });
});
