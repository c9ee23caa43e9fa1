import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  copiedRepository,
  newRepository,
  type Repository,
} from '../../../support/git-repository.js';
import { chatProtocol, type ModelServer, modelServer } from '../../../support/model-server.js';
import { type PrintedCommand, printedCommands } from '../../../support/printed-commands.js';
import { yesServer } from '../../../support/yes-judge.js';
import { faultyPage, goodPage, runCli } from './harness.js';

const job =
  'name: article\nsteps:\n  - id: draft\n    outputs: { page: file }\n    reviews:\n      - run_each: step\n        quality_criteria: { Complete: Is everything there? }\n  - id: publish\n    outputs: { link: string }\n';
const tasks = '# Tasks\n\n### TASK-001: Add tea\n- [ ] tea\n\n### TASK-002: Add milk\n- [ ] milk\n';

let yes: Awaited<ReturnType<typeof yesServer>>;
let no: typeof yes;
let down: ModelServer;
let folders: string;
beforeAll(async () => {
  folders = mkdtempSync(join(tmpdir(), 'reviewloop-printed-'));
  yes = await yesServer();
  no = await yesServer(undefined, 'failed');
  down = await modelServer(chatProtocol, { kind: 'status', status: 401, message: 'no such key' });
});
afterAll(async () => {
  rmSync(folders, { recursive: true, force: true });
  await yes.close();
  await no.close();
  await down.close();
});

/** A repository with names that a shell must quote. */
function place(): Repository {
  return copiedRepository(['printed commands'], makePlace);
}

function makePlace(): Repository {
  const repository = newRepository();
  repository.write('a.ts', 'export const a = 1;\n');
  repository.write('tasks.md', tasks);
  repository.write('job.yml', job);
  repository.commit('first');
  repository.write('a.ts', 'export const a = 2;\n');
  repository.write("my site/it's.html", goodPage);
  repository.write('my site/faulty.html', faultyPage);
  repository.write('page.html', goodPage);
  repository.write('TASK.md', '# Task\n\nThe page must show a cosy picture.\n');
  repository.write('the task.md', '# Task\n\nThe page must show a cosy picture.\n');
  return repository;
}

interface Run {
  readonly argv: readonly string[];
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(
  cwd: string,
  argv: readonly string[],
  { cancelled, columns }: Pick<Setup, 'cancelled' | 'columns'> = {},
): Promise<Run> {
  const controller = new AbortController();
  // the inbox serves until Ctrl-C
  const serves = argv[0] === 'inbox';
  const result = await runCli(cwd, argv, {
    ...(serves && { out: async () => void setImmediate(() => controller.abort()) }),
    stdin: 'The page must show a cosy picture.\n',
    signal: controller.signal,
    outColumns: columns,
    ...(cancelled && {
      err: (text: string) => {
        if (text.includes('begin')) controller.abort(new Error('Ctrl-C'));
      },
    }),
  });
  return { argv, ...result };
}

const faulty = ['review', 'my site/faulty.html', '--task-text', 'x', '--no-requirements'];
const unsure = ['review', "my site/it's.html", '--task', 'the task.md'];
const diff = ['review', '--diff', '--task', 'TASK.md', 'a.ts'];
const gate = ['gate', '--job', 'job.yml', '--step', 'draft', '--output', 'page=page.html'];
const doTasks = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'cp page.html tea.html'];
const person = "export default { human: { policy: 'require' } };\n";

interface Setup {
  readonly argv: readonly string[];
  /** Commands before it. */
  readonly before?: readonly (readonly string[])[];
  readonly files?: Readonly<Record<string, string>>;
  /** The configuration of the commands before it, too. */
  readonly config?: string;
  /** The events of an agent in the folder, of which the last one is answered. */
  readonly events?: readonly string[];
  /** Which judge is asked. @default none */
  readonly judge?: 'yes' | 'no' | 'down';
  /** The columns of the terminal. @default no terminal */
  readonly columns?: number;
  /** Whether the person presses Ctrl-C once the review has begun. */
  readonly cancelled?: true;
  /** How many lines it prints at least. @default 1 */
  readonly least?: number;
}

const setups: Readonly<Record<string, Setup>> = {
  'review that is approved': {
    argv: ['review', 'page.html', '--task-text', 'x', '--no-requirements'],
  },
  'review with gaps that can be fixed': { argv: faulty },
  'review on a small terminal': { argv: faulty, columns: 80, least: 3 },
  'runs ID on a small terminal': { before: [faulty], argv: ['runs', '0'], columns: 80 },
  'review with --fix': { argv: [...faulty, '--fix'] },
  'review with --fix and --write': { argv: [...faulty, '--fix', '--write'] },
  'review with gaps of requirements': { argv: unsure, least: 3 },
  'review of a store of its own': { argv: [...unsure, '--store', 'file:my store'], least: 3 },
  'review of a task in words': {
    argv: ['review', 'page.html', '--task-text', 'Show a cosy picture.'],
  },
  'review of standard input': { argv: ['review', 'page.html', '--task', '-'] },
  'review whose judge is down': { argv: unsure, judge: 'down' },
  'review whose judge says yes': { argv: unsure, judge: 'yes' },
  'review that a person must approve': {
    argv: ['review', 'page.html', '--task-text', 'x', '--no-requirements'],
    files: { 'reviewloop.config.mjs': person },
  },
  'review that was cancelled': { argv: faulty, cancelled: true },
  'review --diff without a model': { argv: diff, least: 2 },
  'review --diff whose judge is down': { argv: diff, judge: 'down', least: 2 },
  'review --diff whose judge says yes': { argv: diff, judge: 'yes' },
  'review --diff that fails its verification': {
    argv: [...diff, '--verify', 'false'],
    judge: 'yes',
  },
  'review --diff with a person': { argv: [...diff, '--human', 'require'], judge: 'yes' },
  'runs without any': { argv: ['runs'] },
  'runs ID': { before: [unsure], argv: ['runs', '0'] },
  'show ID': { before: [diff], argv: ['show'], least: 0 },
  'summary ID': { before: [diff], argv: ['runs', '--summary'], least: 0 },
  requirements: { argv: ['requirements', 'the task.md'] },
  'requirements --write': { argv: ['requirements', 'the task.md', '--write'] },
  'requirements of a changed task': {
    before: [['requirements', 'TASK.md', '--write']],
    files: { 'TASK.md': '# Task\n\nThe page must show two pictures.\n' },
    argv: ['requirements', 'TASK.md'],
  },
  'answer that decides': { before: [unsure], argv: ['answer', '0', 'decide', 'R1=no'] },
  'answer that overrides': { before: [unsure], argv: ['answer', '0', 'override', '--reason', 'x'] },
  demo: { argv: ['demo'] },
  init: { argv: ['init'] },
  'lessons drafts': {
    config: 'export default { learn: true };\n',
    before: [faulty, faulty],
    argv: ['lessons', 'drafts'],
  },
  'a hook that blocks an agent': { events: ['SessionStart', 'Stop'], argv: ['hook'], least: 2 },
  'a hook that tells a person': {
    events: ['SessionStart', 'Stop', 'Stop'],
    argv: ['hook'],
    least: 2,
  },
  'gate without instructions followed': { argv: [...gate, '--mode', 'self'] },
  'runs ID of a gate': {
    before: [[...gate, '--mode', 'self']],
    argv: ['runs', 'gate-article-default-draft'],
  },
  'gate whose judge is down': { argv: gate, judge: 'down' },
  'gate whose judge says yes': { argv: gate, judge: 'yes' },
  'tasks whose reviewer is down': {
    argv: [...doTasks, '--task', 'TASK-001'],
    files: { 'a.ts': 'export const a = 1;\n' },
    judge: 'down',
    least: 2,
  },
  'tasks whose tests fail': {
    argv: [...doTasks, '--task', 'TASK-001', '--test-command', 'false', '--attempts', '1'],
    judge: 'yes',
  },
  'tasks whose review fails and stops nothing': {
    argv: [...doTasks, '--task', 'TASK-001'],
    judge: 'no',
    least: 3,
  },
  'tasks that are not committed': {
    argv: [...doTasks, '--task', 'TASK-001', '--no-commit'],
    judge: 'yes',
    least: 2,
  },
  'tasks that wait for a person': {
    argv: [...doTasks, '--task', 'TASK-001', '--hitl-review'],
    judge: 'yes',
  },
};

const cleaned = (argv: readonly string[]): boolean => argv[0] === 'tasks';

async function answered(cwd: string, events: readonly string[]): Promise<Run> {
  const argv = ['hook', 'claude-code'];
  let last = '{}';
  let stops = 0;
  for (const name of events) {
    // a second stop follows one that was blocked
    const isAgain = name === 'Stop' && stops++ > 0;
    const event = {
      ...{ session_id: 's', cwd, hook_event_name: name, source: 'startup' },
      ...(isAgain && { stop_hook_active: true }),
    };
    if (name === 'Stop') writeFileSync(join(cwd, 'page.html'), faultyPage);
    last = (await runCli(cwd, argv, { stdin: JSON.stringify(event) })).out;
  }
  const { reason = '', systemMessage = '' } = JSON.parse(last) as Record<string, string>;
  // an agent and a person read commands between backticks
  const commands = [...`${reason} ${systemMessage}`.matchAll(/`(reviewloop [^`]*)`/g)];
  return { argv, code: 0, out: commands.map(([, line]) => `next: ${line}\n`).join(''), err: '' };
}

async function begun(setup: Setup) {
  const { argv, before = [], files = {}, config, events, judge } = setup;
  const { cwd, write, commit } = place();
  if (config !== undefined) write('reviewloop.config.mjs', config);
  if (events !== undefined) return { cwd, first: await answered(cwd, events) };
  if (cleaned(argv)) commit('second');
  for (const each of before) await run(cwd, each);
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (cleaned(argv) && Object.keys(files).length > 0) commit('third');
  const flags =
    judge === undefined
      ? []
      : judge === 'yes'
        ? yes.flags
        : judge === 'no'
          ? no.flags
          : ['--provider', 'openai:m', '--base-url', `${down.url}/v1`];
  vi.stubEnv('OPENAI_API_KEY', 'none');
  return { cwd, first: await run(cwd, [...argv, ...flags], setup) };
}

/** What a printed command promises, checked after it ran. */
async function expectKept(
  { argv, promise, line }: PrintedCommand,
  { code, out, err }: Run,
  cwd: string,
): Promise<void> {
  const all = `${line}\n${out}\n${err}`;
  expect([1, 2], all).not.toContain(code);
  expect(err, all).not.toMatch(/\[(?:usage|invalid_options|run_unknown|store_unreadable)\]/);
  const [command = '', ...rest] = argv;
  const storeAt = argv.indexOf('--store');
  const store = storeAt < 0 ? [] : argv.slice(storeAt, storeAt + 2);
  const report = async (id: string) => {
    const { out: text } = await run(cwd, ['runs', id, ...store, '--format', 'json']);
    return JSON.parse(text) as {
      readonly status: string;
      readonly undecided: readonly { readonly id?: string; readonly criterion: string }[];
    };
  };
  const [id = '', kind, decision = ''] = rest;
  const isTask = /^tasks |TASK-/.test(line) || !all.includes('stored:');
  if (command === 'override' || (command === 'answer' && kind === 'override'))
    expect(code, all).toBe(0);
  if (command === 'lessons' && id === 'accept') expect(out, all).toContain('criteria');
  if (command === 'answer' && kind === 'approve') expect(code, all).toBe(0);
  const decided = kind?.includes('=') ? kind : decision;
  if (command === 'answer' && decided.includes('=') && !isTask) {
    const [criterion] = decided.split('=');
    const { undecided } = await report(id);
    expect(undecided.map((one) => one.id ?? one.criterion)).not.toContain(criterion);
  }
  if (command === 'runs' && id !== '' && !argv.some((one) => one.startsWith('--')))
    expect(out, all).toContain('next: ');
  if (argv.includes('--fix') && command === 'review')
    expect(out, all).toMatch(/^APPROVED|fixed|changed/im);
  if (command === 'requirements' && argv.includes('--write'))
    expect(out, all).toContain('written: ');
  if (command === 'review' && argv.includes('--write'))
    expect(readFileSync(join(cwd, 'my site/faulty.html'), 'utf8')).not.toBe(faultyPage);
  if (promise.includes('a model decides')) expect(code, all).toBe(0);
}

function prepared({ promise }: PrintedCommand, cwd: string): void {
  if (promise.includes('after you fixed')) {
    writeFileSync(join(cwd, 'my site/faulty.html'), goodPage);
  }
}

const placesNow = () => ({
  model: ['ollama:m', '--base-url', yes.url],
  paths: 'page.html',
  task: 'TASK.md',
});

/** Follows every printed command in a copy of its folder, and what that prints in turn. */
async function follow(
  from: { readonly cwd: string; readonly out: string },
  seen: Set<string>,
  depth: number,
): Promise<number> {
  let count = 0;
  for (const command of printedCommands(from.out, placesNow())) {
    const key = command.line.replaceAll(/\b[0-9a-f-]{8,}\b/g, 'ID');
    if (seen.has(key)) continue;
    seen.add(key);
    const cwd = join(mkdtempSync(join(folders, 'copy-')), 'work');
    cpSync(from.cwd, cwd, { recursive: true, verbatimSymlinks: true });
    prepared(command, cwd);
    const ran = await run(cwd, command.argv);
    await expectKept(command, ran, cwd);
    count += 1;
    if (depth > 1) count += await follow({ cwd, out: ran.out }, seen, depth - 1);
  }
  return count;
}

/** Runs a command of git as a shell does, and checks that the folder is clean after it. */
function runGit(cwd: string, { line }: PrintedCommand): void {
  const shell = (script: string) => execFileSync('sh', ['-c', script], { cwd, encoding: 'utf8' });
  const before = shell('git rev-parse HEAD; git stash list; git status --porcelain');
  shell(line);
  expect(shell('git rev-parse HEAD; git stash list; git status --porcelain')).not.toBe(before);
  if (!line.startsWith('git apply')) expect(shell('git status --porcelain')).toBe('');
}

/** Runs every printed command in a place of its own: records of tasks name their folder. */
async function followInPlace(setup: Setup): Promise<number> {
  let count = 0;
  for (let at = 0; ; at += 1) {
    const { cwd, first } = await begun(setup);
    const command = printedCommands(first.out, placesNow())[at];
    if (command === undefined) return count;
    count += 1;
    if (command.git) {
      runGit(cwd, command);
      continue;
    }
    const ran = await run(cwd, command.argv);
    await expectKept(command, ran, cwd);
    for (const next of printedCommands(ran.out, placesNow()).slice(0, 1))
      if (!next.git) await expectKept(next, await run(cwd, next.argv), cwd);
  }
}

it.each(Object.entries(setups))(
  'every printed command runs, and does what its line promises, after %s [R2-026, R2-063, R2-069, R2-097]',
  async (_, setup) => {
    if (cleaned(setup.argv)) {
      expect(await followInPlace(setup)).toBeGreaterThanOrEqual(setup.least ?? 1);
      return;
    }
    const { cwd, first } = await begun(setup);
    const count = await follow({ cwd, out: first.out }, new Set(), 3);
    expect(count, `${first.out}\n${first.err}`).toBeGreaterThanOrEqual(setup.least ?? 1);
  },
  60_000,
);
