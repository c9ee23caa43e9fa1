import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { askModel } from '@/blocks/models/answer/ask-model.js';
import { modelErrors } from '@/blocks/models/errors.js';
import { withRetry } from '@/blocks/models/index.js';
import { definePipeline, type LLMProvider, ReviewLoopError } from '@/index.js';
import { runProcess } from '@/node/process.js';
import { CodeQualityDimension } from '@/products/reviewer-stage/dimensions/default-dimensions.js';
import { scriptedProvider } from '@/testing/index.js';
import { checklistJudge } from '../../../support/checklist-judge.js';
import { work } from '../../products/reviewer-stage/support.js';

const many = Array.from({ length: 30 }, (_, index) => index);
const warnings: string[] = [];
const hear = ({ name }: Error): void => void warnings.push(name);
beforeEach(() => void process.on('warning', hear));
afterEach(() => {
  process.off('warning', hear);
  warnings.length = 0;
});

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A client that listens to the signal of each call, as those of services do, and ends none before all are out. */
function listening(inner: LLMProvider): LLMProvider & { readonly together: () => number } {
  let most = 0;
  let out = 0;
  return {
    ...inner,
    together: () => most,
    generate: async (request) => {
      request.signal.addEventListener('abort', () => {});
      out += 1;
      most = Math.max(most, out);
      await soon();
      out -= 1;
      return inner.generate(request);
    },
  };
}

/** Warnings are told a moment later. */
async function heard(): Promise<readonly string[]> {
  await soon();
  return warnings;
}

describe('thirty at a time on one signal are no leak to Node', () => {
  it('parts of a dimension that is assessed', async () => {
    const provider = listening(checklistJudge([]));
    const changedFiles = many.map((index) => ({
      path: `src/${index}.js`,
      status: 'new' as const,
      content: `// ${index}\n${'word '.repeat(400)}`,
    }));
    const { level } = await new CodeQualityDimension({ provider, maxPromptTokens: 1000 }).assess(
      { ...work, changedFiles },
      { signal: new AbortController().signal },
    );
    expect(level).toBe('excellent');
    expect(provider.together()).toBeGreaterThan(10);
    expect(await heard()).toEqual([]);
  });

  it('questions to a model, also while they wait to be asked again', async () => {
    const { signal } = new AbortController();
    const failing = new Set<unknown>();
    const flaky = scriptedProvider(({ messages }) => {
      const content = messages[0]?.content;
      if (failing.has(content)) return '{"n":1}';
      failing.add(content);
      throw new ReviewLoopError(modelErrors.provider_unavailable, 'busy', { retryable: true });
    });
    const provider = listening(flaky);
    const answers = await Promise.all(
      many.map((index) =>
        askModel({
          provider: withRetry(provider, { attempts: 2, firstDelayMs: 1 }),
          prompt: `x${index}`,
          schema: z.object({ n: z.number() }),
          signal,
        }),
      ),
    );
    expect(answers.map(({ value }) => value.n)).toEqual(many.map(() => 1));
    expect(provider.together()).toBe(30);
    expect(await heard()).toEqual([]);
  });

  it('runs and reviews', async () => {
    const { signal } = new AbortController();
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => soon().then(() => true) },
    });
    await Promise.all(
      many.flatMap((index) => [
        pipeline.run('t', { signal, runId: `r${index}` }),
        pipeline.review('t', 'x', { signal }),
      ]),
    );
    expect(await heard()).toEqual([]);
  });

  it('programs', async () => {
    const { signal } = new AbortController();
    await Promise.all(
      many.slice(0, 12).map(() => runProcess({ command: 'true', timeoutMs: 60_000, signal })),
    );
    expect(await heard()).toEqual([]);
  });
});

it('an abort of the signal reaches every call that is out, with its reason', async () => {
  const controller = new AbortController();
  const reasons: unknown[] = [];
  const provider: LLMProvider = {
    ...scriptedProvider([]),
    generate: ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(reasons.push(signal.reason))),
      ),
  };
  const asked = many.map(() =>
    askModel({
      provider,
      prompt: 'x',
      schema: z.object({ n: z.number() }),
      signal: controller.signal,
    }),
  );
  await soon();
  controller.abort('enough');
  expect(
    (await Promise.allSettled(asked)).every(
      (settled) => settled.status === 'rejected' && settled.reason === 'enough',
    ),
  ).toBe(true);
  expect(reasons).toEqual(many.map(() => 'enough'));
});
