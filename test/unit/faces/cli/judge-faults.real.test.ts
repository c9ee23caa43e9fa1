import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  copiedRepository,
  newRepository,
  type Repository,
} from '../../../support/git-repository.js';
import {
  faultsOfServices,
  protocols,
  services,
  textsIn,
  verdictWords,
} from '../../../support/judge-faults.js';
import { words } from '../../../support/matchers.js';
import { chatProtocol, modelServer } from '../../../support/model-server.js';
import { foldersOf } from '../../../support/temp-folder.js';
import { goodPage, runCli } from './harness.js';

afterEach(() => vi.unstubAllEnvs());

/** Seconds: what hangs is given up soon. Other faults answer, also on a slow machine. */
const [soon, late] = [3, 60];

/** The words that no end has here. Checks of code pass in both reviews, and are counted. */
const wordsIn = (command: string): RegExp =>
  command.startsWith('review')
    ? /\b(success|approved|accepted|rejected)\b|overall 1\.00/i
    : verdictWords;

/** A repository with something to review for each command. */
function place(timeout = soon): { readonly cwd: string } {
  return copiedRepository(['judge faults', timeout], () => makePlace(timeout));
}

function makePlace(timeout: number): Repository {
  const repository = newRepository();
  repository.write('a.ts', 'export const a = 1;\n');
  repository.commit('first');
  repository.write('a.ts', 'export const a = 2;\n');
  repository.write('page.html', goodPage);
  repository.write('TASK.md', '# Task\n\nThe page must show a cosy picture.\n');
  repository.write('PLAN.md', '# Plan\n\n## Steps\n\n1. Write the page.\n2. Test the page.\n');
  repository.write(
    'job.yml',
    'name: article\nsteps:\n  - id: draft\n    outputs: { page: file }\n    reviews:\n      - run_each: step\n        quality_criteria: { Complete: Is everything there? }\n',
  );
  repository.write(
    'reviewloop.config.json',
    JSON.stringify({ reviewer: { timeout_seconds: timeout } }),
  );
  return repository;
}

/** Commands whose time limits are longer than a test. */
const unbounded = ['checklist'];
/** Inconclusive, or timed out; the checklist has the exit code of its format. */
const ends = [1, 50, 52];

const commandsWith = (timeout: number): Readonly<Record<string, readonly string[]>> => ({
  review: ['review', 'page.html', '--task', 'TASK.md', '--check-timeout', String(timeout)],
  'review --diff': ['review', '--diff', '--task', 'TASK.md', 'a.ts'],
  gate: [
    ...['gate', '--job', 'job.yml', '--step', 'draft', '--output', 'page=page.html'],
    ...['--review-timeout', String(timeout)],
  ],
  checklist: words('checklist decompose a.ts --phase impl-code --state-dir .qr --request a'),
});
const commands = commandsWith(soon);

describe.each(Object.keys(commands))('a judge that fails in %s', (command) => {
  it.concurrent.for(
    faultsOfServices().filter(([name]) => !unbounded.includes(command) || name !== 'a hang'),
  )(
    'after %s is named in words of the service, with no verdict [R2-020, R2-021, R2-023]',
    async ([fault, answer, cause, name], context) => {
      const timeout = fault === 'a hang' ? soon : late;
      const argv = commandsWith(timeout)[command] ?? [];
      const folder = () => foldersOf(context, () => place(timeout).cwd);
      const [once, again] = [folder(), folder()];
      const server = await modelServer(protocols[name], answer);
      const url = name === 'openai:m' ? `${server.url}/v1` : server.url;
      const flags = ['--provider', name, '--base-url', url];
      const text = await runCli(once, [...argv, ...flags]);
      const all = `${text.out}${text.err}`.replaceAll(/not approved/gi, '');
      expect(all).toMatch(cause);
      expect(all).not.toMatch(wordsIn(command));
      expect(all).not.toMatch(/iter:\d/);
      expect(ends, all).toContain(text.code);
      if (command === 'checklist') return server.close();
      const json = await runCli(again, [...argv, ...flags, '--format', 'json']);
      expect(json.code, json.out + json.err).toBe(text.code);
      const texts = json.out === '' ? [json.err] : textsIn(JSON.parse(json.out));
      expect(texts.join('\n')).toMatch(cause);
      expect(
        texts.filter((one) => wordsIn(command).test(one.replaceAll(/not approved/gi, ''))),
      ).toEqual([]);
      await server.close();
    },
  );

  it.each([
    ['no key', 'openai:m', []],
    ['no key', 'anthropic:m', []],
    ...services.map((name) => ['a refused connection', name, ['--base-url', 'closed']] as const),
    ['no program', 'cli:claude', []],
  ] as const)('%s of %s is found before any work [R2-020]', async (_, name, more) => {
    for (const key of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])
      vi.stubEnv(key, '');
    const { cwd } = place();
    const path = process.env['PATH'] ?? '';
    vi.stubEnv('HOME', cwd);
    const server = await modelServer(chatProtocol, { kind: 'silence' });
    await server.close();
    const flags = more.map((word) => (word === 'closed' ? server.url : word));
    if (name.startsWith('cli:')) {
      // the stage needs git, which is elsewhere than the program
      const bin = mkdtempSync(join(cwd, 'bin-'));
      symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(bin, 'git'));
      vi.stubEnv('PATH', bin);
    }
    const { code, err, out } = await runCli(cwd, [
      ...(commands[command] ?? []),
      '--provider',
      name,
      ...flags,
    ]);
    vi.stubEnv('PATH', path);
    expect(err + out).toMatch(/no key|cannot be reached|not on the PATH/);
    expect(err + out).not.toMatch(wordsIn(command));
    // the format of checklists has one code for errors
    expect(code).toBe(command === 'checklist' ? 1 : 2);
    const runs = join(cwd, '.reviewloop/runs');
    expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
  });
});

it('the last answer of the service is the cause, where waiting for the next call uses up the time [R2-023]', async () => {
  const answer = { kind: 'status', status: 429, message: 'busy TEAPOT-7' } as const;
  const server = await modelServer(chatProtocol, { ...answer, retryAfterSeconds: 30 });
  const flags = ['--provider', 'openai:m', '--base-url', `${server.url}/v1`];
  for (const command of ['review', 'review --diff']) {
    const { out, err } = await runCli(place().cwd, [...(commands[command] ?? []), ...flags]);
    expect(out + err, command).toMatch(/timed out.*; before that: .*status 429, .*TEAPOT-7/);
  }
  await server.close();
});
