import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GithubStep } from '@/faces/cli-kit/io.js';
import { newRepository } from '../../../support/git-repository.js';
import { failing, words } from '../../../support/matchers.js';
import { junitCases, sarifRun } from '../../../support/report-readers.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

const task = '# Task\n\n- The page must have a heading.\n- The page must show prices.\n';
const review = ['review', 'page.html', '--task', 'TASK.md', '-q'];
const folder = () => folderOf({ 'page.html': faultyPage, 'TASK.md': task });
const goodFolder = () =>
  folderOf({ 'page.html': goodPage, 'TASK.md': 'The page must have a heading.' });
const all = ['sarif', 'junit', 'gitlab', 'rdjson', 'rdjsonl', 'markdown', 'html'];

const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8');

/** A step of a workflow, with what it was given. */
function step(cwd: string): { readonly github: GithubStep; readonly shown: string[] } {
  const shown: string[] = [];
  const summaryFile = join(cwd, 'summary.md');
  const links = { repository: 'https://github.example/o/n', commit: 'abc' };
  const annotate = (text: string) => void shown.push(text);
  return { github: { annotate, summaryFile, links, pull: undefined }, shown };
}

describe('--report', () => {
  it('writes every format at once, and again over its own reports', async () => {
    const cwd = await folder();
    const flags = all.flatMap((format) => ['--report', `${format}=out/r.${format}`]);
    expect((await runCli(cwd, [...review, ...flags])).code).toBe(50);
    const { code, err } = await runCli(cwd, [...review, ...flags]);
    expect({ code, err }).toEqual({ code: 50, err: '' });
    const { results, automationDetails } = sarifRun(read(cwd, 'out/r.sarif'));
    expect(automationDetails.id).toMatch(/^reviewloop\/review\//);
    expect(results.find(({ ruleId }) => ruleId === 'html-lang')?.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: 'page.html' }, region: { startLine: 2 } } },
    ]);
    expect(junitCases(read(cwd, 'out/r.junit')).find(({ name }) => name === 'verdict')?.kind).toBe(
      'failure',
    );
  });

  it('replaces a report of its own format only, the empty ones too', async () => {
    const cwd = await goodFolder();
    const flags = all.flatMap((format) => ['--report', `${format}=r.${format}`]);
    expect((await runCli(cwd, [...review, ...flags])).code).toBe(0);
    expect(read(cwd, 'r.gitlab')).toBe('[]\n');
    expect(read(cwd, 'r.rdjsonl')).toBe('');
    expect((await runCli(cwd, [...review, ...flags])).code).toBe(0);
    for (const format of all) {
      const other = format === 'sarif' ? 'r.rdjson' : 'r.sarif';
      expect(await runCli(cwd, [...review, '--report', `${format}=${other}`])).toMatchObject(
        failing(2, `exists and is not a report of the format ${format}; name another file`),
      );
      writeFileSync(join(cwd, 'own.txt'), '{"source":"mine"}');
      expect((await runCli(cwd, [...review, '--report', `${format}=own.txt`])).code).toBe(2);
      expect(read(cwd, 'own.txt')).toBe('{"source":"mine"}');
    }
  });

  it.each([
    ['a folder', 'sarif=site', 1, /it is a folder; name a file for the report/],
    ['a place below a file', 'junit=page.html/j.xml', 1, /cannot write the report/],
    ['two reports in one file', 'gitlab=same.json', 2, /two reports go to .*same\.json/],
  ])('tells %s before any work', async (_, target, code, message) => {
    const cwd = await folder();
    mkdirSync(join(cwd, 'site'));
    const more = target.startsWith('gitlab') ? ['--report', 'rdjson=same.json'] : [];
    expect(await runCli(cwd, [...review, '--report', target, ...more])).toMatchObject(
      failing(code, message),
    );
    expect(existsSync(join(cwd, '.reviewloop'))).toBe(false);
  });

  it('shows the verdict, then says that a report could not be written, and exits 1', async () => {
    const cwd = await goodFolder();
    // the first report is a file where the second one needs a folder
    const targets = ['junit=place', 'sarif=place/r.sarif', 'markdown=m.md'];
    const flags = targets.flatMap((target) => ['--report', target]);
    const { code, out, err } = await runCli(cwd, [...review, ...flags]);
    expect(code).toBe(1);
    expect(out).toMatch(/APPROVED/);
    expect(err).toMatch(/cannot .*place.*\[output_unwritable\]/s);
    expect(existsSync(join(cwd, 'm.md'))).toBe(true);
  });

  it('tells a folder without write permission', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may write everywhere');
    const cwd = await folder();
    mkdirSync(join(cwd, 'locked'));
    chmodSync(join(cwd, 'locked'), 0o500);
    const { code, err } = await runCli(cwd, [...review, '--report', 'sarif=locked/r.sarif']);
    expect({ code, err }).toMatchObject(failing(1, /permission denied/));
  });

  it('names files from the root of the repository, and the task where it states a requirement', async () => {
    const repository = newRepository();
    repository.write('site/page.html', faultyPage);
    repository.write('site/TASK.md', '# Task\n\n1. The page must have a table.\n');
    const cwd = join(repository.cwd, 'site');
    await runCli(cwd, [...review, '--report', 'sarif=r.sarif']);
    const places = sarifRun(read(cwd, 'r.sarif')).results.map(({ ruleId, locations }) => {
      const place = locations[0]?.physicalLocation;
      return [ruleId, place?.artifactLocation.uri, place?.region.startLine];
    });
    expect(places).toContainEqual(['requirement', 'site/TASK.md', 3]);
    expect(places).toContainEqual(['html-lang', 'site/page.html', 2]);
  });

  it('is written by review --diff, with columns', async () => {
    const repository = newRepository();
    repository.write('a.ts', 'export const a = 1;\n');
    repository.commit();
    repository.write('a.ts', 'export const a = 1;\n// TODO: write the rest of this\n');
    const { cwd } = repository;
    const flags = ['--report', 'sarif=.git/r.sarif', '--report', 'junit=.git/j.xml'];
    const diff = [...words('review --diff --task-text'), 'Add a.', '-q', ...flags];
    const { code } = await runCli(cwd, diff);
    expect(code).toBe(50);
    const { automationDetails, results, invocations } = sarifRun(read(cwd, '.git/r.sarif'));
    expect(automationDetails.id).toMatch(/^reviewloop\/reviewer-stage\//);
    const region = results[0]?.locations[0]?.physicalLocation.region;
    expect(region).toMatchObject({ startLine: 2, endLine: 2 });
    expect(region?.endColumn).toBeGreaterThan(5);
    const undecided = invocations[0].toolExecutionNotifications.filter(
      ({ descriptor }) => descriptor.id === 'undecided',
    );
    expect(undecided).toHaveLength(5);
    const kinds = junitCases(read(cwd, '.git/j.xml')).filter(({ type }) => type === 'undecided');
    expect(kinds.map(({ kind }) => kind)).toEqual(Array(5).fill('error'));
  });

  it('is written by an answer and an override, which tell the gaps apart', async () => {
    const cwd = await folder();
    await runCli(cwd, review);
    const [{ runId }] = JSON.parse((await runCli(cwd, ['runs', '--json'])).out).runs;
    const ended = await runCli(cwd, [
      ...['override', runId, '--reason', 'a draft', '--by', 'Ann', '-q'],
      ...['--report', 'sarif=o.sarif', '--report', 'junit=o.xml'],
    ]);
    expect(ended.code).toBe(0);
    const { results } = sarifRun(read(cwd, 'o.sarif'));
    expect(results.length).toBeGreaterThan(2);
    for (const { level, suppressions, properties } of results) {
      expect({ level, state: properties.state }).toEqual({ level: 'note', state: 'overridden' });
      expect(suppressions[0]?.justification).toBe('overridden by Ann: a draft');
    }
    expect(junitCases(read(cwd, 'o.xml')).filter(({ kind }) => kind === 'failure')).toEqual([]);
    const refused = await runCli(cwd, ['override', runId, '--reason', 'x', '--report', 'pdf=x']);
    expect(refused.code).toBe(2);
  });

  it('is written by checklist verify', async () => {
    const cwd = await folderOf({ 'plan.md': '# Plan\n\n## Milestone 1\n\n- [ ] Do it\n' });
    const gate = ['--phase', 'plan-structure', '--state-dir', 'qr'];
    await runCli(cwd, ['checklist', 'decompose', 'plan.md', ...gate]);
    const report = ['--report', 'junit=c.xml', '--report', 'sarif=c.sarif'];
    const { code, out } = await runCli(cwd, ['checklist', 'verify', ...gate, ...report]);
    const cases = junitCases(read(cwd, 'c.xml'));
    const { items } = JSON.parse(read(cwd, 'qr/qr-plan-structure.json'));
    expect(code, out).toBe(50);
    expect(cases.find(({ name }) => name === 'verdict')?.kind).toBe('failure');
    for (const { id } of items) expect(cases.map(({ name }) => name)).toContain(id);
    expect(sarifRun(read(cwd, 'c.sarif')).automationDetails.id).toMatch(
      /^reviewloop\/checklist-gate/,
    );
    const run = ['runs', 'checklist-plan-structure-1', '--store', 'file:qr'];
    const shown = await runCli(cwd, run, { outColumns: 80 });
    const lines = shown.out.trimEnd().split('\n');
    expect([lines.length <= 23, lines.every((line) => line.length <= 80)]).toEqual([true, true]);
    expect(shown.out).toMatch(/^NOT APPROVED/m);
    expect(shown.out).toMatch(/^next: reviewloop checklist fix --phase plan-structure /m);
  });
});

describe('--report of the gate and of tasks', () => {
  const job = `name: job
steps:
  - id: draft one
    outputs: { report: { type: file, path: report.md } }
    reviews: [{ run_each: step, quality_criteria: { Complete: Is it complete? } }]
`;

  it('shows a missing reviewer as an error, never as a result, and an override with its reason', async () => {
    const cwd = await folderOf({ 'job.yml': job, 'report.md': 'the work' });
    const gate = ['gate', '--job', 'job.yml', '--step', 'draft one', '-q'];
    const report = ['--report', 'sarif=g.sarif', '--report', 'junit=g.xml'];
    const broken = await runCli(cwd, [...gate, '--cli', join(cwd, 'nosuch'), ...report]);
    expect(broken.code).toBe(2);
    const { results, invocations } = sarifRun(read(cwd, 'g.sarif'));
    expect({ results, ok: invocations[0].executionSuccessful }).toEqual({ results: [], ok: false });
    expect(junitCases(read(cwd, 'g.xml')).map(({ name, kind }) => [name, kind])).toEqual([
      ['verdict', 'failure'],
      ['draft one', 'error'],
      ['Complete', 'error'],
    ]);
    const override = ['--override-reason', 'seen it', '--by', 'Ann', '--report', 'markdown=g.md'];
    expect((await runCli(cwd, [...gate, ...override])).code).toBe(0);
    expect(read(cwd, 'g.md')).toContain('override by Ann: seen it');
  });

  it('has a suite for each task, also for one that did not run', async () => {
    const repository = newRepository();
    repository.git('config', 'user.email', 'a@example.org');
    repository.git('config', 'user.name', 'A');
    const list =
      '# Tasks\n\n## T-1: Fail\n\n- [ ] done\n\n## T-2: Wait\n\nDepends on: T-1\n\n- [ ] done\n';
    repository.write('tasks.md', list);
    repository.write('.gitignore', '.reviewloop\n*.xml\n');
    repository.commit();
    const { cwd } = repository;
    const run = [...words('tasks run --tasks tasks.md --all --exec'), 'exit 3', '--attempts', '1'];
    const { code } = await runCli(cwd, [...run, '--no-review', '-q', '--report', 'junit=t.xml']);
    expect(code).toBe(50);
    const verdicts = junitCases(read(cwd, 't.xml')).filter(({ name }) => name === 'verdict');
    expect(verdicts).toHaveLength(2);
    expect(verdicts.map(({ kind }) => kind)).not.toContain('pass');
  });
});

describe('in a workflow of GitHub', () => {
  it('annotates and summarises by itself, and leaves suppressed gaps out of SARIF', async () => {
    const cwd = await folder();
    const { github, shown } = step(cwd);
    await runCli(cwd, review, { github });
    expect(shown.join('')).toMatch(
      /^::error file=page\.html,line=2,endLine=2,title=major%3A html-lang::/m,
    );
    const summary = read(cwd, 'summary.md');
    expect(summary).toContain('[page.html:2](https://github.example/o/n/blob/abc/page.html#L2)');
    // its reader has no runner whose run could be answered
    expect(summary).not.toMatch(/reviewloop (?:override|answer)/);
    const [{ runId }] = JSON.parse((await runCli(cwd, ['runs', '--json'])).out).runs;
    const more = ['--reason', 'a draft', '-q', '--report', 'sarif=o.sarif'];
    await runCli(cwd, ['override', runId, ...more], { github });
    expect(sarifRun(read(cwd, 'o.sarif')).results).toEqual([]);
  });

  it('keeps the summary below the limit of a step, and warns if it cannot be written', async () => {
    const cwd = await folder();
    const { github } = step(cwd);
    writeFileSync(join(cwd, 'summary.md'), 'x'.repeat(898_900));
    await runCli(cwd, review, { github });
    expect(read(cwd, 'summary.md').length).toBeLessThanOrEqual(900_001);
    expect(read(cwd, 'summary.md')).toMatch(/not shown here/);
    const broken = { ...github, summaryFile: cwd };
    const unasked = await runCli(cwd, review, { github: broken });
    expect({ code: unasked.code, err: unasked.err }).toMatchObject(
      failing(50, /^warning: cannot write/m),
    );
    const asked = await runCli(cwd, [...review, '--report', 'github'], { github: broken });
    expect(asked.code).toBe(1);
  });

  it('annotates on the standard error elsewhere, if it is asked to', async () => {
    const cwd = await folder();
    const { out, err } = await runCli(cwd, [...review, '--json', '--report', 'github']);
    expect(err).toMatch(/^::error file=page\.html/m);
    expect(() => JSON.parse(out)).not.toThrow();
  });
});

describe('reviewloop report', () => {
  it('writes kept runs in every format, each named in one line', async () => {
    const cwd = await folder();
    await runCli(cwd, review);
    const flags = all.flatMap((format) => [`--${format}`, `r.${format}`]);
    const { code, out } = await runCli(cwd, ['report', ...flags]);
    expect({ code, out }).toEqual({
      code: 0,
      out: '1 run in r.html, r.sarif, r.junit, r.gitlab, r.rdjson, r.rdjsonl, r.markdown\n',
    });
    const none = await runCli(cwd, ['report']);
    expect(none).toMatchObject(failing(2, /name a report to write: --html FILE/));
    const annotated = await runCli(cwd, ['report', '--github']);
    expect(annotated.err).toMatch(/^::error file=page\.html/m);
  });

  it('puts several runs into one analysis, each gap once', async () => {
    const cwd = await folder();
    await runCli(cwd, review);
    await runCli(cwd, review);
    await runCli(cwd, ['report', '--all', '--sarif', 'all.sarif', '-q']);
    await runCli(cwd, ['report', '--sarif', 'one.sarif', '-q']);
    const both = sarifRun(read(cwd, 'all.sarif')).results;
    const prints = both.map(({ partialFingerprints: of }) => of['primaryLocationLineHash']);
    expect(new Set(prints).size).toBe(prints.length);
    expect(both).toHaveLength(2 * sarifRun(read(cwd, 'one.sarif')).results.length);
  });
});

const isPosix = process.platform !== 'win32';

/** The commands that read stored runs. */
const readers = (id: string): readonly (readonly string[])[] => [
  ['runs'],
  ['runs', id],
  ['runs', '--json'],
  ['report', id, '--html', 'o.html'],
  ['diff', id],
  ['show'],
  ['history'],
  ['runs', '--summary'],
  ['runs', '--metrics'],
  ['audit', 'verify'],
  ['resume', id],
  ['answer', id, 'reject', '--reason', 'x', '--by', 'Ada'],
];

it.runIf(isPosix)(
  'no command follows a link in a store, nor waits for a pipe in it',
  async () => {
    const secret = 'private words of another file';
    const cwd = await folderOf({ 'page.html': goodPage, 'other.txt': `${secret}\n` });
    await runCli(cwd, ['review', 'page.html', '--task-text', 'Show tea.', '--criteria', 'html']);
    const [id = ''] = await readdir(join(cwd, '.reviewloop', 'runs'));
    const folder = join('.reviewloop', 'runs', id);
    const entries = await readdir(join(cwd, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
    expect(files.length).toBeGreaterThan(4);
    for (const file of [...files, '.reviewloop/audit.jsonl'])
      for (const kind of ['link', 'pipe'] as const) {
        const copy = tempFolder('reviewloop-hostile');
        await cp(cwd, copy, { recursive: true });
        await rm(join(copy, file), { force: true });
        if (kind === 'link') await symlink(join(cwd, 'other.txt'), join(copy, file));
        else execFileSync('mkfifo', [join(copy, file)]);
        for (const argv of readers(id)) {
          const { out, err } = await runCli(copy, argv);
          expect(`${out}${err}`, `${argv.join(' ')} over a ${kind} as ${file}`).not.toContain(
            secret.slice(0, 7),
          );
        }
      }
  },
  120_000,
);
