import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { snakeKey } from '@/core/text/keys.js';
import { checkedConfig } from '@/faces/config/load-config.js';
import { locateIn } from '@/faces/config/parse-data.js';
import { firstDifference, misspelt, renamed } from '../../../support/misspelt.js';

type Data = Readonly<Record<string, unknown>>;

const reviewer = {
  dimensions: { safety: false },
  timeoutSeconds: 60,
  humanReview: 'auto',
  minQuality: 'good',
  thresholds: { completeness: 'excellent' },
  maxCycles: 2,
  onDecline: 'stop',
  verify: ['npm test'],
  replan: 'node plan.js',
  allowTruncated: ['big.json'],
};
const executor = {
  exec: 'do it',
  testCommand: 'npm test',
  lintCommand: 'npm run lint',
  hitlReview: false,
  reviewPolicy: 'required',
  maxAttempts: 2,
  reviewRoles: ['quality'],
  reviewTemplate: 'text',
};
const config: Data = {
  criteria: 'auto',
  requirements: false,
  words: 'hint',
  policy: { quality: 0.5, completeness: 0.5 },
  budget: { reviews: 1, tokens: 10, costUsd: 1, timeoutMs: 10 },
  human: { policy: 'prompt', expiresAfterMs: 10 },
  provider: 'openai:m',
  model: 'm',
  baseUrl: 'http://127.0.0.1:1/v1',
  trust: 'fast',
  confirmWith: 'ollama:m',
  reviewer,
  executor,
};
const snake = (section: Data): Data =>
  Object.fromEntries(Object.entries(section).map(([key, value]) => [snakeKey(key), value]));

/** The sections of a configuration, each with the configuration that contains it. */
const sections: readonly (readonly [
  path: string,
  section: Data,
  within: (section: Data) => Data,
])[] = [
  ['', config, (section) => section],
  ['policy.', config['policy'] as Data, (policy) => ({ ...config, policy })],
  ['budget.', config['budget'] as Data, (budget) => ({ ...config, budget })],
  ['human.', config['human'] as Data, (human) => ({ ...config, human })],
  ['reviewer.', reviewer, (section) => ({ ...config, reviewer: section })],
  ['reviewer.', snake(reviewer), (section) => ({ ...config, reviewer: section })],
  ['executor.', executor, (section) => ({ ...config, executor: section })],
  ['executor.', snake(executor), (section) => ({ ...config, executor: section })],
];

async function problemOf(data: Data): Promise<string> {
  const text = stringify(data);
  try {
    await checkedConfig(data, 'c.yaml', async () => locateIn(text));
  } catch (error) {
    return (error as Error).message;
  }
  return 'no problem';
}

describe('a configuration', () => {
  it.each(sections)(
    'refuses each misspelt key of section "%s" as it is written, with its line and the known ones [R2-105]',
    async (path, section, within) => {
      const right = within(section);
      expect(await problemOf(right)).toBe('no problem');
      // `reviewer` and `reviewers` are both keys
      for (const key of Object.keys(section))
        for (const wrong of misspelt(key).filter((form) => form !== 'reviewers')) {
          const data = within(renamed(section, key, wrong));
          const line = firstDifference(stringify(data), stringify(right));
          const message = await problemOf(data);
          expect(message, `${key} as ${wrong}`).toContain(`c.yaml:${line}: unknown key `);
          const near = key === 'reviewer' ? 'reviewers?' : key;
          expect(message, `${key} as ${wrong}`).toMatch(
            new RegExp(`; the nearest key is ${near}; the keys are`),
          );
          if (/^\w+$/.test(wrong)) expect(message).toContain(`unknown key \`${path}${wrong}\``);
        }
    },
  );

  it('names keys in snake_case where the file has them so [R2-105]', async () => {
    expect(await problemOf({ reviewer: { min_qualty: 'good', max_cycles: 1 } })).toContain(
      'c.yaml:2: unknown key `reviewer.min_qualty`; the nearest key is min_quality; the keys are dimensions, timeout_seconds, human_review, min_quality,',
    );
    expect(await problemOf({ reviewer: { minQualty: 'good' } })).toContain(
      'unknown key `reviewer.minQualty`; the nearest key is minQuality; the keys are dimensions, timeoutSeconds,',
    );
    expect(await problemOf({ executor: { review_policy: 'maybe' } })).toContain(
      'c.yaml:2: `executor.review_policy`: ',
    );
  });
});
