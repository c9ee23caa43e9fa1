import { describe, expect, it } from 'vitest';
import { definePipeline, memoryStore, type PipelineOptions } from '../../../src/index.js';
import { passed, reviewer } from './support.js';

type Options = Partial<PipelineOptions<string, string>>;

/** What a run says of its pipeline when it is continued with other options. */
async function changedBetween(before: Options, after: Options) {
  const store = memoryStore();
  const made = (more: Options) =>
    definePipeline<string, string>({
      produce: async (_, context) => {
        await context.ask('go', { question: 'go?', allowed: ['approve'] });
        return 'x';
      },
      reviewers: [reviewer('a', async () => [passed('a')])],
      store,
      ...more,
    });
  await made(before).run('task', { runId: 'r' });
  return (await made(after).run('task', { runId: 'r' })).changed;
}

describe('a run that is continued with other settings', () => {
  it.each<[string, Options]>([
    ['reviews', { budget: { reviews: 2 } }],
    ['weights', { weights: { quality: 2 } }],
    ['failFast', { failFast: false }],
    ['allowEmpty', { allowEmpty: true }],
    ['the policy for people', { human: { policy: 'require' } }],
    ['what a rejection does', { human: { policy: 'auto', onReject: 'revise' } }],
  ])('says so for %s', async (_, more) => {
    expect(await changedBetween({}, more)).toEqual(['the settings changed']);
    expect(await changedBetween(more, more)).toBeUndefined();
  });

  it('says nothing if defaults are written down', async () => {
    const explicit: Options = { human: { policy: 'auto', onReject: 'end' }, weights: {} };
    expect(await changedBetween({}, explicit)).toBeUndefined();
    expect(await changedBetween(explicit, {})).toBeUndefined();
    expect(await changedBetween({}, { version: '' })).toBeUndefined();
    expect(await changedBetween({ human: { policy: 'auto' } }, explicit)).toBeUndefined();
  });

  it('says so for the version and the tier of a reviewer', async () => {
    const judge = (more: object) => ({
      reviewers: [{ ...reviewer<string>('a', async () => [passed('a')]), ...more }],
    });
    expect(await changedBetween({}, judge({ tier: 'model' }))).toEqual([
      'reviewer a changed from "1 (code)" to "1 (model)"',
    ]);
    expect(await changedBetween({ version: '1' }, { version: '2' })).toEqual([
      'version changed from "1" to "2"',
    ]);
  });
});
