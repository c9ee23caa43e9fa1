import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failing } from '../../../support/matchers.js';
import { folderOf, reportIn, runCli } from './harness.js';

const page =
  '<!doctype html>\n<html><head><title>Tea</title></head>\n<body><h1>Tea</h1><p>password = "hunter2-sk_live_51H8abcdefghijklmnop"</p></body></html>\n';
const task = 'The page must have a heading. The page must show prices.';
const review = ['review', 'page.html', '--task-text', task, '-q', '--fix'];

describe('reviewloop report', () => {
  it('writes the newest run, with its versions, its answers and its next command', async () => {
    const cwd = await folderOf({ 'page.html': page });
    await runCli(cwd, review);
    const [first] = JSON.parse((await runCli(cwd, ['runs', '--json'])).out).runs;
    await runCli(cwd, ['answer', first.runId, 'decide', 'R2=yes', '--by', 'Ann', '-q']);
    const { code, out } = await runCli(cwd, ['report', '--html', 'out/report.html']);
    expect({ code, out }).toEqual({ code: 0, out: '1 run in out/report.html\n' });
    const [run] = reportIn(cwd, 'out/report.html').runs;
    expect(Object.keys(run?.versions ?? {})).toHaveLength(run?.reviews.length ?? 0);
    expect(run?.reviews.length).toBeGreaterThan(1);
    expect(run?.waits).toMatchObject([{ answer: 'decide R2=yes', by: 'Ann' }]);
    expect(run?.audit).toMatchObject({ intact: true, records: [{ by: 'Ann' }] });
    expect(run?.judges.rows.some(({ id }) => id === 'html-lang')).toBe(true);
  });

  it('compares several runs, each once', async () => {
    const cwd = await folderOf({ 'page.html': page });
    await runCli(cwd, review);
    await runCli(cwd, review);
    const [a, b] = JSON.parse((await runCli(cwd, ['runs', '--json'])).out).runs;
    await runCli(cwd, ['report', a.runId, b.runId, a.runId, '--html', 'two.html', '-q']);
    await runCli(cwd, ['report', '--all', '--html', 'all.html', '-q']);
    expect(reportIn(cwd, 'two.html').runs.map(({ runId }) => runId)).toEqual([a.runId, b.runId]);
    expect(reportIn(cwd, 'all.html').runs).toHaveLength(2);
  });

  it('is written by the review itself, and the next command keeps it', async () => {
    const cwd = await folderOf({ 'page.html': page });
    const { out } = await runCli(cwd, [...review.slice(0, -1), '--report', 'html=r.html']);
    expect(reportIn(cwd, 'r.html').runs).toHaveLength(1);
    expect(out).toContain('--report html=r.html');
  });

  it('shows no secret of a reviewed file', async () => {
    const cwd = await folderOf({ 'page.html': page });
    await runCli(cwd, [...review, '--report', 'html=r.html']);
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).not.toContain('sk_live_51H8');
  });

  it.each([
    [
      'an unknown format',
      ['--report', 'pdf=a.pdf'],
      /--report expects html=FILE, sarif=FILE, .* or github, got "pdf=a.pdf"/,
    ],
    ['no file', ['--report', 'html='], /--report expects html=FILE/],
    ['no format', ['--report', 'a.html'], /--report expects html=FILE/],
  ])('refuses %s before any work', async (_, more, message) => {
    const cwd = await folderOf({ 'page.html': page });
    expect(await runCli(cwd, [...review, ...more])).toMatchObject(failing(2, message));
    expect((await runCli(cwd, ['runs'])).out).toMatch(/no runs/);
  });

  it('replaces no empty file, and a stored run no other file', async () => {
    const cwd = await folderOf({ 'page.html': page, 'r.html': '' });
    expect((await runCli(cwd, [...review, '--report', 'html=r.html'])).code).toBe(2);
    await runCli(cwd, review);
    const stored = await runCli(cwd, ['report', '--html', 'page.html']);
    expect(stored).toMatchObject(failing(2, 'not a report'));
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toBe(page);
  });

  it('says what is missing: a run, an id, a place to write', async () => {
    const cwd = await folderOf({ 'page.html': page });
    expect(await runCli(cwd, ['report', '--html', 'r.html'])).toMatchObject(
      failing(2, /contains no finished run of a command; review something first/),
    );
    await runCli(cwd, review);
    const unknown = await runCli(cwd, ['report', 'zzz', '--html', 'r.html']);
    expect(unknown.err).toMatch(/no run zzz/);
    const both = await runCli(cwd, ['report', 'zzz', '--all', '--html', 'r.html']);
    expect(both.err).toMatch(/name runs, or use --all, not both/);
    expect(await runCli(cwd, ['report', '--html', 'page.html/r.html'])).toMatchObject(
      failing(1, /output_unwritable/),
    );
  });
});
