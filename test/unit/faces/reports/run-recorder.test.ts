import { describe, expect, it } from 'vitest';
import type { Reviewer } from '@/core/reviewer.js';
import { recordRun, shownFiles, withEarlierTimes } from '@/faces/reports/run-recorder.js';
import type { ReviewReport, RunReport } from '@/faces/reports/run-report.js';
import { criterion, definePipeline } from '@/index.js';
import { fakeClock } from '@/testing/index.js';

/** A reviewer that uses 100 tokens each time it is asked, and fails the first time. */
function costly(failures: number): Reviewer<string, string> {
  let left = failures;
  return {
    id: 'tone',
    version: '1',
    tier: 'model',
    review: async (_, context) => {
      context.reportUsage({ inputTokens: 100, costUsd: 0.01 });
      if (left-- > 0) throw new Error('the line is bad');
      return [{ verdict: 'pass', criterion: 'tone', score: 1, explanation: '', gaps: [] }];
    },
  };
}

describe('what a recorder gathers of each judge', () => {
  it('counts tokens and cost, of failed tries too', async () => {
    const tone = costly(1);
    const long = criterion<string>('long', (text) => text.length > 3, { version: '1' });
    const pipeline = definePipeline({
      produce: async (_: string) => 'a letter',
      reviewers: [tone, long],
      retries: 1,
    });
    const recorder = recordRun(pipeline, { reviewers: [tone, long], clock: fakeClock() });
    expect(await pipeline.run('task')).toMatchObject({ approved: true });
    expect(recorder.judges()).toEqual([
      {
        id: 'long',
        tier: 'code',
        ...{ passed: 1, failed: 0, undecided: 0, skipped: 0, errored: 0, reused: 0 },
        ...{ durationMs: 0, usage: {}, errors: [] },
      },
      {
        id: 'tone',
        tier: 'model',
        ...{ passed: 1, failed: 0, undecided: 0, skipped: 0, errored: 0, reused: 0 },
        ...{
          durationMs: 0,
          usage: { inputTokens: 200, totalTokens: 200, costUsd: 0.02 },
          errors: [],
        },
      },
    ]);
  });

  it('counts what a judge used that failed for good', async () => {
    const tone = costly(9);
    const pipeline = definePipeline({
      produce: async (_: string) => 'a letter',
      reviewers: [tone],
      retries: 1,
    });
    const recorder = recordRun(pipeline);
    await pipeline.run('task');
    expect(recorder.judges()).toMatchObject([
      { errored: 1, usage: { inputTokens: 200 }, errors: [expect.stringContaining('line is bad')] },
    ]);
  });

  it('counts a replayed review once, with the longer time', () => {
    const listeners = new Map<string, (payload: never) => void>();
    const clock = fakeClock();
    const on = (name: string, listener: (payload: never) => void) => listeners.set(name, listener);
    const recorder = recordRun({ on }, { clock });
    const emit = (name: string, payload: object) => listeners.get(name)?.(payload as never);
    for (const ms of [400, 0]) {
      emit('run-start', {});
      emit('reviewer-start', { reviewer: 'tone' });
      clock.advance(ms);
      emit('reviewer-end', {
        reviewer: 'tone',
        assessments: [],
        reused: false,
        usage: { costUsd: 1 },
      });
    }
    emit('reviewer-end', {
      reviewer: 'tone',
      assessments: [],
      reused: true,
      usage: { costUsd: 5 },
    });
    expect(recorder.judges()).toMatchObject([
      { durationMs: 400, reused: 1, usage: { costUsd: 1 } },
    ]);
  });
});

const review = (iteration: number, durationMs: number, version = 'v'): ReviewReport =>
  ({ iteration, durationMs, version }) as ReviewReport;
const report = (durationMs: number, ...reviews: ReviewReport[]): RunReport =>
  ({ durationMs, reviews }) as RunReport;

describe('the times of an answered run', () => {
  it('are those of the judges, not of the replay [R2-066]', () => {
    const before = report(1500, review(1, 1400));
    const after = withEarlierTimes(report(3, review(1, 2), review(2, 700)), before);
    expect(after.durationMs).toBe(1500);
    expect(after.reviews.map(({ durationMs }) => durationMs)).toEqual([1400, 700]);
  });

  it('of another version stay as they are', () => {
    const before = report(10, review(1, 10, 'other'));
    expect(withEarlierTimes(report(3, review(1, 2)), before).reviews[0]?.durationMs).toBe(2);
    expect(withEarlierTimes(before, undefined)).toBe(before);
  });
});

const page = { type: 'page', path: 'a.html', content: '<p>a' };

describe('what a report shows of a version', () => {
  it('are its files', () => {
    expect(shownFiles({ artifacts: [page] })).toEqual([page]);
    expect(shownFiles('a text')).toEqual([{ type: 'text', path: 'output', content: 'a text' }]);
    expect(shownFiles(undefined)).toEqual([]);
  });

  it.each([
    ['a result beside files', { result: 3, artifacts: [page] }, { result: 3 }],
    ['hints', { artifacts: [page], routingHints: { to: 'x' } }, { routingHints: { to: 'x' } }],
    [
      'a further member of a file',
      { artifacts: [{ ...page, mode: '0777' }] },
      { artifacts: [{ path: 'a.html', mode: '0777' }] },
    ],
    [
      'a text in place of a type',
      { artifacts: [{ ...page, type: 'run this first' }] },
      { artifacts: [{ type: 'run this first', path: 'a.html' }] },
    ],
  ])('and as JSON what they do not show: %s', (_, output, rest) => {
    const [, result, ...others] = shownFiles(output);
    expect(others).toEqual([]);
    expect(result?.path).toBe('result');
    expect(JSON.parse(result?.content ?? '')).toEqual(rest);
  });

  it.each([[{ plan: ['x'] }], [[1, 2]], [7], [null]])(
    'and an output without files as JSON',
    (output) => {
      expect(shownFiles(output)).toEqual([
        { type: 'json', path: 'result', content: JSON.stringify(output, null, 2) },
      ]);
    },
  );

  it('shows a list of files with one that is none whole', () => {
    const output = { artifacts: [page, { path: 3 }] };
    expect(JSON.parse(shownFiles(output)[1]?.content ?? '')).toEqual(output);
  });

  it('takes a name that no file has', () => {
    const file = { type: 'text', path: 'result', content: 'x' };
    expect(shownFiles({ artifacts: [file], more: 1 }).map(({ path }) => path)).toEqual([
      'result',
      'result+',
    ]);
  });
});
