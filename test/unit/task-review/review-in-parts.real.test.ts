import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDiff } from '../../../src/diff/index.js';
import { splitDiff } from '../../../src/diff/split-diff.js';
import { gitDiff } from '../../../src/git/index.js';
import { reviewCode, TaskReview } from '../../../src/task-review/index.js';
import { newRepository } from '../../support/git-repository.js';
import { type Answer, reader, task } from './support.js';

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
