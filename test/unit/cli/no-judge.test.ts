import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../src/reports/run-report.js';
import { folderOf, runCli } from './harness.js';

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
    [
      'a task that only names the work [R2-001]',
      'a.md',
      'Granite is a rock.\n',
      'Write an article about tea.',
    ],
    [
      'a colour that words cannot show [R2-030]',
      'a.html',
      page('<p>blue</p>'),
      'The heading must be blue',
    ],
    [
      'a link that is no proof [R2-035]',
      'a.html',
      page('<a href="/">Home</a>'),
      'The page must show the opening hours',
    ],
    [
      'twelve requirements beside checks of pages [R2-004]',
      'a.html',
      page('<p>Tea</p>'),
      twelve.join('\n'),
      '--criteria=html',
    ],
  ])('%s', async (_, file, content, task, ...more) => {
    const { code, report } = await reviewed(file, content, task, more);
    expect(report).toMatchObject({ approved: false, status: 'inconclusive', code: 'undecided' });
    expect(report.scores?.completeness).toBeNull();
    expect(report.undecided.length).toBe(task.split('\n').length);
    expect(code).toBe(50);
  });

  it('an empty file, with the reason first on the screen [R2-002]', async () => {
    const cwd = await folderOf({ 'a.html': '' });
    const { code, out } = await runCli(cwd, [
      'review',
      'a.html',
      '--task-text',
      'Build the home page',
      '-q',
    ]);
    expect(out).toMatch(/^NOT APPROVED: The output is empty; 1 critical gap\n/);
    expect(code).toBe(50);
  });

  it('a prohibition that is broken, or not shown to be kept [R2-029]', async () => {
    const { report } = await reviewed(
      'a.html',
      page(form),
      'The form must not have a submit button',
    );
    expect(report.approved).toBe(false);
  });
});

describe('what a check decided is not judged by words again', () => {
  it.each([
    [
      'alternative texts [R2-033]',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="A cup of tea">',
      'Images must have alt text',
      'image-name',
    ],
    [
      'a prohibition that is kept [R2-029]',
      '<p>Tea</p>',
      'The page must not use tables',
      'html-elements',
    ],
  ])('%s', async (_, body, task, by) => {
    const { code, report } = await reviewed('a.html', page(body), task);
    expect(report.coverage).toMatchObject([{ covered: true, decidedBy: by }]);
    expect(report.approved).toBe(true);
    expect(code).toBe(0);
  });

  it('words decide for those who ask for it', async () => {
    const task = 'The page must show green tea from Japan';
    const content = page('<p>We show green tea from Japan on this page.</p>');
    expect((await reviewed('a.html', content, task)).report.approved).toBe(false);
    expect((await reviewed('a.html', content, task, ['--words', 'decide'])).report.approved).toBe(
      true,
    );
  });

  it('requirements that are left out by name are not judged', async () => {
    const { report } = await reviewed('a.html', page('<p>Tea</p>'), 'It must be friendly.', [
      '--no-requirements',
    ]);
    expect(report).toMatchObject({ approved: true, coverage: [], undecided: [] });
  });
});
