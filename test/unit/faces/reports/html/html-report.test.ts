import { describe, expect, it } from 'vitest';
import type { ReportModel } from '@/faces/reports/html/report-model.js';
import { htmlReport, runReport } from '@/faces/reports/index.js';
import { definePipeline } from '@/index.js';
import { madeReport, madeVersions } from '../../../../support/report-runs.js';

/** The data that a page contains. */
function dataOf(page: string): ReportModel {
  const [, json = ''] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

const key = 'sk_live_51H8abcdefghijklmnopqrstuvwx';

describe('htmlReport', () => {
  it('contains each gap once, and each review the ids', () => {
    const page = htmlReport(madeReport({ gaps: 30, versions: 3 }));
    const [run] = dataOf(page).runs;
    expect(run?.gaps).toHaveLength(30);
    expect(run?.reviews.map(({ open }) => open)).toEqual([30, 20, 10]);
    expect(page.split('gap 7 of the page').length).toBeLessThan(9);
  });

  it('says who decided a requirement: a check, a model, a person, or words', () => {
    const report = madeReport();
    const [first] = report.coverage;
    if (first === undefined) throw new Error('no requirement');
    const by = (decidedBy: string | undefined) => ({ ...first, decidedBy });
    const coverage = [by('html-elements'), by('model'), by('person'), by(undefined)];
    const [run] = dataOf(htmlReport({ ...report, coverage })).runs;
    expect(run?.requirements.map(({ by }) => by)).toEqual([
      'html-elements: a heading exists',
      'model: a heading exists',
      'person: a heading exists',
      'a hint of its words: a heading exists',
    ]);
  });

  it('contains the versions, quotes only, or neither', () => {
    const report = madeReport();
    const versions = madeVersions(report);
    const full = htmlReport(report, { versions });
    expect(full).toContain('line 20 version 2');
    const quotes = htmlReport(report, { versions, content: 'quotes' });
    expect(quotes).not.toContain('line 20 version 2');
    expect(quotes).toContain('fair prices');
    const none = htmlReport(report, { versions, content: 'none' });
    expect(none).not.toContain('fair prices');
    expect(dataOf(none).runs[0]?.gaps[0]?.evidence).toBeUndefined();
  });

  it('shows no secret, wherever it stands', () => {
    const text = `the key is ${key}`;
    const report = madeReport({ text });
    const next = [{ why: text, command: text }];
    const page = htmlReport(
      { ...report, next },
      {
        versions: madeVersions(report, text),
        title: text,
        audit: {
          intact: false,
          problem: text,
          records: [{ runId: 'run-1', at: report.at, by: text, action: text, reason: text }],
        },
      },
    );
    expect(page).not.toContain(key);
    expect(page).toContain('[REDACTED');
  });

  it('cuts long texts and versions, and says so', () => {
    const report = madeReport({ text: 'x'.repeat(5_000) });
    const versions = { 'version-1': [{ type: 'code', path: 'a', content: 'y'.repeat(3_000_000) }] };
    const page = htmlReport(report, { versions });
    expect(page).not.toContain('x'.repeat(2_001));
    expect(page).toContain('3000 more characters');
    const model = dataOf(page);
    expect(model.runs[0]?.versions['version-1']?.[0]?.text).toHaveLength(2_000_000);
    expect(model.cuts.join(' ')).toMatch(/Texts longer than 2000 characters.*Files whose content/);
  });

  it('keeps to 10 MB, the best and the first version first', () => {
    const report = madeReport({ versions: 12 });
    const content = 'z'.repeat(1_500_000);
    const versions = Object.fromEntries(
      report.reviews.map(({ version }) => [version, [{ type: 'code', path: 'a', content }]]),
    );
    const page = htmlReport(report, { versions });
    expect(page.length).toBeLessThan(10_000_000);
    const kept = dataOf(page).runs[0]?.versions ?? {};
    expect(kept['version-12']?.[0]?.text).toBe(content);
    expect(kept['version-1']?.[0]?.text).toBe(content);
    expect(kept['version-9']?.[0]?.text).toBeNull();
  });

  it('escapes what would end the element of its data', () => {
    const page = htmlReport(madeReport({ text: '</script><!--\u2028\u2029' }));
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<!--|\u2028|\u2029/);
    expect(dataOf(page).runs[0]?.reason).toBe('</script><!--\u2028\u2029');
  });

  it('has only the audit records of each run', () => {
    const records = ['run-1', 'run-2'].map((runId) => ({
      runId,
      at: '2026-11-22T10:00:00.000Z',
      by: 'Ann',
      action: 'override',
      reason: runId,
    }));
    const page = htmlReport([madeReport(), madeReport({ runId: 'run-2' })], {
      audit: { intact: true, records },
    });
    const reasons = dataOf(page).runs.map(({ audit }) =>
      audit?.records.map(({ reason }) => reason),
    );
    expect(reasons).toEqual([['run-1'], ['run-2']]);
  });

  it('shows the verdict where scripts do not run', () => {
    const page = htmlReport(madeReport());
    expect(/<noscript>(.*?)<\/noscript>/s.exec(page)?.[1]).toContain('No verdict: 1 judge failed');
  });

  it('refuses unknown options, an unknown content and no run', () => {
    const report = madeReport();
    expect(() => htmlReport(report, { titel: 'x' } as never)).toThrow(/titel/);
    expect(() => htmlReport(report, { content: 'all' as never })).toThrow(/'none', 'quotes' or/);
    expect(() => htmlReport([])).toThrow(/at least one run/);
  });
});

it('runReport makes the data of a report from an outcome', async () => {
  const pipeline = definePipeline({
    name: 'greeting',
    produce: async (task: string) => `Hello. ${task}`,
    criteria: { short: (text) => text.length < 100 },
  });
  const outcome = await pipeline.run('Write.');
  const report = runReport(outcome, { pipeline: 'greeting', task: 'Write.' });
  const [run] = dataOf(htmlReport(report)).runs;
  expect(run).toMatchObject({
    status: 'approved',
    pipeline: 'greeting',
    task: { text: 'Write.' },
  });
  expect(run?.judges).toMatchObject({ count: 1, rows: [], others: ['short'] });
});
