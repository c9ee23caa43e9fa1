import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type Reviewer,
  ReviewLoopError,
  type ReviewSubject,
} from '../../../src/index.js';
import { settle } from '../../../src/testing/index.js';
import { deferred, failed, passed, reviewer } from './support.js';

const reviewing = (
  judge: Reviewer<unknown, string>,
  more: Partial<PipelineOptions<string, string>> = {},
) => definePipeline<string, string>({ produce: async () => 'x', reviewers: [judge], ...more });

/** A criterion that a judge could not judge, this time or ever. */
const broken = (criterion: string, retryable: boolean) =>
  ({
    verdict: 'errored',
    criterion,
    error: new ReviewLoopError('reviewer_threw', 'no model', { retryable }),
  }) as const;

describe('a judge', () => {
  it('gets the task, the output and the number of the review, and nothing else', async () => {
    const subjects: ReviewSubject<unknown, string>[] = [];
    const judge = reviewer<string>('judge', async (subject) => {
      subjects.push(subject);
      return [passed('judge')];
    });
    await reviewing(judge).run('task');
    expect(subjects).toStrictEqual([{ task: 'task', output: 'x', iteration: 1 }]);
  });

  it('is asked again if one of its criteria may do better', async () => {
    let asked = 0;
    const judge = reviewer<string>('judge', async () => {
      asked += 1;
      return [passed('short'), asked === 1 ? broken('polite', true) : passed('polite')];
    });
    const outcome = await reviewing(judge, { retries: 1 }).run('task');
    expect(outcome.status).toBe('approved');
    expect(asked).toBe(2);
  });

  it('is not asked again once its run was cancelled', async () => {
    const { promise, resolve } = deferred<void>();
    const stop = new AbortController();
    let asked = 0;
    const judge = reviewer<string>('judge', async () => {
      asked += 1;
      stop.abort(new Error('enough'));
      await promise;
      throw new Error('aborted');
    });
    const pipeline = reviewing(judge, { retries: 3 });
    const outcome = await pipeline.run('task', { signal: stop.signal });
    expect(outcome.status).toBe('cancelled');
    resolve();
    await settle();
    expect(asked).toBe(1);
  });
});

describe('a verdict for later runs', () => {
  it('is not one that a judge gave after its run was cancelled', async () => {
    const { promise, resolve } = deferred<void>();
    const stop = new AbortController();
    let asked = 0;
    const judge = reviewer<string>('judge', async () => {
      asked += 1;
      if (asked > 1) return [failed('judge')];
      stop.abort(new Error('enough'));
      await promise;
      return [passed('judge')];
    });
    const verdicts = memoryVerdicts();
    const pipeline = reviewing(judge, { verdicts });
    expect((await pipeline.run('task', { signal: stop.signal })).status).toBe('cancelled');
    resolve();
    await settle();
    expect((await pipeline.run('task')).approved).toBe(false);
    expect(asked).toBe(2);
  });

  it('is not one with a criterion that nobody could judge', async () => {
    let asked = 0;
    const judge = reviewer<string>('judge', async () => {
      asked += 1;
      return [passed('short'), asked === 1 ? broken('polite', false) : passed('polite')];
    });
    const pipeline = reviewing(judge, { verdicts: memoryVerdicts() });
    expect((await pipeline.run('task')).status).toBe('inconclusive');
    expect((await pipeline.run('task')).status).toBe('approved');
    expect((await pipeline.run('task')).review?.reused).toMatchObject({ verdicts: 1 });
    expect(asked).toBe(2);
  });

  it('approves nothing where neither the store nor the log can be used', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('no connection');
    };
    const warn = (): never => {
      throw new Error('no log');
    };
    const judge = reviewer<string>('judge', async () => [passed('judge')]);
    const outcome = await reviewing(judge, {
      verdicts: { get: broken, put: broken },
      logger: { debug: () => {}, info: () => {}, warn, error: () => {} },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'inconclusive', code: 'judge_failed' });
    expect(outcome.review?.assessments).toMatchObject([
      { verdict: 'errored', criterion: 'judge', error: { code: 'reviewer_threw' } },
    ]);
  });

  it('approves nothing where the run cannot record that it used it', async () => {
    const verdicts = memoryVerdicts();
    const judge = reviewer<string>('judge', async () => [passed('judge')]);
    await reviewing(judge, { verdicts }).run('task');
    const store = memoryStore();
    const full: typeof store = {
      ...store,
      open: async (...given) => {
        const journal = await store.open(...given);
        return {
          ...journal,
          append: async (record) => {
            if (record.type === 'step' && record.name.includes('/verdict:'))
              throw new Error('the disk is full');
            return journal.append(record);
          },
        };
      },
    };
    const outcome = await reviewing(judge, { verdicts, store: full }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'journal_write_failed', reviews: [] });
  });
});
