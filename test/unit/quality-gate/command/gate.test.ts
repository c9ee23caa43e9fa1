import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeClaude } from '../../../support/fake-claude.js';
import { folderOf, runCli } from '../../cli/harness.js';

const job = `name: article
steps:
  - id: draft
    outputs:
      report: { type: file, path: report.md }
      pages: { type: files, required: false }
    reviews:
      - run_each: step
        quality_criteria:
          Complete: Is everything there?
  - id: publish
    outputs: { page: file }
`;
const folder = (more: Record<string, string> = {}) =>
  folderOf({ 'job.yml': job, 'report.md': 'text', 'page.md': 'page', ...more });
const gate = (cwd: string, ...more: string[]) =>
  runCli(cwd, ['gate', '--job', 'job.yml', '--step', 'draft', ...more]);

it('approves, and names the next step', async () => {
  const { executable } = fakeClaude('pass');
  const result = await gate(await folder(), '--cli', executable);
  expect(result).toEqual({
    code: 0,
    err: '',
    out: `APPROVED: step draft\nwhy: All criteria met\nnext: reviewloop gate --job job.yml --step publish --output page=FILE --cli ${executable}\n`,
  });
});

it('needs work with 50, names what failed, and is closed after three attempts', async () => {
  const cwd = await folder();
  const { executable } = fakeClaude('fail');
  for (const _ of [1, 2]) {
    const { code, out } = await gate(cwd, '--cli', executable);
    expect(code).toBe(50);
    expect(out).toBe(
      `step: Not complete\n  Complete: no conclusion\nNOT APPROVED (exhausted): step draft\nwhy: Not complete\nnext: reviewloop gate --job job.yml --step draft --cli ${executable} # after you changed the outputs\n`,
    );
  }
  const third = await gate(cwd, '--cli', executable);
  expect([third.code, third.out.split('\n')[0]]).toEqual([
    50,
    'NOT APPROVED (exhausted): step draft',
  ]);
  const json = await gate(cwd, '--cli', executable, '--format', 'json');
  expect(JSON.parse(json.out)).toMatchObject({
    status: 'failed',
    code: 'gate_attempts_used',
    exitCode: 50,
  });
  expect((await gate(cwd, '--cli', executable, '--session', 'other')).code).toBe(50);
});

it('writes instructions with 53, and accepts a reason, which is audited', async () => {
  const cwd = await folder();
  const { code, out } = await gate(cwd, '--mode', 'self');
  expect(code).toBe(53);
  expect(out).toContain('SUSPENDED: step draft is not reviewed yet');
  expect(existsSync(join(cwd, '.deepwork/tmp/quality_review_default_draft.md'))).toBe(true);
  const accepted = await gate(
    cwd,
    '--mode',
    'self',
    '--override-reason',
    'two looks',
    '--by',
    'ann',
    '--format',
    'json',
  );
  expect([accepted.code, JSON.parse(accepted.out)]).toEqual([
    0,
    expect.objectContaining({
      schemaVersion: 1,
      status: 'next_step',
      outcome: 'accepted',
      exitCode: 0,
    }),
  ]);
  expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain('"who":"ann"');
});

it('says what is wrong with a job file, by its line', async () => {
  const wrong = {
    'yaml.yml': ['name: a\nsteps:\n  - id: [\n', /yaml\.yml:\d+: /],
    'key.yml': [
      job.replace('quality_criteria', 'quality_criterias'),
      /key\.yml:9: .*quality_criterias/,
    ],
    'each.yml': [
      job.replace('run_each: step', 'run_each: repotr'),
      /each\.yml:8: .*"repotr" is neither/,
    ],
    'type.yml': [job.replace('type: files', 'type: folder'), /type\.yml:6: /],
    'none.yml': ['name: a\nsteps: []\n', /none\.yml:2: /],
    'bad.json': ['{"name": "a", "steps": [}', /bad\.json/],
  } as const;
  const cwd = await folder(
    Object.fromEntries(Object.entries(wrong).map(([name, [text]]) => [name, text])),
  );
  for (const [name, [, message]] of Object.entries(wrong)) {
    const { code, err } = await runCli(cwd, ['gate', '--job', name, '--step', 'draft']);
    expect(code, name).toBe(2);
    expect(err, name).toMatch(message);
  }
});

it('refuses wrong use with 2', async () => {
  const cwd = await folder();
  const uses = [
    ['--output', 'report'],
    ['--output', 'typo=x'],
    ['--output', 'report=a', '--output', 'report=b'],
    ['--output', 'report=gone.md'],
    ['--output', 'report=../x.md'],
    ['--max-inline-files', 'many'],
    ['--model', 'x'],
    ['--cli', 'x', '--provider', 'ollama:y'],
    ['--mode', 'both'],
  ];
  for (const use of uses) expect((await gate(cwd, ...use)).code, use.join(' ')).toBe(2);
  expect(await runCli(cwd, ['gate', '--job', 'gone.yml', '--step', 'x'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/cannot read gone\.yml: no such file.*\[file_unreadable\]/),
  });
  expect((await runCli(cwd, ['gate', '--job', 'job.yml', '--step', 'x'])).code).toBe(2);
  expect((await runCli(cwd, ['gate', '--job', 'job.yml'])).code).toBe(2);
});

it('tells a reviewer that failed from work that failed', async () => {
  const { executable } = fakeClaude('error');
  const { code, out } = await gate(await folder(), '--cli', executable, '--format', 'json');
  expect([code, JSON.parse(out)]).toEqual([
    50,
    expect.objectContaining({
      status: 'needs_work',
      error: 'review_failed',
      attempts: 0,
      review_errors: 1,
    }),
  ]);
});

it('names what to set up where the reviewer is not installed, with exit code 2 [R2-024]', async () => {
  const cwd = await folder();
  for (const _ of [1, 2, 3, 4]) {
    const { code, out } = await gate(cwd, '--cli', '/nowhere/claude');
    expect(code).toBe(2);
    expect(out).toContain('Claude CLI command not found: /nowhere/claude');
    expect(out).toMatch(/^next: reviewloop gate .*--cli \/nowhere\/claude #/m);
  }
  const { executable } = fakeClaude('pass');
  expect((await gate(cwd, '--cli', executable)).code).toBe(0);
});

it('names only what its user has at hand [R2-110]', async () => {
  const cwd = await folder();
  const outside = await gate(cwd, '--output', 'report=../x.md');
  expect(outside).toMatchObject({ code: 2, err: expect.stringContaining('--root') as string });
  const absent = await gate(cwd, '--output', 'report=gone.md');
  expect(absent.err).toContain('Create the files, or hand in other paths.');
  const killed = await scripted('kill -9 $$');
  const ended = await gate(cwd, '--cli', killed);
  expect(ended.out).toMatch(
    /why: .*Claude CLI failed: cli:deepwork was ended by SIGKILL and printed nothing$/m,
  );
  const silent = await gate(cwd, '--cli', await scripted('exit 3'), '--session', 'b');
  expect(silent.out).toMatch(
    /exit code 3: stderr: cli:deepwork failed with exit code 3 and printed nothing$/m,
  );
  const poor = await scripted(
    `echo '{"type":"result","is_error":true,"result":"Credit balance is too low"}'`,
  );
  const credit = await gate(cwd, '--cli', poor, '--session', 'c');
  expect(credit.out).toMatch(/why: .*Credit balance is too low$/m);
  const prose = await gate(cwd, '--cli', await scripted('echo fine'), '--session', 'd');
  for (const { out, err } of [outside, absent, ended, silent, credit, prose])
    expect(out + err).not.toMatch(
      /`value`|allowOutside|maxAttempts|everyCriterion|Check the address/,
    );
});

/** A program that ignores its input and runs a line of shell. */
async function scripted(line: string): Promise<string> {
  const path = join(await folderOf({ claude: `#!/bin/sh\ncat >/dev/null\n${line}\n` }), 'claude');
  chmodSync(path, 0o755);
  return path;
}
