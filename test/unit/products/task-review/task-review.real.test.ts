import { describe, expect, it } from 'vitest';
import { withBudget } from '@/blocks/models/middleware/with-spending-limit.js';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { choiceLine, choicesOf } from '@/faces/people/prompts.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { memoryAttempts, TaskAttemptSchema } from '@/ports/attempt-store.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { ReviewTask } from '@/products/task-review/task.js';
import { isPermanentTaskError } from '@/products/task-review/task-attempts.js';
import { taskQuestionTexts } from '@/products/task-review/task-definition.js';
import { postDoneHook, TaskReview } from '@/products/task-review/task-review.js';
import { hang, scriptedProvider } from '@/testing/index.js';
import { newRepository } from '../../../support/git-repository.js';
import { answerOf } from '../../../support/task-person.js';
import { checks, major, minor, passes, project, reader, reviewOf, task } from './support.js';

const good = ['exports.value = 1;\n'];
const fails = () => reader(() => ({ verdict: 'failed', reason: 'bad', issues: [major] }));

describe('a task goes through tests, lint, review, person and commit', () => {
  it('tests, then lint, then the review, which is shown what they said; committed once [P4-15, P4-30]', async () => {
    const repository = project();
    const attempts = memoryAttempts();
    const committed: string[] = [];
    const provider = passes();
    const { review } = reviewOf(repository, good, {
      attempts,
      provider,
      commit: async (_, work, { key }) =>
        void committed.push(`${key.split('/')[0]} ${work.change.files.length}`),
    });
    const order: string[] = [];
    review.on('reviewer-start', ({ reviewer }) => void order.push(reviewer));
    const result = await review.run(task, { runId: 'r1' });
    expect(result).toMatchObject({
      ...{ success: true, status: 'success', reviewStatus: 'passed', machineVerdict: 'passed' },
      ...{ humanDecision: null, code: null, run: { status: 'approved' } },
    });
    expect(order).toEqual(['checks', 'review']);
    const judged = result.run.reviews[0]?.assessments.map(({ criterion }) => criterion);
    expect(judged).toEqual(['execution', 'tests', 'lint', 'review']);
    await review.run(task, { runId: 'r1' });
    expect(committed).toEqual(['r1 1']);
    expect(await attempts.of('TASK-003')).toMatchObject([
      { attempt: 1, reviewStatus: 'passed', issues: 0, errorCode: null },
    ]);
    expect(provider.requests).toHaveLength(1);
    const prompt = provider.requests[0]?.messages[0]?.content ?? '';
    expect(readFences(prompt).find(({ label }) => label === 'test results')?.text).toMatch(
      /15 passed, 0 failed$/,
    );
    expect(prompt).toContain('## Lint Status\nClean');
  });

  it('the log has one structured record for each review, with its run and its decision [P4-48]', async () => {
    const records: [object, string][] = [];
    const info = (fields: object, message: string): void => void records.push([fields, message]);
    const logger = { debug: info, info, warn: info, error: info };
    const { review } = reviewOf(project(), good, { logger });
    await review.run(task, { runId: 'r1' });
    expect(records).toContainEqual([
      expect.objectContaining({ run: 'r1', iteration: 1, gaps: 0, decision: 'approve' }),
      'review finished',
    ]);
    expect(() => records.map((record) => JSON.stringify(record))).not.toThrow();
  });

  it('tokens of the review are counted, and a budget that is used up leaves the task not reviewed [P4-51]', async () => {
    const usage = { inputTokens: 900, outputTokens: 100 };
    const answer = JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] });
    const run = async (limit: number) => {
      const attempts = memoryAttempts();
      const paid = scriptedProvider(() => ({ text: answer, usage }));
      const provider = withBudget(paid, { tokens: limit });
      const { review } = reviewOf(project(), good, { attempts, provider });
      const result = await review.run(task);
      return { result, asked: paid.requests.length, attempts: await attempts.of(task.id) };
    };
    const enough = await run(100_000);
    expect(enough.result).toMatchObject({ success: true, machineVerdict: 'passed' });
    expect(enough.attempts[0]?.reviewUsage).toMatchObject({ ...usage, totalTokens: 1000 });
    const short = await run(10);
    expect(short.asked).toBe(0);
    expect(short.result.machineVerdict).toBe('not_run');
    expect(short.attempts[0]?.reviewFindings).toContain('No budget for the review');
  });

  it('advisory lets a failed review through as accepted, required does not [D002-09]', async () => {
    const advisory = await reviewOf(project(), good, { provider: fails() }).review.run(task);
    expect(advisory).toMatchObject({
      success: true,
      reviewStatus: 'failed',
      issues: 1,
      run: { status: 'accepted', approved: false, acceptance: { kind: 'advisory' } },
    });
    const required = await reviewOf(project(), [...good, 'exports.value = 2;\n'], {
      provider: fails(),
      reviewPolicy: 'required',
      maxAttempts: 2,
    }).review.run(task);
    expect(required).toMatchObject({
      success: false,
      code: 'REVIEW_FAILED',
      reviewStatus: 'failed',
      run: { status: 'exhausted' },
    });
    expect(required.attempts).toHaveLength(2);
  });

  it.each(['advisory', 'required'] as const)(
    'a review that times out is not_run, never passed or accepted: %s stops',
    async (reviewPolicy) => {
      expect(
        await reviewOf(project(), good, {
          provider: scriptedProvider(() => hang),
          review: { timeoutMs: 200 },
          reviewPolicy,
        }).review.run(task),
      ).toMatchObject({
        ...{ success: false, code: 'REVIEW_NOT_RUN', reviewStatus: 'not_run' },
        error: expect.stringContaining('Review timed out'),
        run: { status: 'inconclusive', code: 'review_not_run' },
      });
    },
  );

  it('a review that broke is asked for again, a bounded number of times', async () => {
    let calls = 0;
    const provider = reader(() => {
      calls += 1;
      return calls === 1 ? new Error('connection reset') : { verdict: 'passed' };
    });
    expect(await reviewOf(project(), good, { provider }).review.run(task)).toMatchObject({
      success: true,
      reviewStatus: 'passed',
    });
    expect(calls).toBe(2);
  });

  it('the diff is against the commit that stood before the task, also the first one [D002-02]', async () => {
    const repository = newRepository();
    const provider = reader((diff) => ({
      verdict: diff.includes('+exports.value = 1') && !diff.includes('other') ? 'passed' : 'failed',
    }));
    const run = () =>
      new TaskReview({
        ...{ diff: gitDiff({ cwd: repository.cwd }), provider },
        execute: async () => repository.write('api.js', 'exports.value = 1;\n'),
      }).run(task);
    expect(await run()).toMatchObject({ reviewStatus: 'passed' });
    repository.write('other.js', 'other');
    repository.commit();
    repository.write('api.js', '');
    repository.commit();
    expect(await run()).toMatchObject({ reviewStatus: 'passed' });
  });

  it('refuses wrong use when it is built', async () => {
    const diff = gitDiff();
    expect(() => new TaskReview({ diff })).toThrow(/no provider is set/);
    expect(() => new TaskReview({ provider: passes() } as never)).toThrow(/diff/);
    const { review } = reviewOf(project(), good);
    const waiting = await review.run(task);
    for (const wrong of [{ id: '', name: 'x' }, null, 'TASK-1'] as unknown[] as ReviewTask[]) {
      const version = { runId: 'r', digest: 'd' };
      for (const refused of [
        review.run(wrong),
        review.answer(wrong, { ...version, id: 'q' }, { kind: 'approve', by: 'Ada' }),
        review.override(wrong, version, { by: 'Ada', reason: 'x' }),
        review.ask(wrong, waiting, answerOf()),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'task_invalid' });
    }
  });
});

describe('the person at the gate', () => {
  const failFast = (
    provider = fails(),
    contents: readonly string[] = [...good, 'exports.value = 1; // try\n'],
  ) => reviewOf(project(), contents, { provider, hitlReview: true });
  const asked = async (review: TaskReview, ...answers: Parameters<typeof answerOf>) =>
    review.ask(task, await review.run(task), answerOf(...answers));

  it('reject fails the task for good, as REVIEW_REJECTED [P4-36, P4-42, P4-43, R2-067]', async () => {
    const { review, told } = failFast(passes());
    const result = await asked(review, { kind: 'reject', by: 'Ada' });
    expect(result).toMatchObject({
      ...{ success: false, status: 'failed', reviewStatus: 'rejected', code: 'REVIEW_REJECTED' },
      ...{ error: 'Review rejected by human', machineVerdict: 'passed', previousError: null },
    });
    expect(result.attempts.at(-1)).toMatchObject({ decidedBy: 'Ada', decisionReason: null });
    expect(isPermanentTaskError(result.code)).toBe(true);
    expect(isPermanentTaskError('FIX_REQUESTED')).toBe(false);
    expect(told).toHaveLength(1);
  });

  it('fix really does the task again, with the findings as its error [P4-37, P4-39, D002-04, D002-13, R2-067]', async () => {
    const { review, told } = failFast(
      reader((diff) =>
        diff.includes('try')
          ? { verdict: 'passed' }
          : { verdict: 'failed', reason: 'no', issues: [major] },
      ),
    );
    const waiting = await review.run(task);
    expect(waiting).toMatchObject({ success: false, status: 'waiting', machineVerdict: 'failed' });
    const result = await review.ask(
      task,
      waiting,
      answerOf({ kind: 'revise', by: 'Ada' }, { kind: 'approve', by: 'Ada' }),
    );
    expect(told[1]).toMatch(/^Fix requested\. Review findings:\n[\s\S]*No error handling/);
    expect(result).toMatchObject({
      success: true,
      reviewStatus: 'passed',
      attempts: [
        {
          ...{ humanDecision: 'fix', decidedBy: 'Ada', reviewStatus: 'rejected' },
          decisionReason: expect.stringContaining('No error handling') as string,
          ...{ machineVerdict: 'failed', errorCode: 'FIX_REQUESTED' },
        },
        { humanDecision: 'approve', machineVerdict: 'passed' },
      ],
      run: { status: 'approved' },
    });
  });

  it('skip accepts without a verdict, and differs from a review that did not run [P4-38, D002-06]', async () => {
    const { review } = failFast();
    const skipped = await asked(review, { kind: 'skip', by: 'Ada' });
    expect(skipped).toMatchObject({
      success: true,
      reviewStatus: 'skipped',
      humanDecision: 'skip',
      machineVerdict: 'failed',
      run: { status: 'accepted', acceptance: { kind: 'skip' } },
    });
    const off = await reviewOf(project(), good, { review: false }).review.run(task);
    expect(off).toMatchObject({
      success: true,
      reviewStatus: 'skipped',
      humanDecision: null,
      machineVerdict: 'skipped',
    });
  });

  it('the gate is asked and shows the error when nobody reviewed [D002-07]', async () => {
    const { review } = reviewOf(project(), good, {
      provider: scriptedProvider(() => hang),
      review: { timeoutMs: 200 },
      hitlReview: true,
    });
    const person = answerOf();
    const result = await review.ask(task, await review.run(task), person);
    expect(person.shown[0]?.assessment).toMatch(/Review timed out[\s\S]*Verdict: REVIEW_NOT_RUN/);
    expect(result).toMatchObject({ success: false, status: 'waiting', reviewStatus: 'not_run' });
  });

  it('a gate is answered in another process, from the journal alone, and nothing is done twice', async () => {
    const repository = project();
    const store = memoryStore();
    const first = reviewOf(repository, good, { store, provider: fails(), hitlReview: true });
    const waiting = await first.review.run(task, { runId: 'x' });
    const second = reviewOf(repository, good, {
      store,
      provider: scriptedProvider([]),
      hitlReview: true,
    });
    expect(
      await second.review.ask(
        task,
        await second.review.run(task, { runId: 'x' }),
        answerOf({ kind: 'skip', by: 'Ada' }),
      ),
    ).toMatchObject({ success: true, reviewStatus: 'skipped' });
    expect(second.told).toHaveLength(0);
    expect(waiting.run.status).toBe('suspended');
  });
});

it('an attempt has a status that may be null, and findings of at most 2048 bytes [P4-16, P4-17]', async () => {
  const long = reader(() => ({
    verdict: 'failed',
    reason: Array.from({ length: 900 }, (_, index) => `wörd ${index}`).join(' '),
    issues: [major],
  }));
  const attempts = memoryAttempts();
  await reviewOf(project(), good, { provider: long, attempts }).review.run(task);
  const last = await attempts.last(task.id);
  expect(Buffer.byteLength(last?.reviewFindings ?? '')).toBeLessThanOrEqual(2048);
  expect(last?.reviewFindings).toContain('wörd');
  await reviewOf(project(), ['exports.value = 0;'], { attempts, maxAttempts: 1 }).review.run({
    ...task,
    id: 'T-2',
  });
  expect(await attempts.last('T-2')).toMatchObject({ reviewStatus: null });
  for (const status of ['passed', 'fixed', 'failed', 'skipped', 'rejected', null])
    expect(TaskAttemptSchema.shape.reviewStatus.safeParse(status).success).toBe(true);
});

it('postDoneHook returns success, error, status and findings for a task that is done already [P4-01]', async () => {
  const repository = project();
  repository.write('api.js', 'exports.value = 1;\n');
  const options = { diff: gitDiff({ cwd: repository.cwd }), ...checks(repository.cwd) };
  expect(await postDoneHook(task, { ...options, provider: passes() })).toEqual([
    true,
    null,
    'passed',
    'fine\nREVIEW_PASSED: fine',
  ]);
  const [success, error, status] = await postDoneHook(task, {
    ...options,
    provider: fails(),
    hitlReview: true,
    person: answerOf({ kind: 'revise', by: 'Ada' }),
  });
  expect([success, status]).toEqual([false, 'rejected']);
  expect(error).toMatch(/^Fix requested\. Review findings:\n[\s\S]*No error handling/);
  expect(
    await postDoneHook(task, { ...options, provider: fails(), hitlReview: true }),
  ).toMatchObject([false, 'waiting for a person', 'failed', expect.stringContaining('No error')]);
});

it('the gate names the task, lists the issues with their places and the verdict, and has the four keys [P4-32, P4-33, P4-34]', async () => {
  const provider = reader(() => ({ verdict: 'failed', reason: 'bad', issues: [major, minor] }));
  const { run } = await reviewOf(project(), ['exports.value = 1;\n'], {
    provider,
    hitlReview: true,
  }).review.run(task);
  const texts = taskQuestionTexts(task, run.reviews.at(-1), run.output);
  expect(texts.title).toBe('📋 Review: TASK-003 — Add API endpoints');
  expect(texts.assessment).toBe(
    '2 issues found:\n  MAJOR: No error handling in API call (api.js:1)\n  MINOR: Unused import (utils.js:1)\n\nVerdict: REVIEW_FAILED',
  );
  const [request] = run.status === 'suspended' ? run.requests : [];
  expect(request && choiceLine(choicesOf(request, {}))).toMatch(
    /^\[a\]pprove {2}\[r\]eject {2}\[f\]ix-and-retry {2}\[s\]kip/,
  );
});

it('the work at a task asks a person, and goes on with the answer', async () => {
  const repository = project();
  const { review } = reviewOf(repository, [], {
    store: memoryStore(),
    execute: async (_, { ask }) => {
      const { kind } = await ask('tool', { question: 'Write the file?', allowed: ['approve'] });
      if (kind === 'approve') repository.write('api.js', 'exports.value = 1;\n');
    },
  });
  const asked = await review.run(task, { runId: 'r1' });
  if (asked.run.status !== 'suspended') throw new Error(asked.run.reason);
  expect(asked).toMatchObject({ success: false });
  expect(asked.run.requests[0]).toMatchObject({ from: 'produce', question: 'Write the file?' });
  const ended = await review.answer(task, asked.run.requests[0], { kind: 'approve', by: 'Ada' });
  expect(ended).toMatchObject({ success: true, reviewStatus: 'passed' });
});
