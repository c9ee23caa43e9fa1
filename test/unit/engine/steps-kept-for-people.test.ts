import { expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type PipelineOptions } from '../../../src/index.js';
import { passed, reviewer, suspended } from './support.js';

type Options = Partial<PipelineOptions<string, string>>;

const question = { question: 'go?', allowed: ['approve'] } as const;

/** Where a run may wait for a person. All other parts of it ask nobody. */
const places: readonly (readonly [string, (work: () => string) => Options])[] = [
  [
    '`produce`',
    (work) => ({
      produce: async (_, { step, ask }) => {
        const made = await step('call', { input: 1, schema: z.string() }, async () => work());
        await ask('go', question);
        return made;
      },
    }),
  ],
  [
    '`address`',
    (work) => ({
      produce: async () => `${work()}?`,
      address: async (_output, _gaps, { ask }) => {
        await ask('go', question);
        return 'made';
      },
    }),
  ],
  [
    'a reviewer',
    (work) => ({
      produce: async () => work(),
      reviewers: [
        reviewer('asks', async (_, { ask }) => {
          await ask('go', question);
          return [passed('asks')];
        }),
      ],
    }),
  ],
  [
    'the policy',
    (work) => ({
      produce: async () => work(),
      policy: () => ({ kind: 'ask', reason: 'hm', ...question }),
    }),
  ],
  ['the option `human`', (work) => ({ produce: async () => work(), human: { policy: 'require' } })],
];

it.each(places)('a run that waits where %s asks does nothing again', async (_, made) => {
  let times = 0;
  const work = (): string => {
    times += 1;
    return 'made';
  };
  const pipeline = definePipeline<string, string>({
    criteria: { certain: (text) => !text.endsWith('?') },
    ...made(work),
  });
  const [request] = suspended(await pipeline.run('task')).requests;
  const outcome = await pipeline.answer(request, { kind: 'approve', by: 'Ann' });
  expect(outcome).toMatchObject({ status: 'approved', output: 'made' });
  expect(times).toBe(1);
});
