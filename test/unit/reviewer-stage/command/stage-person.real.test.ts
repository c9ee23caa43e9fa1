import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRepository, type Repository } from '../../../support/git-repository.js';
import { type Screen, screen } from '../../../support/screen.js';
import { type CliResult, runCli } from '../../cli/harness.js';

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
  it('approves with a key, having looked at the changes, and is named in the log of decisions', async () => {
    const { at, ended, ...made } = reviewed('export const a = 1;\n', '--human', 'require');
    await at.type('decide later', 'v');
    await at.type('+export const a = 1;', 'd');
    await at.type('nothing is left to do', 'a');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out.match(/Reviewing implementation|Approved by user|Task finished/g)).toEqual([
      'Reviewing implementation',
      'Approved by user',
      'Task finished',
    ]);
    expect(audit(made)).toContain('"approve"');
  });

  it('declines', async () => {
    const { at, ended } = reviewed('export const a = 1;\n', '--human', 'require');
    await at.type('decide later', 'r');
    expect(await ended).toMatchObject({
      code: 51,
      out: expect.stringContaining('✗ Declined by user') as string,
    });
  });

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

  it.each([
    ['an empty answer', ['\r']],
    ['no', ['no\r']],
    ['Ctrl-D', ['\u0004']],
    ['yes without a reason', ['y\r', '\u0003']],
  ])('leaves work rejected after %s', async (_name, keys) => {
    const { at, ended } = reviewed('// FIXME\n');
    for (const [index, key] of keys.entries())
      await at.type(index === 0 ? 'Override review rejection?' : 'Reason for override:', key);
    expect(await ended).toMatchObject({
      code: 50,
      out: expect.stringContaining('Decision: REJECTED') as string,
    });
  });

  it('is not asked where programs read the result', async () => {
    const { at, ended } = reviewed('// FIXME\n', '--format', 'json');
    expect(JSON.parse((await ended).out)).toMatchObject({ decision: 'REJECTED', exitCode: 50 });
    expect(at.text()).toBe('');
  });
});
