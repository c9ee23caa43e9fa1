import { describe, expect, test } from 'vitest';
import type { RunReport } from '@/faces/reports/run-report.js';
import { failing, words } from '../support/matchers.js';
import { fileFolder } from '../support/temp-folder.js';
import { writeFiles } from '../unit/faces/cli/harness.js';
import { run } from './cli-harness.js';

const cwd = fileFolder('reviewloop-shelf');

const site: Readonly<Record<string, string>> = {
  'site/index.html':
    '<!doctype html>\n<html lang="en">\n<head><title>Shop</title>\n<meta name="viewport" content="width=device-width"></head>\n<body>\n<h1>We show our products</h1>\n<img src="a.png">\n</body>\n</html>\n',
  'site/shop.css': 'a { color: #123456; --ink: #123456; }\n',
  'plan/tasks.json':
    '{\n  "tasks": [\n    { "id": 1, "title": "Build", "testStrategy": "run", "dependencies": [2] },\n    { "id": 2, "title": "Test", "testStrategy": "run", "dependencies": [1] }\n  ]\n}\n',
  'docs/guide.md': '# Guide\n\nSee [the setup](#set-up) of our products.\n\nTODO: prices\n',
  'docs/data.json': '{\n  "a": 1,\n}\n',
};

const review = words('review . --task-text');

/** The report of a review. */
const reportOf = async (...args: readonly string[]): Promise<RunReport> =>
  JSON.parse((await run(cwd, [...args, '--format', 'json'])).out);

describe('reviewloop review on a folder with pages, styles, a plan, prose and data', () => {
  test('chooses every set, says why, prints each line and exits with 50', async () => {
    await writeFiles(cwd, site);
    const { code, out, err } = await run(cwd, [...review, 'We must show our products', '-q']);
    expect([code, err]).toEqual([50, '']);
    const judges = await run(cwd, ['runs', '0', '--judges']);
    expect(judges.out.split('\n').slice(3, 9)).toEqual([
      '  html: 1 page',
      '  css: 1 stylesheet',
      '  plan: plan/tasks.json is a plan',
      '  text: 2 files for people',
      '  code: 3 files of code or data',
      '  requirements: the task may contain requirements',
    ]);
    for (const [place, criterion, words] of [
      ['site/index.html:7', 'image-name', ''],
      ['site/shop.css:1', 'design-tokens', ''],
      ['plan/tasks.json:3', 'plan-dependencies', 'the dependencies form a cycle: 1 -> 2 -> 1'],
      ['docs/guide.md:3', 'text-links', 'the link leads to #set-up, which this file does not have'],
      ['docs/guide.md:5', 'text-placeholders', 'a placeholder was left: TODO'],
      [
        'docs/data.json:3',
        'code-data',
        'comments or trailing commas: not every program reads this JSON',
      ],
    ] as const) {
      const isThere = (line: string) =>
        line.trimStart().startsWith(`${place} `) &&
        line.includes(criterion) &&
        line.includes(words);
      expect(out.split('\n').find(isThere), `${place} ${criterion}\n${out}`).toBeDefined();
    }
  });

  test('each set is chosen by name', async () => {
    for (const [name, file] of [
      ['text', 'docs/guide.md'],
      ['code', 'docs/data.json'],
      ['plan', 'plan/tasks.json'],
    ] as const) {
      const report = await reportOf(...review, 'x', '-q', '--criteria', name);
      expect(report.criteria).toMatchObject({
        chosen: [name, 'requirements'],
        reason: `--criteria ${name}`,
      });
      expect(new Set(report.gaps.map(({ location }) => location?.file))).toEqual(new Set([file]));
    }
  });
});

test('commands of the configuration judge the files, or the workspace, and are refused with --fix there', async () => {
  const config = (more: object): string =>
    JSON.stringify({
      criteria: 'text',
      commands: [
        {
          id: 'lint',
          run: [
            ...['node', '-e'],
            'console.log("docs/guide.md:3:1: error: bad link"); process.exitCode = require("node:fs").existsSync("docs/guide.md") ? 1 : 0',
          ],
          ...more,
        },
      ],
    });
  await writeFiles(cwd, {
    'a.json': config({}),
    'b.json': config({ cwd: '.' }),
    'c.json': config({ parse: 'nothing' }),
  });
  const judged = words('review docs/guide.md --task-text x -q -c');
  for (const file of ['a.json', 'b.json']) {
    const report = await reportOf(...judged, file);
    expect(report.criteria.chosen).toEqual(['text', 'requirements', 'commands']);
    expect(report.gaps.filter(({ criterionId }) => criterionId === 'lint')).toMatchObject([
      { description: 'lint: bad link', location: { file: 'docs/guide.md', line: 3 } },
    ]);
  }
  expect(await run(cwd, [...judged, 'b.json', '--fix'])).toMatchObject(failing(2, '[usage]'));
  expect(await run(cwd, [...judged, 'c.json'])).toMatchObject(failing(2, 'parse'));
});
