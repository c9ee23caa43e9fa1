import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRepository, type Repository } from '../../../../support/git-repository.js';
import { judgeServer } from '../../../../support/judge-server.js';
import { ending, failing } from '../../../../support/matchers.js';
import { type Screen, screen } from '../../../../support/screen.js';
import { goodCode, repositoryWith } from '../../../../system/stage-repository.js';
import { type CliResult, folderOf, goodPage, runCli } from '../../cli/harness.js';

interface Waiting {
  readonly cwd: string;
  readonly id: string;
  readonly allowed: readonly string[];
  readonly out: string;
}

function waitingIn(cwd: string, { code, out }: CliResult): Waiting {
  expect(code).toBe(53);
  const [id = ''] = readdirSync(join(cwd, '.reviewloop/runs'));
  const report = JSON.parse(readFileSync(join(cwd, '.reviewloop/runs', id, 'review.json'), 'utf8'));
  return { cwd, id, out, allowed: report.requests[0].allowed };
}

const waiting: Readonly<Record<string, () => Promise<Waiting>>> = {
  'review --diff --human require': () => diff('require'),
  'review --diff --human prompt': () => diff('prompt'),
  'review --diff without a model': async () => {
    const { cwd } = repositoryWith(goodCode);
    const argv = ['review', 'src', '--diff', '--task', 'TASK.md', '-q', '--human', 'require'];
    return waitingIn(cwd, await runCli(cwd, argv));
  },
  'review of files': () => files("address: undefined, human: { policy: 'prompt' }"),
  'review of files with an address': () =>
    files("address: async (output) => output, human: { policy: 'require' }", '--fix'),
};

async function diff(human: string): Promise<Waiting> {
  const server = await judgeServer([]);
  const { cwd } = repositoryWith(goodCode);
  const model = ['--provider', 'openai:served', '--base-url', server.url];
  const argv = ['review', 'src', '--diff', '--task', 'TASK.md', '-q', '--human', human, ...model];
  return waitingIn(cwd, await runCli(cwd, argv));
}

async function files(options: string, ...more: string[]): Promise<Waiting> {
  const config = `export default { ${options} };`;
  const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': config });
  const argv = ['review', 'a.html', '--task-text', 'x', '--no-requirements', '-q'];
  return waitingIn(cwd, await runCli(cwd, [...argv, ...more]));
}

function waitingOf(name: string): Promise<Waiting> {
  const made = waiting[name];
  if (made === undefined) throw new Error(`nothing waits by the name of ${name}`);
  return made();
}

/** What each answer promises: the status of the run after it. */
const promised: Readonly<Record<string, readonly string[]>> = {
  approve: ['approved'],
  reject: ['rejected'],
  skip: ['accepted'],
  override: ['accepted'],
  // the revision is carried out; this one changes nothing, which is told
  revise: ['stalled'],
  decide: ['suspended'],
};

describe('each answer that a question offers', () => {
  it.each(Object.keys(waiting))('%s: does what its word says [R2-064]', async (name) => {
    const kinds = (await waitingOf(name)).allowed;
    expect(kinds).not.toEqual([]);
    expect(kinds.includes('revise')).toBe(name.endsWith('an address'));
    for (const kind of kinds) {
      const { cwd, id } = await waitingOf(name);
      const words = ['revise', 'override'].includes(kind) ? ['--reason', 'because'] : [];
      const decision = kind === 'decide' ? ['intent_alignment=yes'] : [];
      await runCli(cwd, ['answer', id, kind, ...decision, ...words, '-q']);
      const { out } = await runCli(cwd, ['runs', '--json']);
      const [{ status }] = (JSON.parse(out) as { runs: [{ status: string }] }).runs;
      expect(promised[kind], kind).toContain(status);
    }
  });

  it.each(Object.keys(waiting))(
    '%s: the printed command leads on as it stands [R2-069]',
    async (name) => {
      const { cwd, out } = await waitingOf(name);
      const next = /\nnext: reviewloop (.*?)(?: #.*)?\n/.exec(out)?.[1] ?? '';
      expect(next).toMatch(/^answer \S+(?: approve|(?: \S+=yes)+ --approve)$/);
      expect((await runCli(cwd, [...next.split(' '), '-q'])).code).not.toBe(2);
      expect((await runCli(cwd, ['runs'])).out).not.toMatch(/unreadable/);
    },
  );
});

describe('a reason that only fills a place', () => {
  const rejected = async (): Promise<{ cwd: string; id: string }> => {
    const cwd = await folderOf({ 'a.html': goodPage.replace(' lang="en"', '') });
    const argv = ['review', 'a.html', '--task-text', 'x', '--no-requirements', '-q'];
    expect((await runCli(cwd, argv)).code).toBe(50);
    return { cwd, id: readdirSync(join(cwd, '.reviewloop/runs'))[0] ?? '' };
  };

  it('is refused where nobody can be asked [R2-069]', async () => {
    const { cwd, id } = await rejected();
    for (const reason of ['...', '  ', '-'])
      expect(await runCli(cwd, ['override', id, `--reason=${reason}`])).toMatchObject(
        failing(2, 'override requires --reason TEXT'),
      );
  });

  it('is asked for at a terminal [R2-069]', async () => {
    const { cwd, id } = await rejected();
    const at = screen();
    const ended = runCli(cwd, ['override', id, '--reason', '...', '-q'], {
      terminal: { input: at.input, output: at.output },
    });
    await at.type('Reason for override:', 'legal has checked it\r');
    expect(await ended).toMatchObject(ending(0, 'legal has checked it'));
  });
});

/** One dimension that asks no model: work that says FIXME is poor. */
const config = `const assess = async (work) => {
  const poor = work.changedFiles.some((file) => (file.content ?? file.diff ?? '').includes('FIXME'));
  return { level: poor ? 'poor' : 'excellent', explanation: poor ? 'something is left to do' : 'nothing is left to do', issues: poor ? ['there is a FIXME'] : [] };
};
const five = { intent_alignment: false, code_quality: false, completeness: false, consistency: false, safety: false };
export default { reviewer: { dimensions: { ...five, done: { id: 'done', name: 'Done', version: '1', needsProvider: false, assess } } } };
`;

function repository(code: string): Repository {
  const made = newRepository();
  made.write('reviewloop.config.mjs', config);
  made.write('TASK.md', 'Add a file');
  made.commit();
  made.write('a.js', code);
  return made;
}

interface AtTerminal extends Repository {
  readonly at: Screen;
  readonly ended: Promise<CliResult>;
}

function reviewed(code: string, ...more: string[]): AtTerminal {
  const made = repository(code);
  const at = screen();
  return {
    ...made,
    at,
    ended: runCli(made.cwd, ['review', '--diff', '--task', 'TASK.md', '--quiet', ...more], {
      terminal: { input: at.input, output: at.output },
    }),
  };
}

const audit = ({ cwd }: Repository): string =>
  readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8');

describe('a person at the terminal of review --diff', () => {
  it('goes away, and the review waits', async () => {
    const { at, ended, ...made } = reviewed('export const a = 1;\n', '--human', 'require');
    await at.type('decide later', '\u0004');
    const { code, out } = await ended;
    expect(code).toBe(53);
    expect(out).toMatch(/next: reviewloop answer \S+ approve/);
    expect((await runCli(made.cwd, ['show'])).out).toContain('suspended');
  });

  it('lets rejected work through with a reason, which needs words', async () => {
    const { at, ended, ...made } = reviewed('// FIXME\n');
    await at.type('Override review rejection?', 'perhaps\r');
    await at.type('Answer y or n.', '\u0015yes\r');
    await at.type('Reason for override:', '  \r');
    await at.type('This needs a reason.', 'a prototype\r');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toMatch(/Decision: REJECTED[\s\S]*a prototype/);
    expect(audit(made)).toContain('a prototype');
  });

  it('is not asked where programs read the result', async () => {
    const { at, ended } = reviewed('// FIXME\n', '--format', 'json');
    expect(JSON.parse((await ended).out)).toMatchObject({ decision: 'REJECTED', exitCode: 50 });
    expect(at.text()).toBe('');
  });
});
