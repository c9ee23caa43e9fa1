import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { criterion } from '@/blocks/reviewers/criterion.js';
import type { CriterionResult } from '@/core/criterion.js';
import type { Outcome } from '@/core/outcome.js';
import { errorWith } from '../../../support/matchers.js';
import { throwing } from '../../../support/throwing.js';
import '@/testing/vitest.js';
import { tempFolder } from '../../../support/temp-folder.js';

type Check = () => boolean | string | CriterionResult | Promise<boolean>;

function outcomeOf(check: Check, options: object = {}): Promise<Outcome<string>> {
  return definePipeline({
    produce: async (_: string) => '# Tea',
    criteria: { titled: { check, description: 'Give it a title.' } },
    retries: 0,
    ...options,
  }).run('tea');
}

const broken = throwing('the judge is down');

const folder = () => tempFolder('reviewloop-matcher');

describe('expect(outcome).toBeApproved()', () => {
  it('passes for an approved run, and says what a run lacks', async () => {
    await expect(await outcomeOf(() => true)).toBeApproved();
    await expect(outcomeOf(() => true)).resolves.toBeApproved();
    const refused = await outcomeOf(() => 'no title\n::error::x');
    await expect(refused).not.toBeApproved();
    const text = await expect(refused)
      .toBeApproved()
      .catch((error: Error) => error.message);
    expect(String(text).split('\n')).toEqual([
      expect.stringMatching(
        /^expected the run to be approved; it is exhausted: 1 critical or major gap/,
      ),
      '  - [major] titled: no title ::error::x | fix: Give it a title.',
      `run: ${refused.runId}`,
    ]);
    await expect(expect(await outcomeOf(() => true)).not.toBeApproved()).rejects.toThrow(
      'expected the run not to be approved; it is approved:',
    );
  });

  it('takes a judge that failed or could not tell neither for a yes nor for a no', async () => {
    const failed = await outcomeOf(broken);
    await expect(expect(failed).toBeApproved()).rejects.toThrow(
      /inconclusive:[\s\S]*\[judge failed\] titled: .*the judge is down/,
    );
    await expect(expect(failed).not.toBeApproved()).rejects.toThrow(
      'inconclusive says neither yes nor no about the output:',
    );
    const open = await outcomeOf(() => ({
      passed: false,
      score: 0,
      details: '',
      undecided: 'the picture is too small',
    }));
    await expect(expect(open).toBeApproved()).rejects.toThrow(/\[undecided\].*too small/);
    await expect(expect(open).not.toBeApproved()).rejects.toThrow('neither yes nor no');
  });

  it('takes an accepted run for not approved, but not if nobody reviewed it', async () => {
    const outcome = await outcomeOf(() => 'no title');
    const accepted = (kind: string) => ({
      ...outcome,
      status: 'accepted',
      acceptance: { kind, by: 'Ada', reason: 'known' },
    });
    await expect(accepted('override')).not.toBeApproved();
    await expect(expect(accepted('override')).toBeApproved()).rejects.toThrow('it is accepted');
    await expect(expect(accepted('not_reviewed')).not.toBeApproved()).rejects.toThrow('neither');
  });

  it('writes the report of the run, and replaces no other file', async () => {
    const path = join(folder(), 'reports/tea.html');
    const refused = await outcomeOf(() => 'no title');
    await expect(expect(refused).toBeApproved({ report: path })).rejects.toThrow(`report: ${path}`);
    expect(readFileSync(path, 'utf8')).toContain('no title');
    await expect(await outcomeOf(() => true)).toBeApproved({ report: path, task: 'Make tea' });
    expect(readFileSync(path, 'utf8')).toContain('Make tea');
    const own = join(folder(), 'page.html');
    writeFileSync(own, '<p>mine</p>');
    await expect(expect(refused).not.toBeApproved({ report: own })).rejects.toMatchObject(
      errorWith('invalid_options', '`report`'),
    );
    expect(readFileSync(own, 'utf8')).toBe('<p>mine</p>');
    expect(existsSync(path)).toBe(true);
  });

  it('refuses what is no outcome, a promise among it, and unknown options', async () => {
    for (const value of [
      undefined,
      null,
      'approved',
      { status: 'approved' },
      outcomeOf(() => true),
    ])
      await expect(expect(value).toBeApproved()).rejects.toThrow('the outcome of a run, awaited');
    const misspelt = { raport: 'x.html' } as object;
    await expect(expect(await outcomeOf(() => true)).toBeApproved(misspelt)).rejects.toThrow(
      'toBeApproved has no option `raport`',
    );
  });

  it('lists twenty gaps, and how many more there are', async () => {
    const findings = Array.from({ length: 23 }, (_, index) => ({
      description: `gap ${index}`,
      file: 'a.html',
      line: index + 1,
    }));
    const many = criterion('many', () => ({ passed: false, score: 0.1, details: 'x', findings }));
    const text = await expect('x')
      .toPass(many)
      .catch((error: Error) => error.message);
    expect(text).toContain('  - [major] a.html:20 gap 19\n  and 3 more gaps');
  });
});

describe('expect(output).toPass(criterion)', () => {
  it('takes a check that could not tell neither for a pass nor for a failure', async () => {
    const unsure = criterion('unsure', () => ({
      passed: false,
      score: 0,
      details: '',
      undecided: 'cut off',
    }));
    for (const assertion of [expect('x'), expect('x').not])
      await expect(assertion.toPass(unsure)).rejects.toThrow('unsure could not tell: cut off');
  });

  it('keeps what it found in the meta data of the test', async ({ task }) => {
    await expect('x').toPass(
      criterion('near', () => ({ passed: true, score: 0.999, details: '' })),
    );
    await expect(expect('x').toPass(criterion('down', broken))).rejects.toThrow(
      'the judge is down',
    );
    expect(task.meta.reviewloop).toEqual([
      { matcher: 'toPass', id: 'near', verdict: 'pass', text: '', score: 0.99, gaps: [] },
      { matcher: 'toPass', id: 'down', verdict: 'errored', text: expect.any(String), gaps: [] },
    ]);
  });

  it('refuses unknown options', async () => {
    const options = { timeout: 5 } as object;
    await expect(
      expect('x').toPass(
        criterion('titled', () => true),
        options,
      ),
    ).rejects.toThrow('toPass has no option `timeout`; it has task, context, timeoutMs');
  });

  it('also aborts by the signal of the caller', async () => {
    const own = new AbortController();
    let seen: AbortSignal | undefined;
    const waits = criterion('waits', (_: string, __: unknown, { signal }) => {
      seen = signal;
      return true;
    });
    await expect('x').toPass(waits, { context: { signal: own.signal } });
    expect(seen?.aborted).toBe(false);
    own.abort();
    expect(seen?.aborted).toBe(true);
  });
});
