import { describe, expect, it } from 'vitest';
import { definePipeline, type Workspace } from '../../../src/index.js';
import { fakeWorkspace } from '../../../src/testing/index.js';
import { deferred, failed, never, passed, reviewer } from './support.js';

describe('the review of an output beside its files', () => {
  it('leaves these as they were, whatever a judge proposes', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'draft' });
    const mending = reviewer<string>('mending', async ({ output }) => {
      workspace.files.set('a.txt', 'done');
      return { assessments: [failed('text')], proposal: `${output}.` };
    });
    const review = await definePipeline<string, string>({
      workspace,
      reviewers: [mending],
    }).review('task', 'x');
    expect(review.assessments).toMatchObject([{ verdict: 'fail' }]);
    expect(Object.fromEntries(workspace.files)).toEqual({ 'a.txt': 'draft' });
  });

  it('is cancelled where its signal is aborted before the files were saved', async () => {
    const stop = new AbortController();
    const begun = deferred<void>();
    const workspace: Workspace = {
      snapshot: () => {
        begun.resolve();
        return never();
      },
      restore: async () => {},
    };
    const reviewing = definePipeline<string, string>({
      workspace,
      reviewers: [reviewer('judge', async () => [passed('judge')])],
    }).review('task', 'x', { signal: stop.signal });
    const ended = expect(reviewing).rejects.toMatchObject({ code: 'cancelled' });
    await begun.promise;
    stop.abort(new Error('enough'));
    await ended;
  });
});
