import { describe, expect, it } from 'vitest';
import type { Gap } from '@/core/gap.js';
import { inRepository } from '@/faces/reports/formats/findings-of.js';
import { regionOf } from '@/faces/reports/formats/region.js';
import {
  findingsOf,
  githubAnnotations,
  gitlabReport,
  junitReport,
  markdownReport,
  type RunReport,
  rdjsonlReport,
  rdjsonReport,
  sarifReport,
} from '@/faces/reports/index.js';
import { junitCases, sarifRun } from '../../../../support/report-readers.js';
import { madeReport } from '../../../../support/report-runs.js';
import { gapOf } from '../../../engine/policies/fixtures.js';

const gap = (more: Partial<Gap> = {}): Gap =>
  gapOf({
    id: 'gap-1',
    description: 'The price is missing. It is asked for.',
    suggestedFix: 'Name the price.',
    criterionId: 'prices',
    location: { file: 'site/a b.html', line: 2 },
    ...more,
  });

const runWith = (gaps: Gap[], more: Partial<RunReport> = {}): RunReport => ({
  ...madeReport({ gaps: 1, versions: 1 }),
  pipeline: 'shop',
  failures: [],
  undecided: [],
  version: 'v1',
  gaps,
  ...more,
});

const versions = {
  v1: [{ type: 'mockup', path: 'site/a b.html', content: 'one\r\n<p>💥 é price</p>\nthree' }],
};

describe('places', () => {
  it('count UTF-16 code units for SARIF and bytes of UTF-8 for reviewdog, ends exclusive', () => {
    const run = runWith([gap({ evidence: 'price' })]);
    const { artifactLocation, region } =
      sarifRun(sarifReport(run, { versions })).results[0]?.locations[0]?.physicalLocation ?? {};
    expect(artifactLocation?.uri).toBe('site/a%20b.html');
    // <p> 3, the emoji 2, blank 1, é 1, blank 1
    expect(region).toEqual({ startLine: 2, startColumn: 9, endLine: 2, endColumn: 14 });
    // the emoji has 4 bytes, é has 2
    expect(JSON.parse(rdjsonReport(run, { versions })).diagnostics[0].location).toEqual({
      path: 'site/a b.html',
      range: { start: { line: 2, column: 12 }, end: { line: 2, column: 17 } },
    });
  });

  it('are whole lines without a quote, and lines only where the text is unknown', () => {
    const whole = regionOf({ line: 1, endLine: 2 }, 'ab\r\ncdé');
    expect(whole.columns).toEqual({ utf16: { start: 1, end: 4 }, utf8: { start: 1, end: 5 } });
    expect(regionOf({ line: 5 }, 'ab')).toEqual({ startLine: 5, endLine: 5 });
    expect(regionOf({ line: 5, endLine: 3 })).toEqual({ startLine: 5, endLine: 5 });
    const run = runWith([gap({ location: { file: 'x.html', line: 2, endLine: 4 } })]);
    expect(JSON.parse(rdjsonReport(run)).diagnostics[0].location.range).toEqual({
      start: { line: 2 },
      end: { line: 4 },
    });
  });

  it('are relative to the root of the repository', () => {
    expect(inRepository('packages/site', './a/../b.html')).toBe('packages/site/b.html');
    expect(inRepository('a', '..\\b.ts')).toBe('b.ts');
    expect(inRepository('', '../out.ts')).toBe('../out.ts');
    expect(inRepository('a', '/abs/./b.ts')).toBe('/abs/b.ts');
    const run = runWith([gap(), gap({ id: 'gap-2', location: { file: '/abs/ä.ts' } })]);
    const uris = sarifRun(sarifReport(run, { folderOf: () => 'web' })).results.map(
      ({ locations }) => locations[0]?.physicalLocation.artifactLocation,
    );
    expect(uris).toEqual([
      { uri: 'file:///abs/%C3%A4.ts' },
      { uri: 'web/site/a%20b.html', uriBaseId: 'SRCROOT' },
    ]);
  });

  it('of a gap without a file are the line of the task, else the first file, else none', () => {
    const requirement = 'The page must show prices';
    const stray = gap({ location: undefined, affectedRequirement: requirement });
    const taskOf = () => ({
      file: 'docs/TASK.md',
      text: '# Task\n\n1. The page must show  prices.\n',
    });
    const [stated] = findingsOf(runWith([stray]), { taskOf });
    expect(stated?.place).toMatchObject({
      file: 'docs/TASK.md',
      region: { startLine: 3 },
      by: 'task',
    });
    const [other] = findingsOf(runWith([gap({ location: undefined })]), { taskOf });
    expect(other?.place).toMatchObject({ file: 'site/index.html', by: 'run' });
    expect(findingsOf(runWith([stray], { files: [] }))[0]?.place).toBeUndefined();
    expect(junitCases(junitReport(runWith([stray], { files: [] })))).toContainEqual(
      expect.objectContaining({ name: 'prices', classname: 'reviewloop', kind: 'failure' }),
    );
  });
});

describe('what counts', () => {
  const gaps = [
    gap({ id: 'gap-o' }),
    gap({ id: 'gap-w', standing: 'waived' }),
    gap({ id: 'gap-d', standing: 'disputed' }),
  ];

  it('is told apart: open, waived, disputed and overridden', () => {
    const states = findingsOf(runWith(gaps)).map(({ id, state, level }) => [id, state, level]);
    expect(states).toEqual([
      ['gap-o', 'open', 'error'],
      ['gap-w', 'waived', 'note'],
      ['gap-d', 'disputed', 'note'],
    ]);
    const acceptance = { kind: 'override', by: 'Ann', reason: 'a draft' };
    const overridden = runWith(gaps, { status: 'accepted', acceptance, exitCode: 0 });
    expect(
      findingsOf(overridden)
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['disputed', 'overridden', 'waived']);
    const messages = junitCases(junitReport(overridden)).flatMap(({ kind, message }) =>
      kind === 'skipped' ? [message.split(':')[0]] : [],
    );
    expect(new Set(messages)).toEqual(new Set(['disputed', 'overridden by Ann', 'waived']));
    expect(gitlabReport(overridden)).toContain('[overridden by Ann: a draft] The price is missing');
    expect(findingsOf(overridden, { waived: 'omit' })).toEqual([]);
  });

  it('blocks as the end of the run says: major gaps of an approved run are warnings', () => {
    const approved = { status: 'approved', approved: true, exitCode: 0 };
    const run = runWith([gap(), gap({ id: 'gap-c', severity: 'critical' })], approved);
    expect(findingsOf(run).map(({ level }) => level)).toEqual(['error', 'warning']);
    expect(junitCases(junitReport(run)).filter(({ kind }) => kind === 'failure')).toEqual([]);
    // --fail-on makes them count
    expect(findingsOf({ ...run, exitCode: 50 }).map(({ level }) => level)).toEqual([
      'error',
      'error',
    ]);
    const advisory = { kind: 'advisory', by: 'policy', reason: 'advisory' };
    const accepted = runWith([gap()], { status: 'accepted', exitCode: 0, acceptance: advisory });
    expect(findingsOf(accepted)).toMatchObject([{ state: 'open', level: 'warning' }]);
  });

  it('a failed judge and an open question are notifications and errors, never results', () => {
    const made = madeReport({ gaps: 1, versions: 1 });
    const { results, invocations } = sarifRun(sarifReport({ ...made, gaps: [] }));
    expect(results).toEqual([]);
    const [{ executionSuccessful, toolExecutionNotifications: notes }] = invocations;
    expect(executionSuccessful).toBe(false);
    expect(notes.map(({ level, descriptor }) => [level, descriptor.id])).toEqual([
      ['warning', 'verdict/undecided'],
      ['error', 'provider_failed'],
      ['warning', 'undecided'],
      ['note', 'not_reviewed'],
    ]);
    const kinds = junitCases(junitReport({ ...made, gaps: [] })).map(({ kind, type }) => [
      kind,
      type,
    ]);
    expect(kinds).toEqual([
      ['failure', 'inconclusive'],
      ['pass', ''],
      ['error', 'provider_failed'],
      ['error', 'undecided'],
    ]);
    expect(gitlabReport({ ...made, gaps: [] })).toBe('[]\n');
    expect(rdjsonlReport({ ...made, gaps: [] })).toBe('');
    expect(githubAnnotations({ ...made, gaps: [] })).toMatch(
      /^::error title=reviewloop%3A no verdict::tone has no verdict/,
    );
  });

  it('a run that broke is an error in JUnit, also without any review', () => {
    const broken = runWith([], { status: 'failed', code: 'producer_failed', reviews: [] });
    expect(junitCases(junitReport(broken))).toMatchObject([
      { name: 'verdict', kind: 'error', type: 'failed' },
    ]);
    expect(sarifRun(sarifReport(broken)).invocations[0].executionSuccessful).toBe(false);
  });
});

describe('limits', () => {
  it('SARIF contains at most 25,000 results, the worst ones, and counts the others', () => {
    const many = Array.from({ length: 25_002 }, (_, index) =>
      gap({ id: `gap-${index}`, severity: index < 25_001 ? 'minor' : 'critical' }),
    );
    const { results, invocations } = sarifRun(sarifReport(runWith(many)));
    expect(results).toHaveLength(25_000);
    expect(results[0]?.level).toBe('error');
    expect(invocations[0].toolExecutionNotifications[0]?.message.text).toBe(
      '2 more gaps are left out; the worst ones are shown.',
    );
  });

  it('SARIF is smaller than 10 MB when compressed', () => {
    let state = 1;
    const noise = (): string =>
      Array.from({ length: 3_900 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return String.fromCharCode(0x4e00 + (state % 20_000));
      }).join('');
    const many = Array.from({ length: 2_400 }, (_, index) =>
      gap({ id: `gap-${index}`, description: noise(), suggestedFix: '' }),
    );
    const { results, invocations } = sarifRun(sarifReport(runWith(many)));
    expect(results.length).toBeLessThan(2_400);
    expect(results.length).toBeGreaterThan(300);
    const [first] = invocations[0].toolExecutionNotifications;
    expect(first?.message.text).toBe(
      `${2_400 - results.length} more gaps are left out; the worst ones are shown.`,
    );
  });

  it('a long text is cut, and says by how much', () => {
    const [finding] = findingsOf(
      runWith([gap({ description: 'x'.repeat(5_000), suggestedFix: '' })]),
    );
    expect(finding?.message).toBe(`${'x'.repeat(4_000)}… (1000 more characters)`);
  });

  it('GitHub shows 10 annotations of a kind: the last one counts the rest', () => {
    const many = Array.from({ length: 30 }, (_, index) => gap({ id: `gap-${index}` }));
    const lines = githubAnnotations(runWith(many)).trimEnd().split('\n');
    const errors = lines.filter((line) => line.startsWith('::error '));
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)).toContain('21 more of this kind are not shown here');
  });

  const question = { id: 'R6', criterion: 'R6', question: 'The form must confirm.', text: 'open' };
  const ends = [
    [{ status: 'approved', approved: true, exitCode: 0 }, '✅', ''],
    [{ gaps: [gap(), gap(), gap(), gap()] }, '❌', '**Fix:** Name the price.'],
    [{ undecided: [question], status: 'inconclusive' }, '🟡', '- **R6** The form must confirm.'],
    [{ failures: [{ criterion: 'tone', text: 'it broke' }] }, '⚠️', ''],
  ] as const;
  it.each(ends)(
    'Markdown of %j says the verdict, the worst and the command before the rest',
    (more, sign, first) => {
      const next = [{ why: 'on your machine', command: 'gh pr checkout 42' }];
      const page = markdownReport(runWith([], { next, ...(more as object) }), {
        links: { repository: 'https://github.example/o/n', commit: '4f1c2d9aaaa' },
      });
      const [, , heading = '', ...rest] = page.split('\n');
      expect(heading).toMatch(new RegExp(`^## ${sign} reviewloop: `));
      const [before = '', after = ''] = rest.join('\n').split('<details>');
      expect(before).toContain(first);
      expect(before).toContain('    gh pr checkout 42 # on your machine');
      expect(before.match(/^\d\. /gm) ?? []).toHaveLength(first.startsWith('**') ? 3 : 0);
      expect(after).toMatch(/<\/details>\n\n<sub>.*Checked at 4f1c2d9.*<\/sub>\n$/s);
    },
  );

  it('Markdown counts what it leaves out', () => {
    const many = Array.from({ length: 30 }, (_, index) => gap({ id: `gap-${index}` }));
    expect(markdownReport(runWith(many), { gaps: 20 })).toContain(
      '10 more gaps are not shown here.',
    );
    expect(() => markdownReport(runWith([]), { gaps: -1 })).toThrow(/gaps/);
  });
});

describe('texts', () => {
  it('contain no secret', () => {
    const secret = 'sk_live_51H8abcdefghijklmnop';
    const run = runWith([gap({ description: `a key: ${secret}`, evidence: secret })], {
      reason: secret,
    });
    for (const writer of [
      sarifReport,
      junitReport,
      gitlabReport,
      rdjsonReport,
      rdjsonlReport,
      markdownReport,
      githubAnnotations,
    ])
      expect(writer(run)).not.toContain('sk_live');
  });

  it('several runs with one gap have two fingerprints', () => {
    const runs = [runWith([gap()]), runWith([gap()], { runId: 'run-2' })];
    expect(findingsOf(runs).map(({ fingerprint }) => fingerprint)).toEqual(['gap-1', 'gap-1-2']);
    const hashes = sarifRun(sarifReport(runs)).results.map(
      ({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash'],
    );
    expect(hashes).toEqual(['gap-1:1', 'gap-1:2']);
  });

  it.each([
    ['no run', [], {}, /at least one run/],
    ['an unknown option', undefined, { waved: 'omit' }, /waved/],
    ['an unknown word', undefined, { waived: 'no' }, /'suppress' or 'omit'/],
  ])('refuse %s', (_, runs, options, message) => {
    expect(() => sarifReport(runs ?? runWith([]), options as object)).toThrow(message);
  });
});
