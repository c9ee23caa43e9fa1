import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { ending, failing, words } from '../../../support/matchers.js';
import { folderOf, goodPage, runCli } from './harness.js';

const task =
  '# Cart\n\nThe cart must show its total.\n\n- Guests can buy\n- Prices have decimals\n';
const file = 'TASK.requirements.yml';

async function written(): Promise<string> {
  const cwd = await folderOf({ 'TASK.md': task, 'a.html': goodPage });
  expect((await runCli(cwd, ['requirements', 'TASK.md', '--write'])).code).toBe(0);
  return cwd;
}

async function edit(cwd: string, from: string, to: string, path = file): Promise<void> {
  const text = await readFile(join(cwd, path), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(cwd, path), text.replace(from, to));
}

const review = ['review', 'a.html', '--task', 'TASK.md', '-q', '--no-config'];

async function judged(cwd: string, ...argv: string[]) {
  const { out } = await runCli(cwd, [...review, ...argv, '--format', 'json']);
  const report = JSON.parse(out) as {
    coverage: { requirement: string }[];
    undecided: { id: string; question?: string }[];
    requirements?: object;
    runId: string;
  };
  return { ...report, texts: report.coverage.map(({ requirement }) => requirement) };
}

describe('reviewloop requirements', () => {
  it('lists what was read, with id, strength, line and who decides', async () => {
    const cwd = await folderOf({ 'TASK.md': task });
    expect((await runCli(cwd, ['requirements', 'TASK.md'])).out).toBe(
      `TASK.md: 3 requirements
  R1  MUST    line 3  model or person  The cart must show its total.
  R2  SHOULD  line 5  model or person  Guests can buy
  R3  SHOULD  line 6  model or person  Prices have decimals
next: reviewloop requirements TASK.md --write
`,
    );
    const { out } = await runCli(cwd, ['requirements', 'TASK.md', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      schemaVersion: 1,
      task: { source: 'TASK.md' },
      requirements: [
        { id: 'R1', text: 'The cart must show its total.', strength: 'MUST', line: 3, checks: [] },
        { id: 'R2' },
        { id: 'R3' },
      ],
    });
  });

  it('a task without a requirement is one, as a whole [R2-001]', async () => {
    const argv = ['requirements', '--task-text', 'Write an article about tea.'];
    expect((await runCli(await folderOf(), argv)).out).toContain(
      'R1  MUST  line 1  model or person  the task as a whole: Write an article about tea.',
    );
  });

  it('reads the standard input', async () => {
    const { out } = await runCli(await folderOf(), ['requirements', '-'], { stdin: '- Log in' });
    expect(out).toMatch(/^standard input: 1 requirement\n/);
  });

  it('never changes a file without being told to, and shows what would change', async () => {
    const cwd = await written();
    await edit(cwd, 'text: Guests can buy', 'text: Guests can buy tea # ours');
    await edit(cwd, '- Prices have decimals', '- Carts expire', 'TASK.md');
    const before = await readFile(join(cwd, file), 'utf8');
    const refused = await runCli(cwd, ['requirements', 'TASK.md', '--write']);
    expect(refused).toMatchObject(failing(2, '--force'));
    expect(refused.out).toMatch(
      /\nTASK\.md has changed since .*:\n {2}\+ {2}R4 {2}Carts expire\n {2}- {2}R3 {2}Prices have decimals\n/,
    );
    expect(await readFile(join(cwd, file), 'utf8')).toBe(before);
    const forced = await runCli(cwd, ['requirements', 'TASK.md', '--write', '--force']);
    expect(forced).toMatchObject({ code: 0, err: '' });
    const now = await readFile(join(cwd, file), 'utf8');
    expect(now).toContain('text: Guests can buy tea # ours');
    expect(now).toContain('id: R4\n    text: Carts expire');
    expect(now).not.toContain('Prices');
  });

  it('a deleted entry is shown as one that would come back', async () => {
    const cwd = await written();
    const text = await readFile(join(cwd, file), 'utf8');
    await writeFile(join(cwd, file), text.slice(0, text.indexOf('\n  - id: R3')));
    expect(await runCli(cwd, ['requirements', 'TASK.md', '--write'])).toMatchObject(
      ending(2, '  +  R3  Prices have decimals'),
    );
  });

  it('a task whose requirements are the same is recorded without --force', async () => {
    const cwd = await written();
    await edit(cwd, '# Cart', '# The cart', 'TASK.md');
    expect((await judged(cwd)).requirements).toMatchObject({ taskChanged: true });
    expect((await runCli(cwd, ['requirements', 'TASK.md', '--write'])).code).toBe(0);
    expect((await judged(cwd)).requirements).toMatchObject({ taskChanged: false });
  });

  test.each([
    ['no task', 'requirements', 'task_missing', /no task/],
    ['a missing task', 'requirements none.md', 'task_missing', /none\.md/],
    ['an empty task', 'requirements empty.md', 'task_empty', /empty\.md/],
    ['a task that is not UTF-8', 'requirements latin.md', 'task_missing', /latin\.md/],
    ['a task of 5 MB', 'requirements big.md', 'file_too_large', /5000000/],
    ['--force alone', 'requirements T.md --force', 'usage', /--force requires --write/],
    ['a text without a file', 'requirements --task-text x --write', 'usage', /--write FILE/],
    ['the task after --write', 'requirements --write T.md', 'usage', /before --write/],
    ['an empty file name', 'requirements T.md --write ', 'usage', /--write is empty/],
    ['a broken file', 'requirements T.md --write bad.yml', 'requirements_invalid', /bad\.yml:1:/],
  ])('%s is refused', async (_, line, code, message) => {
    const cwd = await folderOf({
      'T.md': '- a thing',
      'empty.md': '\n',
      'latin.md': Buffer.from([0x66, 0xfc, 0x72]),
      'big.md': Buffer.alloc(5_000_000, 'x '),
      'bad.yml': 'hello',
    });
    const result = await runCli(cwd, words(line));
    expect(result).toMatchObject(failing(2, message));
    expect(result.err).toContain(`[${code}]`);
  });
});

describe('review with a requirements file', () => {
  it('judges exactly its list, does not review it, and stores it with the run', async () => {
    const cwd = await written();
    await edit(cwd, 'text: Guests can buy', 'text: Guests can buy tea');
    await edit(cwd, 'strength: SHOULD\n    line: 6', 'strength: OUT\n    line: 6');
    const { texts, requirements, runId } = await judged(cwd);
    expect(texts).toEqual(['The cart must show its total.', 'Guests can buy tea']);
    expect(requirements).toEqual({
      file,
      judged: 2,
      leftOut: ['Prices have decimals'],
      taskChanged: false,
      ids: expect.any(Object) as object,
    });
    const request = await readFile(join(cwd, '.reviewloop/runs', runId, 'request.json'), 'utf8');
    expect(JSON.parse(request)).toMatchObject({ requirements: [{ id: 'R1' }, { id: 'R2' }] });
    const { out } = await runCli(cwd, ['review', '.', '--task', 'TASK.md', '-q']);
    expect(out).toContain(`  1 file, 2 requirements of ${file}, 1 left out, `);
  });

  it('calls each requirement by the id that its person gave it, also in an answer', async () => {
    const cwd = await written();
    await edit(cwd, 'id: R2', 'id: R7');
    await edit(cwd, 'id: R1', 'id: cart');
    const { out } = await runCli(cwd, review);
    expect(out).toMatch(/\n {2}cart +The cart must show its total/);
    expect(out).toMatch(/ R7 .*Guests can buy/);
    const { runId, undecided } = await judged(cwd);
    expect(undecided.map(({ id }) => id)).toEqual(['cart', 'R7', 'R3']);
    const answer = (...said: string[]) => runCli(cwd, ['answer', runId, ...said, '--by', 'Ada']);
    expect((await answer('R2=yes')).err).toContain('R2 is not undecided; undecided: cart, R7, R3');
    expect((await answer('CART=yes', 'r7=no')).out).toMatch(/Not met: Guests can buy/);
  });

  it('takes the strength from the file, and judges the list whatever --criteria says', async () => {
    const cwd = await written();
    await edit(cwd, 'strength: MUST', 'strength: MAY');
    const { texts } = await judged(cwd, '--criteria', 'html');
    expect(texts).toHaveLength(3);
  });

  it('says on the screen and in JSON that the task has changed, and how to refresh the list', async () => {
    const cwd = await written();
    await edit(cwd, 'Guests can buy', 'Guests can sell', 'TASK.md');
    const { out } = await runCli(cwd, review);
    const command = `reviewloop requirements TASK.md --write ${file}`;
    expect(out).toMatch(
      /\nwarning: TASK\.md has changed since TASK\.requirements\.yml was written/,
    );
    expect(out).toContain(command);
    const { requirements, texts } = await judged(cwd);
    expect(requirements).toMatchObject({
      taskChanged: true,
      warning: expect.stringContaining(command) as string,
    });
    expect(texts).toContain('Guests can buy');
  });

  it('--requirements names another file, --no-requirements leaves all of them out', async () => {
    const cwd = await written();
    await edit(cwd, 'text: Guests can buy', 'text: Guests can buy tea');
    const other = ['requirements', 'TASK.md', '--write', 'other.yml'];
    expect((await runCli(cwd, other)).code).toBe(0);
    expect((await judged(cwd, '--requirements', 'other.yml')).texts).toContain('Guests can buy');
    expect((await judged(cwd)).texts).toContain('Guests can buy tea');
    const without = await judged(cwd, '--no-requirements');
    expect([without.texts, without.undecided]).toEqual([[], []]);
    expect(without.requirements).toBeUndefined();
  });

  const unread = Buffer.from([0xff, 0xfe]);
  const nearest = 'unknown key "versoin"; the nearest key is version';
  it.each([
    ['an unknown key', { [file]: 'versoin: 1' }, [], `${file}:1: ${nearest}`],
    ['a file that is not UTF-8', { [file]: unread }, [], `${file}:1: it is not UTF-8`],
    ['a missing file', {}, ['--requirements', 'none.yml'], 'cannot read none.yml: no such file'],
    ['an empty name', {}, ['--requirements', ''], '--requirements is empty'],
  ])('%s ends it before any work', async (_, files, argv, message) => {
    const cwd = await folderOf({ 'TASK.md': task, 'a.html': goodPage, ...files });
    expect(await runCli(cwd, [...review, ...argv])).toMatchObject({
      ...failing(2, message),
      out: '',
    });
    await expect(readFile(join(cwd, '.reviewloop'), 'utf8')).rejects.toThrow('ENOENT');
  });
});
