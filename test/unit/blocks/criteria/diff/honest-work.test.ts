import { describe, expect, it } from 'vitest';
import { honestWork } from '@/blocks/criteria/diff/honest-work.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { DiffFile } from '@/core/diff/diff-source.js';
import { type AllowedSecret, secretFingerprint } from '@/core/redact/allowed-secrets.js';
import { noProgress } from '@/engine/policies/no-progress.js';
import { thresholds } from '@/engine/policies/thresholds.js';
import { added, changed, deleted } from './changes.js';

const bad = changed('src/a.test.ts', "-it('adds', () => {\n+it.skip('adds', () => {");
const fine = changed('src/a.ts', '-a();\n+b();');

const judge = (files: readonly DiffFile[], options = {}) =>
  honestWork(options).validate({ files }, undefined, { previous: [] });

describe('honest work', () => {
  it('fails with the place, the line and what to do', async () => {
    const { passed, score, details, findings } = await judge([fine, bad]);
    expect({ passed, score, details }).toEqual({
      ...{ passed: false, score: 0 },
      details: 'src/a.test.ts:10 a test is skipped',
    });
    expect(findings).toEqual([
      {
        ...{ file: 'src/a.test.ts', line: 10, severity: 'major' },
        description: 'a test is skipped',
        evidence: "it.skip('adds', () => {",
        suggestedFix: `Undo this, and make the check pass (${secretFingerprint("it.skip('adds', () => {")})`,
      },
    ]);
  });

  it('passes a change that weakens nothing', async () => {
    expect(await judge([fine])).toMatchObject({ passed: true, score: 1, findings: [] });
  });

  it('passes with remarks', async () => {
    const code = deleted('add.py', 'def add(a):\n    return a');
    const test = deleted('test_add.py', 'def test_it():\n    assert add(1) == 1');
    const { passed, findings } = await judge([code, test]);
    expect([passed, findings?.map(({ severity }) => severity)]).toEqual([true, ['minor']]);
  });

  it('does not apply to other files', async () => {
    const others = [
      changed('README.md', "+it.skip('adds')"),
      changed('a.png', '', { binary: true }),
    ];
    expect((await judge(others)).skipped).toBe(
      'no test, code or setting of a known language changed',
    );
    expect((await judge([])).skipped).toBeDefined();
  });

  it('names the worst findings first, and at most 50', async () => {
    const many = Array.from({ length: 60 }, () => "+it.skip('adds', () => {").join('\n');
    const { findings = [], details } = await judge([
      added('tsconfig.json', '"strict": false'),
      changed('a.test.ts', many),
    ]);
    expect([findings.length, findings[0]?.severity]).toEqual([50, 'major']);
    expect(details).toMatch(/; 56 more$/);
  });

  it('quotes no secret', async () => {
    const key = `sk-${'ant-api03-'}${'aB3'.repeat(20)}`;
    const { findings = [] } = await judge([changed('a.py', `+key = "${key}"  # noqa: S105`)]);
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain(key);
  });
});

/** Files whose change is not there to be judged. */
const unread: readonly (readonly [string, DiffFile])[] = [
  ['a binary file', changed('a.ts', '', { binary: true, hunks: [] })],
  ['a file beyond the limit', changed('a.ts', '', { omitted: true, hunks: [] })],
  ['a file in conflict', changed('a.ts', '+a', { status: 'unmerged' })],
  ['a hunk that was cut', changed('a.ts', '+a', { added: 9 })],
  ['a setting without its lines', changed('package.json', '', { added: 1, hunks: [] })],
  ['a snapshot of pixels', changed('__image_snapshots__/a.png', '', { binary: true, hunks: [] })],
];

describe('what cannot be read', () => {
  it.each(unread)('is undecided: %s', async (_, file) => {
    const { passed, undecided } = await judge([fine, file]);
    expect(passed).toBe(false);
    expect(undecided).toContain(file.path);
  });

  it('hides no finding in other files', async () => {
    const [[, file]] = unread as [(typeof unread)[number]];
    const { passed, undecided, findings } = await judge([bad, file]);
    expect([passed, undecided, findings?.length]).toEqual([false, undefined, 1]);
  });

  it('is no approval of a pipeline', async () => {
    const [[, file]] = unread as [(typeof unread)[number]];
    const pipeline = definePipeline({
      produce: async () => ({ files: [fine, file] }),
      reviewers: [honestWork()],
      policy: noProgress(thresholds()),
    });
    expect((await pipeline.run('task')).status).toBe('inconclusive');
  });
});

/** Entries of a list, and whether they allow the line. */
const entries: readonly (readonly [string, Omit<AllowedSecret, 'reason'>, boolean])[] = [
  ['its number', { path: 'src/a.test.ts', line: 10 }, true],
  [
    'its fingerprint',
    { path: './src/a.test.ts', fingerprint: secretFingerprint("it.skip('adds', () => {") },
    true,
  ],
  ['another number', { path: 'src/a.test.ts', line: 11 }, false],
  ['another path', { path: 'src/b.test.ts', line: 10 }, false],
  [
    'the fingerprint of another line',
    { path: 'src/a.test.ts', fingerprint: secretFingerprint('x') },
    false,
  ],
];

describe('a line that a person allows', () => {
  it.each(entries)('is named by %s', async (_, entry, allows) => {
    const allowed = [{ ...entry, reason: 'flaky until the next release' }];
    expect((await judge([bad], { allowed })).passed).toBe(allows);
    expect(honestWork({ allowed }).version).not.toBe(honestWork().version);
  });

  it('covers all tests that were deleted together, not fewer or more', async () => {
    const two = "it('adds', () => {\n});\nit('removes', () => {\n});";
    const fingerprint = secretFingerprint("it('adds', () => {\nit('removes', () => {");
    const allowed = [{ path: 'a.test.ts', fingerprint, reason: 'both are obsolete' }];
    const passes = async (text: string) =>
      (await judge([deleted('a.test.ts', text)], { allowed })).passed;
    expect(await passes(two)).toBe(true);
    expect(await passes(two.split('\n').slice(0, 2).join('\n'))).toBe(false);
    expect(await passes(`${two}\nit('divides', () => {\n});`)).toBe(false);
  });

  it('has a reason', () => {
    const allowed = [{ path: 'a.ts', line: 1, reason: ' ' }];
    expect(() => honestWork({ allowed })).toThrow(/`reason`/);
    expect(() => honestWork({ allow: [] } as never)).toThrow(/allow/);
  });
});

describe('hostile input', () => {
  it('is read: null bytes, a line of a megabyte, hunks without lines', async () => {
    const long = `+expect(${"'a' + ".repeat(170_000)}a).toBe(1); // @ts-ignore`;
    const files = [
      changed('a.test.ts', `\0\n-\0it('a\0', () => {\n+\0`),
      changed('b.ts', long),
      changed('c.test.ts', ''),
      changed('\0', '+a'),
    ];
    const { findings = [] } = await judge(files);
    expect(findings.map(({ file }) => file)).toEqual(['a.test.ts', 'b.ts']);
    expect(findings[1]?.evidence?.length).toBeLessThanOrEqual(200);
  });

  it('never passes if it is no diff', async () => {
    for (const output of [null, {}, { files: null }, { files: [null] }, { files: [{}] }]) {
      const [assessment] = await assessmentsOf(output);
      expect(assessment?.verdict).not.toBe('pass');
    }
  });

  it('is read in one go: ten thousand files', async () => {
    const files = Array.from({ length: 10_000 }, (_, index) =>
      changed(`a${index}.test.ts`, "-it('adds', () => {\n+it.skip('adds', () => {"),
    );
    expect((await judge(files)).details).toMatch(/; 9995 more$/);
  });
});

async function assessmentsOf(output: unknown) {
  const pipeline = definePipeline({
    reviewers: [honestWork()],
    policy: noProgress(thresholds()),
    produce: async () => output as never,
  });
  return (await pipeline.review('task', output as never)).assessments;
}
