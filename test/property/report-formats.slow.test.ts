import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gap } from '@/core/gap.js';
import { findingsOf } from '@/faces/reports/formats/findings-of.js';
import { githubAnnotations } from '@/faces/reports/formats/github-annotations.js';
import { gitlabReport } from '@/faces/reports/formats/gitlab-report.js';
import { junitReport } from '@/faces/reports/formats/junit-report.js';
import { markdownReport } from '@/faces/reports/formats/markdown-report.js';
import { rdjsonlReport, rdjsonReport } from '@/faces/reports/formats/rdjson-report.js';
import { notesOf } from '@/faces/reports/formats/run-notes.js';
import { sarifReport } from '@/faces/reports/formats/sarif-report.js';
import { withoutCommands } from '@/faces/reports/formats/workflow-text.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import {
  annotations,
  gitlabPrints,
  junitPrints,
  markdownGaps,
  rdjsonlPrints,
  rdjsonPrints,
  sarifPrints,
} from '../support/report-readers.js';
import { madeReport, madeVersions } from '../support/report-runs.js';
import { describeSchemas, gitlabProblems } from '../support/report-schemas.js';
import { seed } from '../support/seed.js';

const attacks = fc.constantFrom(
  '::add-mask::secret',
  '\n::stop-commands::x\n',
  ' \t::error::x',
  '\r::set-output name=a::b',
  '\u2028::debug::x',
  '##[error]x',
  '\n##[add-mask]x',
  ']]></failure><failure>',
  '<!-- -->',
  '</script><script>alert(1)</script>',
  '\u0000\u0008\u000b\ufffe\uffff',
  '\ud800',
  '\udc00\ud800',
  '\u202etxt.exe',
  '| a | b |\n| --- |',
  '@everyone #12 GH-3 https://evil.example www.evil.example',
  '[x](javascript:alert(1)) ![i](http://x) `code` **b** ~~s~~',
  '%0A::error::y',
  'a,b:c%2C',
  '../../etc/passwd',
  '\u{1f4a5}',
  '',
  ' ',
);
/** Any text: every code unit, halves of characters too, and what has a meaning in some format. */
const hostile = fc
  .array(
    fc.oneof(
      attacks,
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
        .map((units) => String.fromCharCode(...units)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const gapOf = fc.record({
  text: hostile,
  file: fc.option(hostile, { nil: undefined }),
  line: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
  endLine: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
  severity: fc.constantFrom('critical', 'major', 'minor'),
  standing: fc.constantFrom(undefined, 'unchecked', 'confirmed', 'disputed', 'waived'),
  criterionId: fc.option(hostile, { nil: undefined }),
  id: fc.integer({ min: 0, max: 12 }).map((number) => `gap-${number}`),
});

const reportOf = fc
  .record({
    text: hostile,
    gaps: fc.array(gapOf, { maxLength: 40 }),
    status: fc.constantFrom('approved', 'accepted', 'inconclusive', 'failed', 'exhausted'),
    kind: fc.constantFrom('override', 'advisory'),
    files: fc.boolean(),
    exitCode: fc.constantFrom(0, 50),
  })
  .map(({ text, gaps, status, kind, files, exitCode }): RunReport => {
    const made = madeReport({ text, gaps: 3, versions: 2 });
    const all = gaps.map(
      ({ id, text: said, file, line, endLine, ...rest }): Gap => ({
        id,
        category: 'quality',
        description: said,
        suggestedFix: said,
        estimatedEffort: 'small',
        autoFixable: true,
        evidence: said,
        ...rest,
        ...(file !== undefined && { location: { file, line, endLine } }),
      }),
    );
    return {
      ...made,
      status,
      approved: status === 'approved',
      exitCode,
      files: files ? made.files : [],
      gaps: all,
      ...(status === 'accepted' && { acceptance: { kind, by: text, reason: text } }),
    };
  });

const runs = fc
  .array(reportOf, { minLength: 1, maxLength: 2 })
  .map((all) => all.map((run, index) => ({ ...run, runId: `run-${index}` })));

/** What a runner of GitHub takes for a command, as its sources do. */
function commandsIn(text: string): string[] {
  return text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .filter((line) => /^[\s\u0085]*::/.test(line) || line.includes('##['));
}

describe('every format', () => {
  it('shows each gap once, whatever its texts are', () => {
    fc.assert(
      fc.property(runs, fc.boolean(), (reports, known) => {
        const options = known ? { versions: madeVersions(reports[0] ?? madeReport()) } : {};
        const prints = findingsOf(reports, options)
          .map(({ fingerprint }) => fingerprint)
          .sort();
        expect(prints).toHaveLength(reports.flatMap(({ gaps }) => gaps).length);
        expect(new Set(prints).size).toBe(prints.length);
        expect(sarifPrints(sarifReport(reports, options)).sort()).toEqual(prints);
        expect(gitlabPrints(gitlabReport(reports, options)).sort()).toEqual(prints);
        expect(rdjsonPrints(rdjsonReport(reports, options)).sort()).toEqual(prints);
        expect(rdjsonlPrints(rdjsonlReport(reports, options)).sort()).toEqual(prints);
        // every suite counts for itself
        for (const run of reports) {
          const own = findingsOf(run, options).map(({ fingerprint }) => fingerprint);
          expect(junitPrints(junitReport(run, options)).sort()).toEqual(own.sort());
          expect(markdownGaps(markdownReport(run, options))).toBe(own.length);
          expect(markdownGaps(markdownReport(run, { ...options, gaps: 5, bytes: 2_000 }))).toBe(
            own.length,
          );
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  it('keeps its own rules, whatever the texts are', () => {
    fc.assert(
      fc.property(runs, (reports) => {
        const texts = [
          sarifReport,
          gitlabReport,
          rdjsonReport,
          rdjsonlReport,
          junitReport,
          markdownReport,
        ].map((writer) => writer(reports));
        for (const text of texts) expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(gitlabProblems(gitlabReport(reports))).toEqual([]);
        const markdown = markdownReport(reports);
        // in an indented block nothing is markup, and no command can leave it
        const code = markdown.match(/^ {4}.*$/gm) ?? [];
        expect(code).toHaveLength(reports.flatMap(({ next = [] }) => next).length);
        const prose = markdown.replace(/^ {4}.*$/gm, '');
        const own =
          /^<details><summary>All of it: [\w, ]+<\/summary>$|^<\/details>$|^<sub>|<\/sub>$/gm;
        expect(prose.replace('<!-- reviewloop report -->', '').replace(own, '')).not.toMatch(
          /<(?!!--)/,
        );
        expect(prose).not.toMatch(/@\w|#\d|:\/\/|\bwww\./i);
        const size = Buffer.byteLength(markdownReport(reports, { bytes: 1_500 }));
        expect(size).toBeLessThanOrEqual(1_500);
      }),
      { seed, numRuns: 100 },
    );
  });

  it('writes no annotation that GitHub would not show, and no other command', () => {
    fc.assert(
      fc.property(runs, (reports) => {
        const { kinds, more } = annotations(githubAnnotations(reports));
        for (const kind of ['error', 'warning', 'notice'])
          expect(kinds.filter((one) => one === kind).length).toBeLessThanOrEqual(10);
        const notes = reports
          .flatMap(notesOf)
          .filter(
            ({ kind, level }) =>
              kind !== 'not_reviewed' && !(kind === 'undecided' && level === 'note'),
          );
        expect(kinds.length + more).toBe(notes.length + findingsOf(reports).length);
      }),
      { seed, numRuns: 100 },
    );
  });

  it('lets no text of others become a command of a runner', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(commandsIn(withoutCommands(text))).toEqual([]);
        const json = JSON.stringify({ [text]: [text] }, null, 2);
        expect(commandsIn(withoutCommands(json))).toEqual([]);
        expect(JSON.parse(withoutCommands(json))).toEqual({ [text]: [text] });
      }),
      { seed, numRuns: 500 },
    );
  });
});

describeSchemas('the published schemas', (schemas) => {
  it('accept every report, whatever its texts are', () => {
    fc.assert(
      fc.property(runs, (reports) => {
        expect(schemas.sarif(sarifReport(reports))).toEqual([]);
        expect(schemas.junit(junitReport(reports))).toEqual([]);
        expect(schemas.rdjson(rdjsonReport(reports))).toEqual([]);
        for (const line of rdjsonlReport(reports)
          .split('\n')
          .filter((one) => one !== ''))
          expect(schemas.rdjsonLine(line)).toEqual([]);
      }),
      { seed, numRuns: 60 },
    );
  });
});
