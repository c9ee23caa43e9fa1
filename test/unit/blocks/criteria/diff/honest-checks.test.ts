import { describe, expect, it } from 'vitest';
import { honestWork } from '@/blocks/criteria/diff/honest-work.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { DiffFile } from '@/core/diff/diff-source.js';
import { type AllowedSecret, secretFingerprint } from '@/core/redact/allowed-secrets.js';
import { noProgress } from '@/engine/policies/no-progress.js';
import { thresholds } from '@/engine/policies/thresholds.js';
import { added, changed, deleted } from './changes.js';

const found = async (...files: DiffFile[]): Promise<string[]> => {
  const { findings = [] } = await honestWork().validate({ files }, undefined, { previous: [] });
  return findings.map(({ severity, evidence }) => `${severity} ${evidence}`);
};

/** A file, a line that switches a check off, and an honest line in its place. */
type Cell = readonly [path: string, bad: string, honest: string];

const suppressions: readonly Cell[] = [
  ['src/a.ts', '// eslint-disable-next-line no-eval', '// eslint is strict here'],
  ['src/a.ts', 'run(); // @ts-ignore', "const text = '// @ts-ignore';"],
  ['src/a.ts', '// @ts-nocheck', '// checked'],
  ['src/a.tsx', '{/* biome-ignore lint: later */}', '{/* no rule is ignored */}'],
  ['src/a.js', '/* istanbul ignore next */', '/* next */'],
  ['src/a.vue', '<!-- eslint-disable vue/no-v-html -->', '<!-- the text -->'],
  ['a.py', 'import os  # noqa: F401', 'import os  # for its path'],
  ['a.py', 'x = y  # type: ignore[assignment]', 'x: int = y'],
  ['a.py', 'subprocess.run(x)  # nosec', 'text = "# nosec"'],
  ['a.py', '# pylint: disable=all', '# pylint is happy'],
  ['a.py', 'def a():  # pragma: no cover', 'def a():  # covered'],
  ['a.go', 'x, _ := f() //nolint:errcheck', 'x, _ := f() // cannot fail'],
  ['a.go', 'exec.Command(x) // #nosec G204', 'exec.Command(x) // a constant'],
  ['A.java', '@SuppressWarnings("unchecked")', '@Override'],
  ['A.java', 'int x = 1; // NOSONAR', 'int x = 1; // one'],
];

const settings: readonly Cell[] = [
  ['.eslintrc.json', '"no-eval": "off",', '"no-eval": "error",'],
  ['.eslintrc.js', "'no-eval': 0,", "'no-eval': 2,"],
  ['eslint.config.js', "'no-eval': ['off'],", "'no-eval': ['error'],"],
  ['biome.json', '"noDebugger": "off"', '"noDebugger": "warn"'],
  ['tsconfig.json', '"strict": false,', '"strict": true,'],
  ['tsconfig.build.json', '"noImplicitAny": false,', '"noEmit": false,'],
  ['mypy.ini', 'disallow_untyped_defs = False', 'disallow_untyped_defs = True'],
  ['pyproject.toml', 'ignore_errors = true', 'ignore_errors = false'],
  ['.github/workflows/ci.yml', 'continue-on-error: true', 'continue-on-error: false'],
  ['.github/workflows/ci.yml', 'if: false', "if: github.ref == 'refs/heads/main'"],
  ['.gitlab-ci.yml', 'allow_failure: true', 'allow_failure: false'],
  ['.github/workflows/ci.yml', '- run: npm test || true', '- run: docker rm x || true'],
  ['package.json', '"test": "vitest run || exit 0",', '"test": "vitest run",'],
  ['Makefile', 'go test ./... || true', 'go test -race ./...'],
  ['.husky/pre-push', 'git push --no-verify', 'git push --follow-tags'],
  ['scripts/release.sh', 'git commit --no-verify -m x', 'git commit -m x'],
  ['src/release.ts', "run('git', 'commit', '--no-verify');", "run('git', 'commit', '--amend');"],
  ['.github/workflows/ci.yml', 'mvn package -DskipTests', 'mvn verify'],
  ['pom.xml', '<skipTests>true</skipTests>', '<skipTests>false</skipTests>'],
];

describe.each(Object.entries({ suppressions, settings }))('%s', (_, cells) => {
  it.each(cells)('in %s: %s', async (path, bad, honest) => {
    expect(await found(changed(path, ` \n+${bad}\n `))).toEqual([`major ${bad}`]);
    expect(await found(changed(path, ` \n+${honest}\n `))).toEqual([]);
    // what was there before is not new
    expect(await found(changed(path, `-${bad}\n \n+${bad}`))).toEqual([]);
  });
});

/** Limits before and after, and whether the second is less strict. */
const limits: readonly (readonly [string, before: string, after: string, isLess: boolean])[] = [
  ['vitest.config.ts', '    lines: 90,', '    lines: 80,', true],
  ['vitest.config.ts', '    lines: 80,', '    lines: 90,', false],
  ['jest.config.js', '      branches: 75.5,', '      branches: 75,', true],
  ['package.json', '    "functions": 90,', '    "functions": 91,', false],
  ['.nycrc.json', '  "statements": 100', '  "statements": 99', true],
  ['pyproject.toml', 'fail_under = 95', 'fail_under = 90', true],
  ['.coveragerc', 'fail_under = 90', 'fail_under = 95', false],
  ['setup.cfg', 'addopts = --cov-fail-under=95', 'addopts = --cov-fail-under=9', true],
  ['codecov.yml', '        target: 90%', '        target: 85%', true],
  ['jest.config.js', '{ lines: 9, branches: 9 }', '{ lines: 9, branches: 8 }', true],
  ['tsconfig.json', '"strict": true', '"strict": false', true],
  ['tsconfig.json', '"noImplicitAny": true', '"strict": true', false],
  ['setup.cfg', 'disallow_untyped_defs = True', 'disallow_untyped_defs = False', true],
  ['pom.xml', '  <minimum>0.90</minimum>', '  <minimum>0.80</minimum>', true],
  ['pom.xml', '  <target>17</target>', '  <target>11</target>', false],
  ['package.json', '"lint": "eslint --max-warnings 0"', '"lint": "eslint --max-warnings 9"', true],
  ['package.json', '"lint": "eslint --max-warnings 9"', '"lint": "eslint --max-warnings 0"', false],
];

describe('a threshold', () => {
  it.each(limits)('of %s from %s to %s', async (path, before, after, isLess) => {
    const said = isLess ? [`major ${after.trim()}`] : [];
    expect(await found(changed(path, `-${before}\n+${after}`))).toEqual(said);
  });

  it('that is gone is less strict', async () => {
    expect(await found(changed('vitest.config.ts', '-  lines: 90,'))).toEqual(['major lines: 90,']);
    const strict = '"strict": true';
    expect(await found(changed('tsconfig.json', `-${strict}`))).toEqual([`major ${strict}`]);
  });
});

describe('a step of a workflow', () => {
  const removed = changed('.github/workflows/ci.yml', ' steps:\n-  - run: npm test\n ');

  const is = (name: string, said: string[], ...files: DiffFile[]) =>
    it(name, async () => {
      expect(await found(...files)).toEqual(said);
    });

  is('that runs tests may not go', ['major - run: npm test'], removed);
  const moved = changed('.github/workflows/test.yml', '+  - run: npm run test -- --coverage');
  is('may move to another file', [], removed, moved);
  const replaced = changed('package.json', '-  "test": "mocha",\n+  "test": "vitest run",');
  is('may run another program for the same purpose', [], replaced);
  const both = changed('.github/workflows/ci.yml', '-  - run: npm install && npm test');
  is('may stand beside another command', ['major - run: npm install && npm test'], both);
  const installs = changed('.travis.yml', '-  - pip install pytest\n-  - name: pytest');
  is('that installs a program runs no tests', [], installs);
});

describe('what tests expect', () => {
  const snapshot = changed('src/__snapshots__/a.test.ts.snap', '-<b>old</b>\n+<b>new</b>');

  it('is a remark if code changed with it', async () => {
    expect(await found(snapshot, changed('src/a.ts', '-a();\n+b();'))).toEqual([
      'minor <b>old</b>',
    ]);
  });

  it('is major if no code changed', async () => {
    expect(await found(snapshot)).toEqual(['major <b>old</b>']);
  });

  it('may grow', async () => {
    expect(await found(changed('a.snap', '+<b>new</b>'))).toEqual([]);
  });
});

it('new settings are remarks, since nothing stricter was there before', async () => {
  expect(await found(added('tsconfig.json', '"strict": false'))).toEqual(['minor "strict": false']);
});

it('a suppression that moved with its line to another file is not new', async () => {
  const line = 'import os  # noqa: F401';
  expect(await found(changed('a.py', `-${line}`), changed('b.py', `+${line}`))).toEqual([]);
  expect(await found(changed('a.py', `-${line}`), changed('b.py', `+${line}\n+${line}`))).toEqual([
    `major ${line}`,
  ]);
});

it('tests may expect an error of types', async () => {
  const line = '// @ts-expect-error a number';
  expect(await found(changed('a.test.ts', `+${line}`))).toEqual([]);
  expect(await found(changed('a.ts', `+${line}`))).toEqual([`major ${line}`]);
});

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
