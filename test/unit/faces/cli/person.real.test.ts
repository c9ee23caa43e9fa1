import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commands } from '@/faces/cli/program.js';
import { waysFor, withoutPersonal } from '@/faces/cli-kit/require-person.js';
import { isAgent } from '@/node/terminal/reader.js';
import { newRepository } from '../../../support/git-repository.js';
import { runCli } from './harness.js';

const gate = ['gate', '--job', 'job.yml', '--step', 'draft', '--override-reason', 'fine'];
const checklist = ['--phase', 'plan-code', '--state-dir', 'qr'];
/** What only a person may do, by the command that it belongs to. */
const personal: Readonly<Record<string, readonly (readonly string[])[]>> = {
  answer: ['approve', 'reject', 'revise', 'skip', 'override', 'decide', 'reply'].map((kind) => [
    ...['answer', 'r1', kind, '--reason', 'x'],
  ]),
  override: [['override', 'r1', '--reason', 'x']],
  accept: [['accept', 's1', 'draft', '--reason', 'x']],
  inbox: [['inbox', '--port', '0']],
  gate: [gate],
  tasks: [['tasks', 'run', '--tasks', 'none.md', '--hitl-unattended', 'ignore']],
  secrets: [['secrets', '--baseline', 'b.json', '--reason', 'x']],
  lessons: [
    ['lessons', 'accept', 'l1', '--question', 'Is it?'],
    ['lessons', 'reject', 'l1'],
  ],
  checklist: [
    ['checklist', 'accept', 'plan-code-001', '--reason', 'x', ...checklist],
    ['checklist', 'verify', '--trust-unhashed', ...checklist],
  ],
  hook: [['hook', 'off']],
  init: [['init', 'claude-code', '--remove']],
};
/** Commands that nothing accepts, overrides or switches off. */
const open = [
  ...['review', 'requirements', 'demo', 'runs', 'report', 'diff', 'show', 'history'],
  ...['attest', 'verify', 'resume', 'audit', 'store', 'mcp', 'calibrate', 'certify', 'completion'],
];
const calls = Object.values(personal).flat();

function terminal(typed: string) {
  const input = new PassThrough();
  input.end(`${typed}\n`);
  return { input, output: new PassThrough() };
}

afterEach(() => void vi.unstubAllEnvs());

describe('what only a person may do', () => {
  it('is known of each command [R3-014]', () => {
    expect([...Object.keys(personal), ...open].sort()).toEqual(
      commands.map(({ name }) => name).sort(),
    );
  });

  it.each(calls)('an agent without a terminal may not: %s %s %s [R3-014]', async (...call) => {
    const { cwd } = newRepository();
    const { code, out, err } = await runCli(cwd, call, { reader: 'agent' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('[person_required]');
    const named = await runCli(cwd, call, { reader: 'agent', terminal: terminal('no') });
    expect(named.err).toContain('[person_required]');
  });

  it.each(calls.filter(([name]) => name !== 'inbox'))(
    'a person may, in a script and beside an agent: %s %s %s',
    async (...call) => {
      const { cwd } = newRepository();
      const script = await runCli(cwd, call);
      const beside = await runCli(cwd, call, { reader: 'agent', terminal: terminal('yes') });
      for (const { err } of [script, beside]) expect(err).not.toContain('person_required');
    },
  );

  it.each([
    ['next: reviewloop answer r1 override --reason "..."', 'next: tell the person'],
    ["next: reviewloop answer r1 decide 'R1=yes'", 'next: tell the person'],
    ['  next: reviewloop override r1 --reason "..."', 'next: tell the person'],
    [`next: reviewloop gate --job j --step s --override-reason "..."`, 'next: tell the person'],
    ['next: reviewloop lessons accept l1 --question "..."', 'next: tell the person'],
    ['  or: reviewloop answer r1 override --reason "..."', ''],
    ['next: reviewloop review site --fix', 'next: reviewloop review site --fix'],
    ['next: reviewloop runs r1', 'next: reviewloop runs r1'],
  ])('is not named to an agent: %s', (line, expected) => {
    const told = withoutPersonal(`why: x\n${line}\nend\n`).split('\n');
    expect(told.find((one) => one.startsWith('next')) ?? '').toContain(expected);
    expect(told.join('\n')).not.toMatch(/reviewloop (?:answer|override|gate|lessons)/);
    expect(told.slice(-2)).toEqual(['end', '']);
  });

  it('is not named to an agent in data either', () => {
    const next = ['reviewloop override r1 --reason "..."', 'reviewloop answer r1 R1=yes'].map(
      (command) => ({ why: '', command }),
    );
    expect(waysFor({ reader: 'agent' }, next)).toEqual([]);
    expect(waysFor({ reader: undefined }, next)).toBe(next);
  });

  it.each([
    ...['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'],
    ...['CODEX_THREAD_ID', 'GEMINI_CLI', 'CURSOR_AGENT', 'COPILOT_CLI', 'OPENCODE', 'AI_AGENT'],
  ])('depends on the environment of an agent: %s', (name) => {
    expect(isAgent()).toBe(false);
    vi.stubEnv(name, '1');
    expect(isAgent()).toBe(true);
  });
});
