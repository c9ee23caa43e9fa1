import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitDiff } from '@/core/diff/diff-text.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { ReviewLoopError } from '@/core/errors.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { memoryStore } from '@/ports/memory-store.js';
import { reviewCode, TaskReview } from '@/products/task-review/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { newRepository } from '../../../support/git-repository.js';
import { errorWith } from '../../../support/matchers.js';
import { answerOf } from '../../../support/task-person.js';
import { type Answer, checks, project, reader, reviewOf, task } from './support.js';

/** A reviewer that says yes whatever it reads. */
const yes = () => reader(() => ({ verdict: 'passed', reason: 'fine' }));
const good = ['exports.value = 1;\n'];

describe('work that nobody could review is never done', () => {
  it.each([
    ['without checks', {}],
    ['with tests and lint', 'checks'],
    ['in markers', { review: { verdicts: 'markers' as const } }],
    ['without a review', { review: false as const }],
    ['with a person', { hitlReview: true }],
  ] as const)('an empty change is not approved or committed: %s [R2-003]', async (_, given) => {
    const repository = project();
    const committed: string[] = [];
    const provider = yes();
    const result = await new TaskReview({
      diff: gitDiff({ cwd: repository.cwd }),
      ...(given === 'checks' ? checks(repository.cwd) : given),
      ...(given === 'checks' || !('review' in given && given.review === false) ? { provider } : {}),
      execute: async () => {},
      commit: async ({ id }) => void committed.push(id),
      maxAttempts: 2,
    }).run(task);
    expect(result).toMatchObject({
      success: false,
      status: 'failed',
      code: 'NOTHING_CHANGED',
      machineVerdict: null,
      attempts: [{ errorCode: 'NOTHING_CHANGED' }, { errorCode: 'NOTHING_CHANGED' }],
      run: { status: 'exhausted', code: 'nothing_changed', approved: false },
    });
    expect(result.error).toMatch(/^the task changed no file; 2 of 2 attempts made \(maxAttempts\)/);
    expect(result.previousError).toContain('changed no file');
    expect(committed).toEqual([]);
    expect(provider.requests).toEqual([]);
  });

  it('work that is done before the review is judged the same way [R2-003]', async () => {
    const { cwd } = project();
    const result = await new TaskReview({ diff: gitDiff({ cwd }), provider: yes() }).run(task);
    expect(result).toMatchObject({ success: false, code: 'NOTHING_CHANGED' });
  });

  it('a reviewer that takes everything back leaves nothing to approve [R2-003]', async () => {
    const repository = project();
    const provider = reader((_, call) => {
      if (call > 0) return { verdict: 'passed' };
      repository.write('api.js', 'exports.value = 0;\n');
      return { verdict: 'fixed', reason: 'taken back' };
    });
    const { review } = reviewOf(repository, good, { provider, maxAttempts: 1, tests: undefined });
    expect(await review.run(task)).toMatchObject({ success: false, code: 'NOTHING_CHANGED' });
  });

  it('a binary file beside a text is not reviewed, unless the configuration leaves it out [R2-003]', async () => {
    const run = (allowUnseen?: readonly string[]) => {
      const repository = newRepository();
      return new TaskReview({
        diff: gitDiff({ cwd: repository.cwd }),
        provider: yes(),
        ...(allowUnseen && { review: { allowUnseen } }),
        execute: async () => {
          repository.write('logo.png', Buffer.from([0, 1, 2, 0, 255]));
          repository.write('page.md', 'tea\n');
        },
        maxAttempts: 1,
      }).run(task);
    };
    const hidden = await run();
    expect(hidden.success).toBe(false);
    expect(hidden.run.approved).toBe(false);
    expect(JSON.stringify(hidden)).toContain('not reviewed, because it is not text: logo.png');
    expect((await run(['.gif'])).success).toBe(false);
    expect(await run(['.png'])).toMatchObject({ success: true, run: { approved: true } });
    expect(() => run([''])).toThrow('allowUnseen');
  });

  it('required is refused if nobody can review, and taken with a person [R2-005]', async () => {
    const { cwd } = project();
    const diff = gitDiff({ cwd });
    const required = { diff, review: false, reviewPolicy: 'required' } as const;
    for (const options of [required, { ...required, ...checks(cwd) }])
      expect(() => new TaskReview(options)).toThrow(
        expect.objectContaining(errorWith('invalid_options', /`reviewPolicy`.*`review` is false/)),
      );
    expect(() => new TaskReview({ ...required, hitlReview: true })).not.toThrow();
  });

  it('a failed reviewer stops the task with its cause; the same run asks again later [R2-020]', async () => {
    const store = memoryStore();
    const repository = project();
    const committed: string[] = [];
    let works = false;
    const provider = scriptedProvider(() =>
      works
        ? JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] })
        : new ReviewLoopError('provider_missing', 'status 402: Credit balance is too low'),
    );
    const { review, told } = reviewOf(repository, good, {
      store,
      provider,
      commit: async ({ id }) => void committed.push(id),
    });
    const failed = await review.run(task, { runId: 'r' });
    expect(failed).toMatchObject({
      success: false,
      code: 'REVIEW_ERROR',
      run: { status: 'inconclusive', code: 'review_broken' },
    });
    expect(failed.error).toContain('Credit balance is too low');
    expect(committed).toEqual([]);
    works = true;
    expect(await review.run(task, { runId: 'r' })).toMatchObject({
      success: true,
      reviewStatus: 'passed',
      run: { status: 'approved' },
    });
    expect(committed).toEqual([task.id]);
    expect(told).toHaveLength(1);
  });

  it('prose is asked about again, in the same run too [R2-020]', async () => {
    const store = memoryStore();
    let works = false;
    const provider = scriptedProvider(() =>
      works ? JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] }) : 'It is fine.',
    );
    const { review } = reviewOf(project(), good, { store, provider });
    expect(await review.run(task, { runId: 'r' })).toMatchObject({
      success: false,
      code: 'REVIEW_NOT_RUN',
      error: expect.stringContaining('Review returned no verdict'),
    });
    works = true;
    expect(await review.run(task, { runId: 'r' })).toMatchObject({ success: true });
  });

  it('a person still decides about work without a verdict [R2-020]', async () => {
    const provider = scriptedProvider(() => 'It is fine.');
    const { review } = reviewOf(project(), good, { provider, hitlReview: true });
    const waiting = await review.run(task);
    expect(waiting).toMatchObject({ status: 'waiting', machineVerdict: 'not_run' });
    const person = answerOf({ kind: 'approve', by: 'Ada', reason: 'I read it' });
    expect(await review.ask(task, waiting, person)).toMatchObject({
      success: true,
      machineVerdict: 'not_run',
      run: { status: 'accepted', approved: false },
    });
  });
});

const names = Array.from({ length: 8 }, (_, index) => `file-${index}.md`);
const contentOf = (name: string, lines = 250): string =>
  `${`A line of ${name} that somebody reads.\n`.repeat(lines)}END OF ${name}\n`;
const passed: Answer = { verdict: 'passed', reason: 'fine' };

/** A task whose change is larger than one prompt. */
async function reviewed(
  judge: (diff: string) => Answer | Error,
  { lines = 250, ...review }: { lines?: number; roles?: readonly ['quality', 'testing'] } = {},
) {
  const repository = newRepository();
  const seen: string[] = [];
  const committed: string[] = [];
  const provider = reader((diff) => {
    seen.push(diff);
    return judge(diff);
  });
  const result = await new TaskReview({
    diff: gitDiff({ cwd: repository.cwd }),
    provider,
    review,
    reviewPolicy: 'required',
    reviewErrorRetries: 0,
    maxAttempts: 1,
    execute: async () => {
      for (const name of names) repository.write(name, contentOf(name, lines));
    },
    commit: async ({ id }) => void committed.push(id),
  }).run(task);
  return { result, seen, committed };
}

describe('a change that is larger than one prompt', () => {
  it('is approved if reviewers saw every part, each file whole', async () => {
    const { result, seen, committed } = await reviewed(() => passed);
    expect(result).toMatchObject({ success: true, machineVerdict: 'passed', issues: 0 });
    expect(committed).toEqual([task.id]);
    expect(seen.length).toBeGreaterThan(2);
    for (const name of names) {
      const holding = seen.filter((diff) => diff.includes(`END OF ${name}`));
      expect(holding, name).toHaveLength(1);
      expect(holding[0]?.split(`A line of ${name} `)).toHaveLength(251);
    }
    for (const [index, diff] of seen.entries()) {
      expect(diff).toMatch(new RegExp(`^\\[part \\d of ${seen.length}: other reviews see`));
      expect(Buffer.byteLength(diff), `part ${index + 1}`).toBeLessThanOrEqual(30_000);
    }
  });

  it.each([
    ['fails', { verdict: 'failed', reason: 'no tea', issues: [{ severity: 'major', text: 'x' }] }],
    ['ends in an error', new Error('down')],
    ['has no verdict', { verdict: 'none' } as never],
  ] as const)('is not approved if the review of one part %s', async (_, answer) => {
    const { result, committed } = await reviewed((diff) =>
      diff.includes('END OF file-7.md') ? answer : passed,
    );
    expect(result.success).toBe(false);
    expect(committed).toEqual([]);
    expect(result.reviewFindings).toMatch(/part 4: /);
    expect(result.run.approved).toBe(false);
  });

  it('is reviewed by each role, part by part', async () => {
    const { result, seen } = await reviewed(() => passed, { roles: ['quality', 'testing'] });
    expect(result.success).toBe(true);
    expect(seen.filter((diff) => diff.includes('END OF file-0.md'))).toHaveLength(2);
  });

  it('is undecided, after one call, if one file alone is too large', async () => {
    const { result, seen, committed } = await reviewed(() => passed, { lines: 2000 });
    expect(result.success).toBe(false);
    expect(committed).toEqual([]);
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(result)).toMatch(/only \d+ of \d+ bytes were shown \(diffBytes: 30000\)/);
  });

  it('is reviewed in parts by reviewCode', async () => {
    const text = names.map((name) => patchOf(name, contentOf(name))).join('');
    const change = { text, files: await parseDiff(text) };
    let calls = 0;
    const provider = reader(() => {
      calls += 1;
      return passed;
    });
    expect(await reviewCode(task, { provider }, { change })).toMatchObject({ verdict: 'passed' });
    expect(calls).toBe(4);
  });
});

const patchOf = (name: string, content: string): string => {
  const lines = content.split('\n').slice(0, -1);
  return [
    `diff --git a/${name} b/${name}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${name}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
};

it('parts lose nothing, split no file and keep their limit', async () => {
  const files = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 400, max: 5000 }), async (sizes, maxBytes) => {
      const patches = sizes.map((size, index) => patchOf(`ä${index}.md`, '€ tea\n'.repeat(size)));
      const parsed = await parseDiff(patches.join(''));
      const parts = splitDiff({ files: parsed }, { maxBytes });
      const largest = Math.max(...patches.map((patch) => Buffer.byteLength(patch)));
      expect(parts === undefined).toBe(largest > maxBytes - 100);
      if (parts === undefined) return;
      const bodies = parts.map((part) => part.slice(part.indexOf('\n') + 1));
      expect(bodies.join('')).toBe(patches.join(''));
      for (const [index, part] of parts.entries()) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
        expect(part.startsWith(`[part ${index + 1} of ${parts.length}: `)).toBe(true);
        expect(bodies[index]).toMatch(/^diff --git /);
      }
    }),
    { numRuns: 60 },
  );
});
