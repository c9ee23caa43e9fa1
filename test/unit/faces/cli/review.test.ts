import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { RunReport } from '@/faces/reports/run-report.js';
import { ending, failing } from '../../../support/matchers.js';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

const task = 'Visitors must sign in with their email\n';
const json = async (
  cwd: string,
  argv: string[],
  overrides: Parameters<typeof runCli>[2] = {},
): Promise<RunReport> => {
  const result = await runCli(cwd, ['review', ...argv, '--format', 'json'], overrides);
  if (result.out === '') throw new Error(result.err);
  return JSON.parse(result.out) as RunReport;
};

/** A configuration whose one criterion wants every text to hold "done", and can repair it. */
const doneConfig = `export default {
  requirements: false,
  criteria: [{
    id: 'done', name: 'Done', description: 'Texts say done', severity: 'major', category: 'missing',
    async validate({ artifacts }) {
      const findings = artifacts.filter(({ content }) => !content.includes('done')).map(({ path }) => ({ description: 'does not say done', file: path, line: 1, evidence: path }));
      return { passed: findings.length === 0, score: findings.length === 0 ? 1 : 0, details: '', findings };
    },
    fix: (output, gap) => ({ ...output, artifacts: output.artifacts.map((artifact) => (artifact.path === gap.location.file ? { ...artifact, content: artifact.content + 'done\\n' } : artifact)) }),
  }],
};`;
const reviewText = (cwd: string, ...more: string[]) =>
  runCli(cwd, ['review', 'a.txt', '--task-text', 'x', ...more]);
/** Characters that a terminal obeys. */
const obeyed = (text: string): string[] =>
  [...text].filter((character) => ['\u001b', '\u202e', '\u0007', '\r'].includes(character));

describe('one review', () => {
  test('a gap that no fixer and no model can repair is not told to --fix [R2-098]', async () => {
    const cwd = await folderOf({ 'page.html': goodPage });
    const judge = ['review', 'page.html', '--task-text', 'The page must show unicorn prices', '-q'];
    const { code, out } = await runCli(cwd, [...judge, '--words', 'decide']);
    expect(code).toBe(50);
    expect(out).toMatch(/\nnext: reviewloop review .* # after you fixed the gaps\n/);
    expect(out).toMatch(/\n {2}or: reviewloop override \S+ --reason "\.\.\." #/);
    expect(out).not.toContain('--fix');
  });

  test('begins with the decision, names every gap with file, line and fix, then why, where it is stored, and the next command [R2-087]', async () => {
    const cwd = await folderOf({ 'site/index.html': faultyPage, 'TASK.md': task });
    const { code, out, err } = await runCli(cwd, ['review', 'site', '--task', 'TASK.md']);
    expect(code).toBe(50);
    expect(out).toMatch(/^ +site\/index\.html:9 +major +duplicate-ids +/m);
    expect(out).toMatch(/^ +site\/index\.html:10 +major +field-name +/m);
    const last = out.trimEnd().split('\n').slice(-3);
    expect(last.map((line) => line.split(':')[0])).toEqual([...['  or', '  or', '  or']]);
    expect(out).toMatch(
      /\nNOT APPROVED: \d major gaps\nNo check could decide 1 must-have; no model was asked\.\n/,
    );
    expect(out).toMatch(/field-name .*\n {6}fix: Add a <label/);
    const folder = /^stored: (\S+)$/m.exec(out)?.[1] ?? '';
    expect(await readFile(join(cwd, folder, 'summary.md'), 'utf8')).toContain('| field-name |');
    expect(out).toMatch(/\nnext: reviewloop review site --task TASK\.md --fix #/);
    expect(out).toMatch(
      /\n {2}R1 {2}Visitors must sign in with their email.*\n {6}site\/index\.html:4 .*; no check could decide it\n/,
    );
    expect(err).toMatch(
      /review 1: \d+ passed, \d+ failed, \d+ not applicable, 1 undecided, \d gaps/,
    );
  });

  test.each([
    ['--no-requirements', 'leaves the task out'],
    ['--words=decide', 'lets words that occur satisfy it'],
  ])('approves what has no blocking gap: %s %s', async (option) => {
    const cwd = await folderOf({ 'index.html': goodPage, 'TASK.md': task });
    const argv = ['review', 'index.html', '--task', 'TASK.md', '--quiet'];
    const { code, out } = await runCli(cwd, [...argv, option]);
    expect([code, out.match(/^APPROVED.*/m)?.[0]]).toEqual([0, 'APPROVED']);
  });

  test('never approves a task that nobody judged, and says how to go on', async () => {
    const cwd = await folderOf({ 'index.html': goodPage, 'TASK.md': task });
    const { code, out } = await runCli(cwd, ['review', 'index.html', '--task', 'TASK.md', '-q']);
    expect(code).toBe(50);
    expect(out).toMatch(/\nNOT APPROVED YET: 1 question for you\n/);
    expect(out).toMatch(/next: reviewloop answer \S+ R1=yes #/);
    expect(out).toMatch(/or: reviewloop review .* --provider ollama:MODEL/);
    expect(out).toMatch(/or: reviewloop requirements TASK\.md --write/);
  });

  test('--format json is one document', async () => {
    const cwd = await folderOf({ 'index.html': faultyPage, 'TASK.md': task });
    const report = await json(cwd, ['.', '--task', 'TASK.md']);
    expect(report).toMatchObject({
      schemaVersion: 1,
      status: 'exhausted',
      approved: false,
      code: 'iterations',
      exitCode: 50,
      files: [{ path: 'index.html', type: 'mockup' }],
      coverage: [{ covered: false, state: 'unsure' }],
      undecided: [{ id: 'R1' }],
      notReviewed: [],
    });
    expect(report.reviews).toHaveLength(1);
    expect(report.gaps[0]?.location?.file).toBe('index.html');
  });

  test('--quiet tells nothing on the standard error', async () => {
    const cwd = await folderOf({ 'index.html': goodPage });
    expect((await runCli(cwd, ['review', '.', '--task-text', task, '-q'])).err).toBe('');
  });

  test('--fail-on fails an approved run for a lesser gap', async () => {
    const config =
      'export default { requirements: false, criteria: { small: { check: () => false, severity: "minor" }, fine: () => true }, policy: { quality: 0 } };';
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
    expect((await reviewText(cwd)).code).toBe(0);
    expect(await reviewText(cwd, '--fail-on', 'minor')).toMatchObject(
      ending(50, 'APPROVED, but --fail-on found 1 minor gap'),
    );
    expect((await reviewText(cwd, '--fail-on', 'major')).code).toBe(0);
  });

  test('the task and files may come from the standard input, but not both', async () => {
    const cwd = await folderOf({ 'index.html': goodPage });
    const piped = await runCli(cwd, ['review', '.', '--task', '-', '--no-requirements'], {
      stdin: task,
    });
    expect(piped.code).toBe(0);
    const report = await json(cwd, ['-', '--type', 'stdin=mockup', '--task-text', task], {
      stdin: faultyPage,
    });
    expect(report.files).toMatchObject([{ path: 'stdin', type: 'mockup' }]);
    expect(report.gaps.map(({ criterionId }) => criterionId)).toContain('html-lang');
    expect((await runCli(cwd, ['review', '-', '--task', '-'])).err).toMatch(/\[usage\]/);
  });

  test('types by extension, and by --type', async () => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'b.css': 'a{}',
      'c.md': 'c',
      'd.ts': 'd',
      'e.tpl': faultyPage,
      'f.json': '{"epics":[]}',
    });
    const typed = ['--type', '*.tpl=mockup', '--criteria', 'html'];
    const report = await json(cwd, ['.', '--task-text', task, ...typed]);
    expect(Object.fromEntries(report.files.map(({ path, type }) => [path, type]))).toEqual({
      ...{ 'a.html': 'mockup', 'b.css': 'stylesheet', 'c.md': 'document', 'd.ts': 'code' },
      ...{ 'e.tpl': 'mockup', 'f.json': 'data' },
    });
    expect(report.criteria).toMatchObject({
      chosen: ['html', 'requirements'],
      reason: '--criteria html',
    });
    expect(report.gaps.some(({ location }) => location?.file === 'e.tpl')).toBe(true);
  });

  test('text from files cannot steer the terminal (law 11)', async () => {
    const cwd = await folderOf({
      'a\u001b[2J\u202e.html': faultyPage.replace('name="email"', 'name="\u001b]0;x\u0007"'),
      'TASK.md': 'The page must \u001b[31mglow\u001b[0m red\n',
    });
    const { out, err } = await runCli(cwd, ['review', '.', '--task', 'TASK.md'], {
      errColumns: 80,
      outColumns: 80,
    });
    expect(obeyed(out)).toEqual([]);
    expect(obeyed(err.replaceAll('\r\u001b[K', ''))).toEqual([]);
  });
});

describe('--fix and --write', () => {
  test('the fixers repair, the loop reviews again, and the files stay as they are', async () => {
    const cwd = await folderOf({
      'a.txt': 'x\n',
      'b.txt': 'done\n',
      'reviewloop.config.mjs': doneConfig,
    });
    const { code, out } = await runCli(cwd, ['review', '*.txt', '--task-text', 'x', '--fix']);
    expect(code).toBe(0);
    expect(out).toMatch(/\n +version 2 +0 gaps .* best\n/);
    expect((await runCli(cwd, ['runs', '0', '--gaps'])).out).toMatch(
      /closed\n +a\.txt:1 +done +fixed by rule, v2/,
    );
    expect(out).toContain('changed, not written: a.txt');
    expect(out).toMatch(/next: reviewloop review '\*\.txt' --task-text x --write #/);
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('x\n');
    const [run = ''] = await readdir(join(cwd, '.reviewloop/runs'));
    const kept = join(cwd, '.reviewloop/runs', run, 'output/a.txt');
    expect(await readFile(kept, 'utf8')).toBe('x\ndone\n');
  });

  test('--write writes what changed, and only that', async () => {
    const cwd = await folderOf({
      'a.txt': '\ufeffx\r\n',
      'b.txt': 'done\n',
      'reviewloop.config.mjs': doneConfig,
    });
    const before = await stat(join(cwd, 'b.txt'));
    const report = await json(cwd, ['a.txt', 'b.txt', '--task-text', 'x', '--write']);
    expect(report).toMatchObject({ status: 'approved', changed: ['a.txt'], written: ['a.txt'] });
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('\ufeffx\r\ndone\n');
    expect((await stat(join(cwd, 'b.txt'))).ino).toBe(before.ino);
  });

  test('a file that changed on the disk is not overwritten, and the run is kept', async () => {
    const racing = doneConfig.replace(
      'async validate({ artifacts }) {',
      "async validate({ artifacts }) { if (artifacts[0].content.includes('done')) await import('node:fs/promises').then(({ writeFile }) => writeFile(new URL('a.txt', import.meta.url), 'newer'));",
    );
    const cwd = await folderOf({ 'a.txt': 'x\n', 'reviewloop.config.mjs': racing });
    const { code, out, err } = await reviewText(cwd, '--write');
    expect({ code, err }).toEqual(failing(1, /a\.txt changed on the disk.*\[file_changed\]/));
    expect(out).toContain('changed, not written: a.txt');
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('newer');
  });

  test('what address adds is kept with the run, inside its folder, and never written beside the given files', async () => {
    const config = `export default { requirements: false, criteria: { more: (output) => output.artifacts.length > 1 || 'too few' }, address: async (output) => ({ ...output, artifacts: [...output.artifacts, { type: 'text', path: '../../../escaped.txt', content: 'x' }] }) };`;
    const cwd = await folderOf({ 'in/a.txt': 'x', 'in/reviewloop.config.mjs': config });
    const report = await json(join(cwd, 'in'), ['a.txt', '--task-text', 'x', '--write']);
    expect(report).toMatchObject({ status: 'approved', written: [] });
    expect(await readdir(cwd)).toEqual(['in']);
    const kept = join(cwd, 'in/.reviewloop/runs', report.runId, 'output/_up/_up/_up/escaped.txt');
    expect(await readFile(kept, 'utf8')).toBe('x');
  });

  test('a linked file is written where it is', async () => {
    const cwd = await folderOf({ 'real/a.txt': 'x\n', 'reviewloop.config.mjs': doneConfig });
    await symlink(join(cwd, 'real/a.txt'), join(cwd, 'link.txt'));
    await json(cwd, ['link.txt', '--task-text', 'x', '--write']);
    expect(await readFile(join(cwd, 'real/a.txt'), 'utf8')).toBe('x\ndone\n');
  });

  test('--iterations bounds the loop', async () => {
    const config =
      'let n = 0;\nexport default { requirements: false, criteria: { never: () => ({ passed: false, score: Math.min(0.9, n / 100), details: "no" }) }, address: async (output) => ({ artifacts: [{ ...output.artifacts[0], content: String(n += 1) }] }) };';
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
    const { out } = await reviewText(cwd, '--fix', '--iterations', '2');
    expect(out).toContain('NOT APPROVED: 1 major gap\n');
    expect(out).toMatch(/\n +version 2 +1 gap .* best\n/);
  });
});

describe('criteria', () => {
  test('a file may export criteria as a map or as a class', async () => {
    const cwd = await folderOf({
      'a.txt': 'x',
      'map.mjs': 'export const criteria = { mine: () => "never" };',
      'class.mjs':
        'export default class { agentId = "own"; criteria = []; async extractRequirements() { return ["r"]; } async checkRequirementCovered(requirement) { return { requirement, source: "explicit", covered: true, coverageDetails: "", confidence: 1 }; } }',
    });
    const run = (file: string) => reviewText(cwd, '--criteria', file);
    expect((await run('map.mjs')).out).toMatch(/mine +never/);
    expect((await run('class.mjs')).code).toBe(0);
    expect(await run('nothing')).toMatchObject(failing(2, /not one of auto, html.*\[usage\]/));
  });

  test('several sets of criteria judge together, in each form [R3-007]', async () => {
    const own = `export const criteria = { own: () => true };`;
    const cwd = await folderOf({ 'a.html': goodPage, 'b.css': 'a { color: red }', 'own.mjs': own });
    for (const argv of [
      ['--criteria', 'html,css'],
      ['--criteria', 'html', '--criteria', 'css'],
      ['--criteria', 'html, css,html'],
    ]) {
      const { criteria } = await json(cwd, ['a.html', 'b.css', '--task-text', 'x', ...argv]);
      expect(criteria.chosen).toEqual(['html', 'css', 'requirements']);
    }
    const mixed = await json(cwd, ['b.css', '--task-text', 'x', '--criteria', 'own.mjs,css']);
    expect(mixed.criteria).toMatchObject({
      chosen: ['own', 'css', 'requirements'],
      reason: '--criteria own.mjs,css',
    });
    const unknown = ['review', 'a.html', '--task-text', 'x', '--criteria', 'html,tea'];
    expect(await runCli(cwd, unknown)).toMatchObject(failing(2, /--criteria tea is not a file/));
  });

  test('a configuration may mix names, criteria and reviewers', async () => {
    const config = `export default { criteria: ['html', { agentId: 'team', criteria: [], extractRequirements: async () => [], checkRequirementCovered: async () => {} }, { id: 'own', name: 'own', description: '', severity: 'minor', category: 'quality', validate: async () => ({ passed: true, score: 1, details: '' }) }], reviewers: [{ id: 'extra', version: '1', tier: 'code', review: async () => [{ verdict: 'pass', criterion: 'extra', score: 1, explanation: '', gaps: [] }] }] };`;
    const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': config });
    const report = await json(cwd, ['a.html', '--task-text', 'x']);
    expect(report.criteria).toMatchObject({
      chosen: ['html', 'team', 'own', 'reviewers'],
      reason: 'reviewloop.config.mjs',
    });
    const { criteria } = await json(cwd, ['a.html', '--task-text', 'x', '--no-config']);
    expect(criteria.chosen).toEqual(['html', 'text', 'requirements']);
  });

  test('an unknown name in a configuration', async () => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'reviewloop.config.json': '{"criteria": ["htlm"]}',
    });
    const review = ['review', 'a.html', '--task-text', 'x'];
    expect(await runCli(cwd, review)).toMatchObject(failing(2, /"htlm".*config_invalid/));
  });
});

test('a run that is cancelled exits with 130 and is kept', async () => {
  const controller = new AbortController();
  const config =
    'export default { criteria: { slow: () => new Promise(() => { globalThis.reviewloopCancel(); }) } };';
  Reflect.set(globalThis, 'reviewloopCancel', () => controller.abort());
  const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
  const { code, out } = await runCli(cwd, ['review', 'a.txt', '--task-text', 'x'], {
    signal: controller.signal,
  });
  expect([code, out]).toEqual([
    130,
    expect.stringMatching(/NO VERDICT: it was cancelled\n[\s\S]*\(cancelled\)/),
  ]);
  expect(await readdir(join(cwd, '.reviewloop/runs'))).toHaveLength(1);
});

test('.reviewloop is ignored by git', async () => {
  const cwd = await folderOf({ 'index.html': goodPage });
  await runCli(cwd, ['review', '.', '--task-text', task]);
  expect(await readFile(join(cwd, '.reviewloop/.gitignore'), 'utf8')).toBe('*\n');
});

test('a store in a folder that is in use overwrites nothing there, and its runs are not reviewed', async () => {
  const cwd = await folderOf({ 'site/index.html': goodPage, '.gitignore': 'dist\n' });
  const argv = ['review', 'site', '--task-text', task, '--no-requirements', '--store', 'file:.'];
  expect((await runCli(cwd, argv)).code).toBe(0);
  expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe('dist\n');
  for (const _ of [1, 2])
    expect(
      (await json(cwd, ['site', '--task-text', task, '--store', 'file:site/out'])).files
        .map(({ path }) => path)
        .filter((path) => path.includes('runs')),
    ).toEqual([]);
});

const page = (body: string): string =>
  `<!doctype html>\n<html lang="en"><head><title>Tea</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>\n<body><main><h1>Tea</h1>${body}</main></body></html>\n`;
const form =
  '<form action="/s"><label for="m">Mail</label><input id="m" name="m"><button type="submit">Send</button></form>';
const twelve = Array.from({ length: 12 }, (_, index) => `- It must show offer ${index + 1}.`);

async function reviewed(file: string, content: string, task: string, more: string[] = []) {
  const cwd = await folderOf({ [file]: content });
  const argv = ['review', file, '--task-text', task, '--format', 'json', '-q', ...more];
  const { code, out } = await runCli(cwd, argv);
  return { code, report: JSON.parse(out) as RunReport };
}

describe('what nobody judged is not approved', () => {
  it.each([
    ['a task that only names the work [R2-001]', 'Granite is a rock.\n', 'Write about tea.'],
    ['a colour that words cannot show [R2-030]', page('<p>blue</p>'), 'The heading must be blue'],
    [
      'a link that is no proof [R2-035]',
      page('<a href="/">Home</a>'),
      'The page must show the opening hours',
    ],
    [
      'twelve requirements beside checks of pages [R2-004]',
      page('<p>Tea</p>'),
      twelve.join('\n'),
      '--criteria=html',
    ],
  ])('%s', async (_, content, task, ...more) => {
    const file = content.startsWith('<') ? 'a.html' : 'a.md';
    const { code, report } = await reviewed(file, content, task, more);
    expect(report).toMatchObject({ approved: false, status: 'inconclusive', code: 'undecided' });
    expect(report.scores?.completeness).toBeNull();
    expect(report.undecided.length).toBe(task.split('\n').length);
    expect(code).toBe(50);
  });

  it('an empty file, with the reason first on the screen [R2-002]', async () => {
    const cwd = await folderOf({ 'a.html': '' });
    const argv = ['review', 'a.html', '--task-text', 'Build the home page', '-q'];
    expect(await runCli(cwd, argv)).toMatchObject(
      ending(50, /\nNOT APPROVED: 1 critical gap\nThe output is empty\./),
    );
  });

  it('a prohibition that is broken, or not shown to be kept [R2-029]', async () => {
    const task = 'The form must not have a submit button';
    const { report } = await reviewed('a.html', page(form), task);
    expect(report.approved).toBe(false);
  });
});

describe('what a check decided is not judged by words again', () => {
  it.each([
    [
      'alternative texts [R2-033]',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="A cup of tea">',
      'Images must have alt text',
      'names',
    ],
    ['a prohibition [R2-029]', '<p>Tea</p>', 'The page must not use tables', 'html-elements'],
  ])('%s', async (_, body, task, by) => {
    const { code, report } = await reviewed('a.html', page(body), task);
    expect(report.coverage).toMatchObject([{ covered: true, decidedBy: by }]);
    expect(report.approved).toBe(true);
    expect(code).toBe(0);
  });
});
