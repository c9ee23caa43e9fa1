import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  GapDetector,
  limiter,
  type PipelineOptions,
  QualityScorer,
} from '@/index.js';
import { rateLimit } from '@/model/index.js';

const good = { produce: async () => 'x', criteria: { a: () => true } };
const define = (more: object) =>
  definePipeline({ ...good, ...more } as PipelineOptions<string, string>);
const refused = (pattern: RegExp) =>
  expect.objectContaining({ code: 'invalid_options', message: expect.stringMatching(pattern) });
const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    return { result: await work() };
  } catch (error) {
    return error;
  }
};

describe('what is no option', () => {
  it.each([
    ['limiter', { enter: () => {} }, /`limiter` to be an object with `enter`, `age`, `spend`/],
    ['store', null, /`store` .* got null/],
    ['store', 'file', /`store`.*"file"/],
    ['learn', {}, /`relevantTo`/],
    ['logger', console.log, /`logger`/],
    ['clock', { now: 5, after: () => {} }, /`clock`/],
    ['random', Math.random, /`random`/],
    ['workspace', { snapshot: () => '' }, /`workspace`/],
    ['verdicts', new Map(), /`verdicts`/],
    ['failFast', 'no', /`failFast` to be true or false/],
    ['reuse', 0, /`reuse` to be true or false/],
    ['name', 5, /`name` to be a text/],
    ['human', { policy: 'prompt', notify: 'me' }, /`human.notify` to be a function/],
    ['human', null, /human takes a plain object/],
    ['budget', 3, /budget takes a plain object of options, got 3/],
    ['timeouts', { produceMs: Object.create(null) }, /`timeouts.produceMs`/],
  ])('is refused where the pipeline is built: %s', async (name, value, pattern) => {
    expect(await thrownBy(() => define({ [name]: value }))).toEqual(refused(pattern));
  });

  it('is refused by runs: a misspelt `runId` would make a run that nobody can continue', async () => {
    const pipeline = define({});
    for (const options of [
      { runid: 'a' },
      null,
      { signal: 5 },
      { signal: null },
      { runId: 5 },
    ] as never[]) {
      expect(await thrownBy(() => pipeline.run('task', options))).toEqual(
        refused(/option|signal|runId/),
      );
    }
    expect(
      await thrownBy(() =>
        pipeline.answer({ runId: 'a', id: 'b', digest: 'c' }, { kind: 'approve', by: 'me' }, {
          sore: 1,
        } as never),
      ),
    ).toEqual(refused(/no option `sore`/));
  });

  it('is refused where nobody would ever be called back', async () => {
    const pipeline = define({});
    expect(
      await thrownBy(() =>
        (pipeline.on as (event: string, listener: () => void) => void)('review-ended', () => {}),
      ),
    ).toEqual(refused(/`event` to be one of run-start, .*"review-ended"/));
    expect(await thrownBy(() => pipeline.on('review-end', undefined as never))).toEqual(
      refused(/`listener` to be a function/),
    );
  });

  it('is refused by limits, detectors and scorers', async () => {
    expect(await thrownBy(() => limiter({ concurrency: 1, requestPerMinute: 5 } as never))).toEqual(
      refused(/no option `requestPerMinute`/),
    );
    expect(await thrownBy(() => limiter(undefined as never))).toEqual(
      refused(/limiter takes a plain object/),
    );
    expect(await thrownBy(() => rateLimit({ perMinute: 5 } as never))).toEqual(
      refused(/no option `perMinute`/),
    );
    expect(await thrownBy(() => new GapDetector([] as never, { timeout: 5 } as never))).toEqual(
      refused(/no option `timeout`/),
    );
    expect(await thrownBy(() => new QualityScorer({ weight: {} } as never))).toEqual(
      refused(/no option `weight`/),
    );
  });
});
