import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  copiedRepository,
  type Repository,
  repositoryAt,
  repositoryIn,
} from '../support/git-repository.js';
import { words } from '../support/matchers.js';
import { tempFolder } from '../support/temp-folder.js';
import { faultyPage, goodPage } from '../unit/faces/cli/harness.js';
import type { EventFacts } from '../unit/faces/hooks/events.js';
import { type Sender, send } from '../unit/faces/hooks/send-event.js';

type Files = Readonly<Record<string, string>>;

/** A session that has begun in a repository of its own, below a folder that tests may write. */
async function session(files: Files = {}, more: Sender = {}) {
  const repository = nested(files);
  const { cwd } = repository;
  await send('start', { cwd }, more);
  const stop = (facts: Partial<EventFacts> = {}, now = more) =>
    send('stop', { cwd, ...facts }, now);
  return { ...repository, stop };
}

function put(repository: Repository, files: Files): void {
  for (const [path, content] of Object.entries(files)) repository.write(path, content);
}

/** A repository below a folder, so that there are folders above it that tests may write. */
function nested(files: Files): Repository & { readonly above: string } {
  const { cwd: above } = copiedRepository(['nested', files], () => {
    const folder = tempFolder('reviewloop-above');
    mkdirSync(join(folder, 'shop'));
    const made = repositoryAt(join(folder, 'shop'));
    put(made, { 'README.md': '# Shop\n', 'a.mjs': 'export const a = 1;\n', ...files });
    made.commit();
    return { ...made, cwd: folder };
  });
  return { ...repositoryIn(join(above, 'shop')), above };
}

const json = (value: object): string => JSON.stringify(value);
const runs = (...run: string[]): string =>
  json({ criteria: 'code', requirements: false, commands: [{ id: 'tests', run, cwd: '.' }] });
const exits = (code: number): string => `process.exit(${code});\n`;
const scripts = (test: string, more = {}): string =>
  json({ type: 'module', scripts: { test, ...more } });
const config = 'reviewloop.config.json';
/** A command, and a file that it runs at last. */
const checkedBy = (command: string, more: Files): Files => ({
  [config]: runs(...words(command)),
  'tool/check.mjs': exits(1),
  ...more,
});

interface Weakened {
  readonly before?: Files;
  /** The person is told about the first path. */
  readonly change: Files;
  /** How the person is told its path, if in other words. */
  readonly told?: string;
  /** The folder of the events, below the repository. */
  readonly folder?: string;
}

/** What judges a session, and how the session weakens it: each is told. */
const weakened: Readonly<Record<string, Weakened>> = {
  'an exclusion that hides itself [R3-012]': {
    change: { [config]: json({ hook: { exclude: ['**'] } }) },
  },
  'a configuration that git ignores [R3-013]': {
    before: { '.gitignore': '*.yml\n', 'reviewloop.config.yml': 'criteria: auto\n' },
    change: { 'reviewloop.config.yml': 'criteria: plan\nhook: { exclude: ["*.html"] }\n' },
  },
  'a configuration in a folder above the repository [R3-013]': {
    change: { [`../${config}`]: json({ hook: { exclude: ['*.html'] } }) },
  },
  'a configuration at the top of the repository, from a folder with one below it [R3-013]': {
    before: { [`packages/a/${config}`]: '{}' },
    folder: 'packages/a',
    change: { [config]: '{}', 'packages/a/reviewloop.config.yml': 'criteria: plan\n' },
    told: `../../${config}`,
  },
  'a nearer configuration than the one at the start [R3-013]': {
    before: { [config]: '{}', 'packages/a/b.mjs': 'export const b = 1;\n' },
    folder: 'packages/a',
    change: { [`packages/a/${config}`]: json({ hook: { exclude: ['**'] } }) },
  },
  'a module that the configuration imports, which git ignores [R3-013]': {
    before: {
      '.gitignore': 'rules/\n',
      'reviewloop.config.mjs':
        "import { criteria } from './rules/all.mjs';\nexport default { criteria };\n",
      'rules/all.mjs': "export { criteria } from './deep.mjs';\n",
      'rules/deep.mjs': "export const criteria = 'html';\n",
    },
    change: { 'rules/deep.mjs': "export const criteria = 'plan';\n" },
  },
  'a package that the configuration imports [R3-013]': {
    before: {
      '.gitignore': 'node_modules/\n',
      'reviewloop.config.mjs': "import criteria from 'house';\nexport default { criteria };\n",
      'node_modules/house/package.json': json({ name: 'house', type: 'module', main: 'i.js' }),
      'node_modules/house/i.js': "export default 'html';\n",
    },
    change: { 'node_modules/house/i.js': "export default 'plan';\n" },
  },
  'a task that git ignores [R3-018]': {
    before: { '.gitignore': 'TASK.md\n', 'TASK.md': '- The page must have a title "Buy".\n' },
    change: { 'TASK.md': '- The page must have a title.\n' },
  },
  'requirements beside a configured task, new and ignored [R3-018]': {
    before: {
      '.gitignore': 'docs/*.yml\n',
      'docs/wish.md': '- The page must have a title "Buy".\n',
      [config]: json({ hook: { task: 'docs/wish.md' } }),
    },
    change: { 'docs/wish.requirements.yml': 'requirements: []\n' },
  },
  'the script of a package that a command runs [R3-016]': {
    before: { [config]: runs('npm', 'test'), 'package.json': scripts('node c.mjs') },
    change: { 'package.json': scripts('true') },
  },
  'the file that a script of a script names [R3-016]': {
    before: checkedBy('npm run -s all', {
      'package.json': scripts('node tool/check.mjs', { all: 'npm run -s test' }),
    }),
    change: { 'tool/check.mjs': exits(0) },
  },
  'the file that a shell script of a command names [R3-016]': {
    before: checkedBy('sh check.sh', { 'check.sh': '# runs a.mjs\nnode tool/check.mjs\n' }),
    change: { 'tool/check.mjs': exits(0) },
  },
  'a program of node_modules that a command names [R3-016]': {
    before: {
      '.gitignore': 'node_modules/\n',
      [config]: runs('node_modules/.bin/lint'),
      'node_modules/.bin/lint': '#!/bin/sh\nexit 1\n',
    },
    change: { 'node_modules/.bin/lint': '#!/bin/sh\nexit 0\n' },
  },
  'a file that the target of make runs [R3-016]': {
    before: checkedBy('make test', { Makefile: 'test:\n\tnode tool/check.mjs\n' }),
    change: { 'tool/check.mjs': exits(0) },
  },
  'the script of a workspace that a command runs [R3-016]': {
    before: {
      [config]: runs('npm', 'test', '--prefix', 'packages/b'),
      'packages/b/package.json': scripts('node c.mjs'),
    },
    change: { 'packages/b/package.json': scripts('true') },
  },
  'settings of a test runner [R3-016]': {
    before: { [config]: runs('node', '--version'), 'vitest.config.ts': 'export default {};\n' },
    change: { 'vitest.config.ts': 'export default { test: { include: [] } };\n' },
  },
  'rules of git that ignore themselves [R3-012]': { change: { '.gitignore': '*\n' } },
  'rules of the clone [R3-012]': {
    change: { '.git/info/exclude': '*.html\n' },
    told: 'info/exclude',
  },
  'attributes of the clone [R3-012]': {
    change: { '.git/info/attributes': '*.html working-tree-encoding=UTF-16\n' },
    told: 'info/attributes',
  },
  'ignored settings that start no hook [R3-012]': {
    before: { '.gitignore': '.claude/\n' },
    change: { '.claude/settings.local.json': json({ disableAllHooks: true }) },
  },
};

describe('what judges a session, changed in the session, is told [R3-012, R3-013, R3-016, R3-018]', () => {
  it.each(Object.entries(weakened))('%s', async (_, { before = {}, change, told, folder = '' }) => {
    const repository = nested(before);
    const cwd = join(repository.cwd, folder);
    await send('start', { cwd });
    put(repository, { ...change, 'a.mjs': 'export const a = 2;\n' });
    const { message } = await send('stop', { cwd });
    expect(message).toContain(told ?? Object.keys(change)[0]);
    expect(message).toMatch(/The session changed (?:what it is judged by|which files git ignores)/);
  });

  it('a person who changes nothing of it hears only of the approval [R3-012]', async () => {
    const { write, stop } = await session({
      '.claude/settings.local.json': json({ permissions: { allow: [] } }),
      '.gitignore': '.claude/\n',
      'reviewloop.config.json': runs('npm', 'test'),
      'package.json': scripts('node --version'),
    });
    write('.claude/settings.local.json', json({ permissions: { allow: ['Bash'] } }));
    write('a.mjs', 'export const a = 2;\n');
    const { message } = await stop();
    expect(message).toMatch(/^reviewloop: approved \(1 file, \d+ checks?\)$/);
  });
});

interface Hiding extends Weakened {
  readonly told: string;
  readonly act?: (cwd: string) => void;
}

/** How a session hides a page from the judges: it is not approved, and the person reads its name. */
const hiding: Readonly<Record<string, Hiding>> = {
  'a new rule': {
    change: { '.gitignore': '*.html\n', 'page.html': faultyPage },
    told: 'page.html (.gitignore)',
  },
  'one more rule': {
    before: { '.gitignore': 'dist/\n' },
    change: { '.gitignore': 'dist/\nsite/\n', 'site/page.html': faultyPage },
    told: 'site/ (.gitignore)',
  },
  'a folder that ignores itself': {
    change: { 'site/.gitignore': '*\n', 'site/page.html': faultyPage },
    told: 'site/page.html (site/.gitignore)',
  },
  'a folder that ignored a part of itself before': {
    before: { '.gitignore': 'site/.gitignore\n', 'site/.gitignore': '*.log\n' },
    change: { 'site/.gitignore': '*.log\n*.html\n', 'site/page.html': faultyPage },
    told: 'site/page.html (site/.gitignore)',
  },
  'a rule of the clone': {
    change: { '.git/info/exclude': 'page.html\n', 'page.html': faultyPage },
    told: 'page.html (.git/info/exclude)',
  },
  'rules that a setting names': {
    change: { '.git/rules': 'page.html\n', 'page.html': faultyPage },
    act: (cwd) => repositoryIn(cwd).git('config', 'core.excludesFile', join(cwd, '.git/rules')),
    told: 'page.html (',
  },
  'an exception that is gone': {
    before: { '.gitignore': '*.html\n', 'site/.gitignore': '!page.html\n' },
    change: { 'site/.gitignore': '', 'site/page.html': faultyPage },
    told: 'what an exception of it showed (site/.gitignore)',
  },
  'a known rule again, after its exception': {
    before: { '.gitignore': '*.html\n!page.html\n' },
    change: { '.gitignore': '*.html\n!page.html\n*.html\n', 'page.html': faultyPage },
    told: 'what an exception of it showed (.gitignore)',
  },
  'a rule above the folder of the session': {
    before: { 'shop/b.mjs': 'export const b = 1;\n', 'shop/reviewloop.config.json': '{}' },
    change: { '.gitignore': 'page.html\n', 'shop/page.html': faultyPage },
    folder: 'shop',
    told: 'page.html (.gitignore)',
  },
  'a file that is no longer tracked': {
    before: { 'page.html': goodPage },
    change: { '.gitignore': 'page.html\n', 'page.html': faultyPage },
    act: (cwd) => repositoryIn(cwd).git('rm', '-q', '--cached', 'page.html'),
    told: 'page.html (.gitignore)',
  },
  'a repository in the folder': {
    change: { 'site/page.html': faultyPage },
    act: (cwd) => repositoryAt(join(cwd, 'site')).commit(),
    told: 'repositories of their own: site',
  },
  'an exclusion in the configuration': {
    change: { [config]: json({ hook: { exclude: ['*.html'] } }), 'page.html': faultyPage },
    told: 'hook.exclude of this session names them: page.html',
  },
};

describe('what a session hides is not approved [R3-012]', () => {
  it.each(Object.entries(hiding))('%s', async (_, way) => {
    const { before = {}, change, act, folder = '' } = way;
    const repository = nested(before);
    const cwd = join(repository.cwd, folder);
    await send('start', { cwd });
    put(repository, change);
    act?.(repository.cwd);
    repository.write(join(folder, 'c.mjs'), 'export const c = 2;\n');
    const { blocks, message } = await send('stop', { cwd });
    expect(blocks).toBe(false);
    expect(message).toMatch(/^reviewloop: NO VERDICT \(unseen_changes\), not approved/);
    expect(message).toContain(way.told);
  });

  it.each<[string, Files, Files]>([
    ['a known rule', { '.gitignore': 'dist/\n' }, { 'dist/page.html': faultyPage }],
    [
      'a known rule in a file that changed',
      { '.gitignore': 'dist/\n' },
      { '.gitignore': '# built\ndist/\n*.log\n', 'dist/page.html': faultyPage },
    ],
    [
      'installed packages',
      {},
      { '.gitignore': 'node_modules/\n', 'node_modules/a/page.html': faultyPage },
    ],
    ['a rule that hides nothing', {}, { '.gitignore': '*.log\n' }],
  ])('%s hides nothing that a judge would have seen', async (_, before, change) => {
    const { cwd, stop } = await session(before);
    put(repositoryIn(cwd), { ...change, 'a.mjs': 'export const a = 2;\n' });
    expect((await stop()).message).toMatch(/^reviewloop: approved/);
  });

  it('a page that a rule no longer hides is reviewed', async () => {
    const { write, stop } = await session({ '.gitignore': '*.html\n' });
    write('.gitignore', '');
    write('page.html', faultyPage);
    expect(await stop()).toMatchObject({ blocks: true });
  });
});

describe('what is on the disk at the end is what was reviewed', () => {
  const writes = (code: string): Files => ({
    [config]: json({ commands: [{ id: 'w', run: ['node', 'w.mjs'], cwd: '.' }] }),
    'w.mjs': `import { writeFileSync } from 'node:fs';\n${code}\n`,
  });

  it('a page that a command writes is reviewed [R3-015]', async () => {
    const page = JSON.stringify(faultyPage);
    const { write, stop } = await session(writes(`writeFileSync('index.html', ${page});`));
    write('index.html', goodPage);
    const { blocks, reason } = await stop();
    expect(blocks).toBe(true);
    expect(reason).toContain('index.html');
  });

  it('files that change at each review have no verdict [R3-015]', async () => {
    const { write, stop } = await session(
      writes("writeFileSync('log.txt', String(process.hrtime.bigint()));"),
    );
    write('index.html', goodPage);
    const { blocks, message } = await stop();
    expect(blocks).toBe(false);
    expect(message).toMatch(/NO VERDICT \(changed_during_review\).*log\.txt/);
  });

  it('an ignored task that a command writes is told [R3-015]', async () => {
    const { write, stop } = await session({
      ...writes("writeFileSync('TASK.md', '- The page must have a title.\\n');"),
      '.gitignore': 'TASK.md\n',
      'TASK.md': '- The page title must be "Sign in".\n',
    });
    write('index.html', goodPage);
    expect((await stop()).message).toContain('judged by: TASK.md');
  });
});

/** Ways in which the work of one session is reviewed under another id, or told. */
const continuing: readonly (readonly [string, 'clear' | 'resume' | 'compact' | 'fork', boolean])[] =
  [
    ['clear, without a prompt', 'clear', false],
    ['clear, after a prompt', 'clear', true],
    ['resume', 'resume', true],
    ['compact', 'compact', true],
    ['fork', 'fork', true],
  ];

describe('one piece of work stays one', () => {
  it.each(continuing)(
    '%s: the work is reviewed with its own start [R3-017]',
    async (_, source, asks) => {
      const repository = nested({});
      const { cwd } = repository;
      await send('start', { cwd, session: 'one' });
      if (asks) await send('prompt', { cwd, session: 'one' });
      repository.write('index.html', faultyPage);
      await send('start', { cwd, session: 'two' }, { more: { source } });
      expect(await send('stop', { cwd, session: 'two' })).toMatchObject({ blocks: true });
      await send('start', { cwd, session: 'three' }, { more: { source } });
      repository.write('index.html', goodPage);
      expect((await send('stop', { cwd, session: 'three' })).message).toContain('approved (1 file');
      // what ended is not taken on again
      repository.write('by-hand.html', faultyPage);
      await send('start', { cwd, session: 'four' }, { more: { source } });
      expect(await send('stop', { cwd, session: 'four' })).toMatchObject({
        blocks: false,
        message: '',
      });
    },
  );

  it('a new session is told about open work before it, once, and not if it ended [R3-017]', async () => {
    const repository = nested({});
    const { cwd } = repository;
    await send('start', { cwd, session: 'one' });
    repository.write('index.html', faultyPage);
    await send('start', { cwd, session: 'two' });
    const told = await send('stop', { cwd, session: 'two' });
    expect(told).toMatchObject({ blocks: false });
    expect(told.message).toMatch(/NOT REVIEWED: an earlier session .* index\.html/);
    expect((await send('stop', { cwd, session: 'two' })).message).toBe('');
    await send('start', { cwd, session: 'three' });
    expect(await send('stop', { cwd, session: 'three' })).toMatchObject({ message: '' });
  });

  it.each([
    ['below the checkout', '.claude/worktrees/x', true],
    ['below the checkout, not ignored', 'trees/x', false],
    ['beside the checkout', '../x', false],
  ])('a linked work tree %s is reviewed [R3-021]', async (_, place, ignored) => {
    const { cwd, git, write, stop } = await session(
      ignored ? { '.gitignore': '.claude/\n.reviewloop/\n' } : {},
    );
    const tree = join(cwd, place);
    git('worktree', 'add', '-q', tree, '-b', 'x');
    writeFileSync(join(tree, 'index.html'), faultyPage);
    expect(await send('stop', { cwd: tree })).toMatchObject({ blocks: true });
    // the session goes back, and its work there is not forgotten
    writeFileSync(join(tree, 'more.html'), faultyPage);
    const back = await stop({ blocks: 1 });
    expect(back.reason + back.message).toContain(tree.replace('/shop/../', '/'));
    writeFileSync(join(tree, 'index.html'), goodPage);
    writeFileSync(join(tree, 'more.html'), goodPage);
    write('index.html', faultyPage);
    expect(await send('stop', { cwd: tree, turn: 2 })).toMatchObject({ blocks: true });
  });

  it('a repository inside of the project is reviewed if the session is in it [R3-021]', async () => {
    const repository = nested({ '.gitignore': 'lib/\n' });
    const { cwd } = repository;
    const lib = join(cwd, 'lib');
    mkdirSync(lib);
    const inner = repositoryAt(lib);
    inner.write('a.txt', 'a\n');
    inner.commit();
    await send('start', { cwd });
    await send('prompt', { cwd: lib });
    inner.write('index.html', faultyPage);
    inner.commit();
    expect(await send('stop', { cwd })).toMatchObject({ blocks: true });
  });

  it('reviews every root that an event of Cursor names [R3-124]', async () => {
    const one = nested({});
    const two = nested({});
    const more = { workspace_roots: [one.cwd, two.cwd] };
    const facts = { cwd: one.cwd };
    await send('start', facts, { agent: 'cursor', more });
    two.write('index.html', faultyPage);
    const first = await send('stop', facts, { agent: 'cursor', more });
    expect(first).toMatchObject({ blocks: true });
    expect(first.reason).toContain(two.cwd);
    one.write('index.html', faultyPage);
    two.write('index.html', goodPage);
    const second = await send('stop', { ...facts, blocks: 1 }, { agent: 'cursor', more });
    expect(second.reason).toContain(one.cwd);
  });
});

describe('a silent end has one cause', () => {
  it.each([
    ['a background task', { background_tasks: [{ id: 'b', status: 'running' }] }],
    ['a mode for plans', { permission_mode: 'plan' }],
  ])('%s is told once, if something changed [R3-020]', async (_, more) => {
    const { write, stop } = await session();
    expect(await stop({}, { more })).toMatchObject({ message: '' });
    write('index.html', faultyPage);
    expect((await stop({}, { more })).message).toContain('NOT REVIEWED, because');
    expect(await stop({ turn: 2 }, { more })).toMatchObject({ message: '' });
    expect(await stop({ turn: 2 })).toMatchObject({ blocks: true });
  });

  it('an interrupted turn of Cursor is told once [R3-020]', async () => {
    const { write, stop } = await session({}, { agent: 'cursor' });
    write('index.html', faultyPage);
    expect((await stop({ unfinished: true })).message).toContain('turn was aborted');
    expect(await stop({ unfinished: true })).toMatchObject({ message: '' });
  });

  it.each(['page.html', 'site/page.html', 'runs/page.html'])(
    'a page at .reviewloop/%s is told once [R3-019]',
    async (path) => {
      const { write, stop } = await session();
      write(`.reviewloop/${path}`, faultyPage);
      expect((await stop()).message).toContain(`.reviewloop/${path}`);
      expect(await stop()).toMatchObject({ blocks: false, message: '' });
    },
  );

  it('files that hook.exclude names are told once [R3-019]', async () => {
    const { write, stop } = await session({
      [config]: json({ hook: { exclude: ['gen/**'] } }),
    });
    write('gen/index.html', faultyPage);
    expect((await stop()).message).toContain('hook.exclude names them: gen/index');
    write('gen/more.html', faultyPage);
    expect(await stop()).toMatchObject({ blocks: false, message: '' });
  });

  it('a second stop of the session at once is told once [R3-126]', async () => {
    const { write, stop } = await session();
    write('index.html', faultyPage);
    const both = await Promise.all([stop(), stop()]);
    expect(both.filter(({ blocks }) => blocks)).toHaveLength(1);
    expect(both.map(({ message }) => message).join('')).toContain(
      'another hook of the same session',
    );
  });

  it('an approval is silent if the configuration says so', async () => {
    const { write, stop } = await session({
      [config]: json({ hook: { approvals: 'silent' } }),
    });
    write('index.html', goodPage);
    expect(await stop()).toMatchObject({ blocks: false, message: '' });
  });
});
