import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionStore } from '@/faces/hooks/session-store.js';
import { copiedRepository, newRepository, repositoryAt } from '../../../support/git-repository.js';
import { type EventFacts, events, readAnswer } from '../hooks/events.js';
import { send } from '../hooks/send-event.js';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

/** A repository with a session that has begun. */
async function begun(files: Readonly<Record<string, string>> = {}) {
  const repository = copiedRepository(['hook', files], () => {
    const made = newRepository();
    for (const [path, content] of Object.entries({ 'README.md': '# Shop\n', ...files }))
      made.write(path, content);
    made.commit();
    return made;
  });
  const { cwd } = repository;
  await send('start', { cwd });
  return {
    ...repository,
    stop: (facts: Partial<EventFacts> = {}) => send('stop', { cwd, ...facts }),
  };
}

describe('the gate of coding agents', () => {
  it.each([
    ['', 'empty'],
    ['{"hook_event_name":', 'not JSON'],
    [`{"x":"${'y'.repeat(100_000)}"}`, 'no known agent'],
  ])('answers what is not an event with NO VERDICT', async (stdin, why) => {
    const cwd = await folderOf();
    for (const agent of ['claude-code', 'codex', 'gemini', 'cursor'] as const) {
      const result = await runCli(cwd, ['hook', agent], { stdin });
      expect(result.code).toBe(0);
      const { blocks, message } = readAnswer(agent, result);
      expect(blocks).toBe(false);
      expect(message).toContain('NO VERDICT (event_unreadable)');
      expect(message).toContain(why);
    }
  });

  it('reviews no file system: a folder that is gone leads to no project', async () => {
    for (const kind of ['start', 'stop'] as const) {
      const { blocks, message } = await send(kind, { cwd: '/' });
      expect(blocks).toBe(false);
      expect(message).toContain('NO VERDICT (project_unknown)');
    }
    const { code, err } = await runCli('/', ['hook', 'status']);
    expect(err).toContain('[project_unknown]');
    expect(code).not.toBe(0);
    expect(existsSync('/.reviewloop')).toBe(false);
  });

  it.each(['--assume-unchanged', '--skip-worktree'])(
    'reviews a page whose change git was told to overlook: %s',
    async (flag) => {
      const { git, write, stop } = await begun({ 'page.html': goodPage });
      git('update-index', flag, 'page.html');
      write('page.html', faultyPage);
      expect(git('status', '--porcelain')).not.toContain('page.html');
      const { blocks, reason } = await stop();
      expect(blocks).toBe(true);
      expect(reason).toContain('page.html');
    },
  );

  it('refuses an unknown agent, and a terminal', async () => {
    const cwd = await folderOf();
    expect(await runCli(cwd, ['hook', 'emacs'])).toMatchObject({ code: 2 });
    const terminal = { input: process.stdin, output: process.stdout };
    expect((await runCli(cwd, ['hook'], { terminal })).err).toContain('on the standard input');
  });

  it('says nothing about other events', async () => {
    const { cwd } = await begun();
    const stdin = JSON.stringify({
      ...events['claude-code'].stop({ cwd }),
      hook_event_name: 'PreToolUse',
    });
    expect((await runCli(cwd, ['hook'], { stdin })).out).toBe('{}\n');
  });

  it('takes the last commit as the start if only the stop is seen', async () => {
    const { cwd, write, commit } = newRepository();
    write('index.html', goodPage);
    commit();
    write('index.html', faultyPage);
    expect(await send('stop', { cwd })).toMatchObject({ blocks: true });
  });

  it('says so if it cannot know what changed, and knows from then on', async () => {
    const { cwd, write, commit } = newRepository();
    write('index.html', faultyPage);
    commit();
    expect((await send('stop', { cwd })).message).toContain('NO VERDICT (start_unknown)');
    write('index.html', `${faultyPage}<p id="x"></p><p id="x"></p>`);
    expect(await send('stop', { cwd })).toMatchObject({ blocks: true });
  });

  it('says so if its state cannot be written, and does not block', async () => {
    const { cwd, write } = newRepository();
    write('.reviewloop', 'a file in the way');
    write('index.html', faultyPage);
    for (const kind of ['start', 'stop'] as const) {
      const { blocks, message } = await send(kind, { cwd });
      expect(blocks).toBe(false);
      expect(message).toContain('NO VERDICT');
    }
  });

  it('tells once that a person accepted the version, and reviews the next one [R3-014]', async () => {
    const { cwd, write, stop } = await begun();
    write('index.html', faultyPage);
    expect((await stop()).reason).not.toMatch(/reviewloop (?:answer|hook)/);
    const { message } = await stop({ blocks: 1 });
    expect(message).toContain('NOT APPROVED');
    const id = /reviewloop answer (\S+) override/.exec(message)?.[1] ?? '';
    await runCli(cwd, ['override', id, '--reason', 'a demo', '--by', 'Ada']);
    expect(await stop({ blocks: 1 })).toEqual({
      blocks: false,
      reason: '',
      message: 'reviewloop: accepted by Ada since the last turn: a demo.',
    });
    expect(await stop({ blocks: 1 })).toEqual({ blocks: false, reason: '', message: '' });
    write('index.html', `${faultyPage}\n`);
    expect(await stop({ blocks: 1 })).toMatchObject({
      blocks: false,
      message: expect.stringContaining('NOT APPROVED'),
    });
  });

  it('tells once that a person decided a requirement of the version', async () => {
    const { cwd, write, stop } = await begun({ 'TASK.md': '- Visitors must feel welcome.\n' });
    write('index.html', goodPage);
    const { message } = await stop();
    const command = /`reviewloop (answer \S+ \S+=yes)`/.exec(message)?.[1] ?? '';
    expect(command).toContain('R1=yes');
    expect(await runCli(cwd, command.split(' '))).toMatchObject({ code: 0 });
    expect((await stop()).message).toContain('reviewloop: approved since the last turn');
    expect(await stop()).toEqual({ blocks: false, reason: '', message: '' });
  });

  it('hands the agent what a person decided to be unmet, once, and then tells the person', async () => {
    const { cwd, write, stop } = await begun({ 'TASK.md': '- Visitors must feel welcome\n' });
    write('index.html', goodPage);
    const { message } = await stop();
    const id = /reviewloop answer (\S+) /.exec(message)?.[1] ?? '';
    await runCli(cwd, ['answer', id, 'decide', 'R1=no', '--by', 'ann', '--reason', 'too cold']);
    const told = await stop({ turn: 2 });
    expect(told).toMatchObject({ blocks: true });
    expect(told.reason).toContain('Visitors must feel welcome');
    expect(told.reason).toContain('too cold');
    expect(await stop({ turn: 2, blocks: 1 })).toMatchObject({ blocks: false });
    write('index.html', goodPage.replace('</body>', '<p>Welcome!</p></body>'));
    expect(await stop()).toMatchObject({ blocks: false });
  });

  it('tells the person if the session changed what it is judged by', async () => {
    const { write, stop } = await begun({ 'TASK.md': '- The page title must be "Sign in".\n' });
    write('TASK.md', '- The page must have a title.\n');
    write('index.html', goodPage);
    const { blocks, message } = await stop();
    expect(blocks).toBe(false);
    expect(message).toContain('The session changed what it is judged by: TASK.md.');
  });

  it('tells the person about files that nobody reviewed', async () => {
    const { cwd, write, stop } = await begun();
    write('vendor/b.mjs', 'export const b = 1;\n');
    const inner = repositoryAt(join(cwd, 'vendor'));
    inner.write('a.mjs', 'export const a = 1;\n');
    inner.commit();
    expect((await stop()).message).toContain('repositories of their own: vendor');
    write('logo.png', Buffer.from([0, 1, 2]));
    write('shop.mjs', 'export const a = 1;\n');
    expect((await stop()).message).toContain('Not reviewed: logo.png');
  });

  it('can be switched off and on, and says that it is off once', async () => {
    const { cwd, write, stop } = await begun();
    write('index.html', faultyPage);
    expect((await runCli(cwd, ['hook', 'off'])).out).toContain('is off');
    expect((await stop()).message).toContain('the gate is off, nothing is reviewed (by');
    expect(await stop()).toMatchObject({ blocks: false, message: '' });
    expect((await runCli(cwd, ['hook', 'status'])).out).toContain('off (by');
    await runCli(cwd, ['hook', 'on']);
    expect(await stop()).toMatchObject({ blocks: true });
    expect((await runCli(cwd, ['hook', 'status'])).out).toMatch(
      /Stop {1,2}block {1,2}4 open gaps, run \w/,
    );
  });

  it('blocks once for a failed judge if told so', async () => {
    const commands = "commands: [{ id: 'tests', run: ['no-such-program'] }]";
    const config = `export default { hook: { onFailure: 'block' }, ${commands} };\n`;
    const { write, stop } = await begun({ 'reviewloop.config.mjs': config });
    write('shop.mjs', 'export const a = 1;\n');
    expect(await stop()).toMatchObject({ blocks: true });
    expect(await stop({ blocks: 1 })).toMatchObject({
      blocks: false,
      message: expect.stringContaining('NO VERDICT'),
    });
    write('shop.mjs', 'export const a = 2;\n');
    expect(await stop({ blocks: 1 })).toMatchObject({ blocks: false });
  });

  it('follows the limits of the configuration', async () => {
    const config = 'export default { hook: { maxBlocks: 0, exclude: ["generated/**"] } };\n';
    const { write, stop } = await begun({ 'reviewloop.config.mjs': config });
    write('generated/index.html', faultyPage);
    expect(await stop()).toMatchObject({ blocks: false, reason: '' });
    write('index.html', faultyPage);
    expect((await stop()).message).toContain('the limit of blocks in a turn is reached');
  });

  it('judges against the prompt if the configuration says so', async () => {
    const config = "export default { hook: { task: 'prompt' } };\n";
    const { cwd, write, stop } = await begun({ 'reviewloop.config.mjs': config });
    await send('prompt', { cwd, prompt: 'The page title must be "Welcome".' });
    write('index.html', goodPage);
    expect((await stop()).reason).toContain('title must be "Welcome"');
  });

  it('serves several sessions at once, each with its own start', async () => {
    const { cwd, write, git } = await begun();
    write('index.html', faultyPage);
    await send('start', { cwd, session: 'late' });
    const both = await Promise.all([send('stop', { cwd }), send('stop', { cwd, session: 'late' })]);
    expect(both.map(({ blocks }) => blocks)).toEqual([true, false]);
    expect(git('status', '--porcelain')).toBe('?? index.html');
  });

  it('lets only one hook of a session work', async () => {
    const { cwd, write } = await begun();
    write('index.html', faultyPage);
    const all = await Promise.all([1, 2, 3].map(() => send('stop', { cwd })));
    expect(all.filter(({ blocks }) => blocks)).toHaveLength(1);
  });

  it('answers one stop once, where a program reads two files of hooks', async () => {
    const { cwd, write, stop } = await begun();
    write('page.html', faultyPage);
    expect(await stop()).toMatchObject({ blocks: true });
    expect(await stop()).toEqual({ blocks: false, reason: '', message: '' });
    // the next stop, of an agent that changed nothing
    expect(await stop({ blocks: 1 })).toMatchObject({ message: /left open/ });
    const log = readFileSync(join(cwd, '.reviewloop/hooks.jsonl'), 'utf8');
    expect(log.match(/a second hook of the same stop/g)).toHaveLength(1);
  });

  it('starts again after a damaged state', async () => {
    const { cwd, write, stop } = await begun();
    const store = new SessionStore(cwd);
    await writeFile(join(store.folderOf('s'), 'state.json'), '{ "schemaVersion": 1');
    write('index.html', faultyPage);
    expect(await stop()).toMatchObject({ blocks: true });
  });

  it('writes nothing into the repository', async () => {
    const { cwd, write, git, stop } = await begun();
    const objects = (): string => git('count-objects');
    const before = objects();
    write('index.html', faultyPage);
    await stop();
    expect(objects()).toBe(before);
    expect(await readdir(join(cwd, '.reviewloop'))).toContain('hooks.jsonl');
    expect(readFileSync(join(cwd, '.reviewloop/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('answers for a folder that was removed', async () => {
    const { cwd } = await begun({ 'inner/a.txt': 'a\n' });
    rmSync(join(cwd, 'inner'), { recursive: true });
    const stdin = JSON.stringify(events['claude-code'].stop({ cwd: join(cwd, 'inner') }));
    const result = await runCli(cwd, ['hook'], { stdin });
    expect(readAnswer('claude-code', result).blocks).toBe(false);
    expect(existsSync(join(cwd, 'inner'))).toBe(false);
  });
});
