import { describe, expect, it } from 'vitest';
import { attemptMemory } from '../../../../src/ports/attempt-store.js';
import { answerOf } from '../../../support/task-person.js';
import { codeOf, major, minor, passes, project, reader, reviewOf, task } from './support.js';

describe('a task goes through tests, lint, review, person and commit', () => {
  it('passes and is committed once; the attempt is kept', async () => {
    const repository = project();
    const attempts = attemptMemory();
    const committed: string[] = [];
    const provider = passes();
    const { review } = reviewOf(repository, ['exports.value = 1;\n'], {
      attempts,
      provider,
      commit: async (_, work, { key }) => void committed.push(`${key.split('/')[0]} ${work.change.files.length}`),
    });
    const result = await review.run(task, { runId: 'r1' });
    expect(result).toMatchObject({ success: true, status: 'success', reviewStatus: 'passed', machineVerdict: 'passed', humanDecision: null, code: null, run: { status: 'approved' } });
    await review.run(task, { runId: 'r1' });
    expect(committed).toEqual(['r1 1']);
    expect(await attempts.of('TASK-003')).toMatchObject([{ attempt: 1, reviewStatus: 'passed', issues: 0, errorCode: null }]);
    expect(provider.requests).toHaveLength(1);
    const prompt = provider.requests[0]?.messages[0]?.content ?? '';
    expect(prompt).toContain('15 passed, 0 failed');
    expect(prompt).toContain('## Lint Status\nClean');
    expect(prompt).toContain('- [x] has a route');
  });

  it('failing tests are told to the next attempt, and nobody is asked about code that does not pass them', async () => {
    const repository = project();
    const provider = passes();
    const { review, told } = reviewOf(repository, ['exports.value = 0; // still\n', 'exports.value = 2;\n'], { provider });
    const result = await review.run(task);
    expect(result).toMatchObject({ success: true, reviewStatus: 'passed', attempts: [{ status: 'failed', errorCode: 'TESTS_FAILED', machineVerdict: null }, { status: 'success' }] });
    expect(told[0]).toBeUndefined();
    expect(told[1]).toContain('0 passed, 1 failed');
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.messages[0]?.content).toContain('## Previous Errors (if retry)');
  });

  it('what the reviewer fixed is tested and reviewed again before it passes', async () => {
    const repository = project();
    const provider = reader((diff, call) => {
      if (call === 0) {
        repository.write('api.js', 'exports.value = 5; // mended\n');
        return {
          verdict: 'fixed',
          reason: 'mended',
          issues: [
            { ...major, fixed: true },
            { ...minor, fixed: true },
          ],
        };
      }
      return diff.includes('mended') ? { verdict: 'passed' } : { verdict: 'failed' };
    });
    const { review } = reviewOf(repository, ['exports.value = 1;\n'], { provider });
    const result = await review.run(task);
    expect(result).toMatchObject({ success: true, reviewStatus: 'fixed', issues: 2, attempts: [{ attempt: 1 }], run: { status: 'approved' } });
    expect(result.attempts).toHaveLength(1);
    expect(codeOf(repository)).toContain('mended');
  });

  it('advisory lets a failed review through as accepted, required does not', async () => {
    const provider = () => reader(() => ({ verdict: 'failed', reason: 'bad', issues: [major] }));
    const advisory = await reviewOf(project(), ['exports.value = 1;\n'], { provider: provider() }).review.run(task);
    expect(advisory).toMatchObject({ success: true, reviewStatus: 'failed', issues: 1, run: { status: 'accepted', approved: false, because: { kind: 'advisory' } } });
    const required = await reviewOf(project(), ['exports.value = 1;\n', 'exports.value = 2;\n'], { provider: provider(), reviewPolicy: 'required', maxAttempts: 2 }).review.run(task);
    expect(required).toMatchObject({ success: false, code: 'REVIEW_FAILED', reviewStatus: 'failed', run: { status: 'exhausted' } });
    expect(required.attempts).toHaveLength(2);
  });

  it('fix really does the task again, with the findings', async () => {
    const repository = project();
    const provider = reader((diff) => (diff.includes('try') ? { verdict: 'passed' } : { verdict: 'failed', reason: 'no', issues: [major] }));
    const { review, told } = reviewOf(repository, ['exports.value = 1;\n', 'exports.value = 1; // try\n'], { provider, hitlReview: true });
    const waiting = await review.run(task);
    expect(waiting).toMatchObject({ success: false, status: 'waiting', machineVerdict: 'failed' });
    const result = await review.ask(task, waiting, answerOf({ kind: 'revise', by: 'Ada' }, { kind: 'approve', by: 'Ada' }));
    expect(told[1]).toContain('Fix requested. Review findings:');
    expect(told[1]).toContain('No error handling');
    expect(result).toMatchObject({
      success: true,
      reviewStatus: 'passed',
      humanDecision: 'approve',
      attempts: [{ humanDecision: 'fix', reviewStatus: 'rejected', machineVerdict: 'failed', errorCode: 'FIX_REQUESTED' }, { humanDecision: 'approve' }],
    });
  });
});
