import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { gateFlags } from '@/faces/commands/quality-gate/gate-flags.js';
import { againLine } from '@/faces/commands/quality-gate/gate-text.js';
import { fakeClaude } from '../../../../support/fake-claude.js';
import { gateCall } from '../../../../support/gate-call.js';
import { ending } from '../../../../support/matchers.js';
import { modelServer, ollamaProtocol } from '../../../../support/model-server.js';
import { answerOf } from '../../../products/quality-gate/support.js';
import { type CliResult, folderOf, runCli } from '../../cli/harness.js';

const job = `name: article
steps:
  - id: draft
    outputs:
      report: file
      pages: { type: files, required: false }
    reviews:
      - run_each: step
        quality_criteria:
          Complete: Is everything there?
  - id: publish
    outputs: { page: file, note: { type: string }, late: { type: file, required: false } }
`;
const files = { 'a job.yml': job, 'my work/a report.md': 'text', 'my work/page.md': 'page' };
/** Every option that stays the same from call to call. */
const lasting = [
  ['--root', 'my work'],
  ['--max-inline-files', '3'],
  ['--review-timeout', '100'],
  ['--session', "Ada's"],
  ['--store', 'file:kept'],
  ['--report', 'junit=kept.xml'],
];
const first = ['--job', 'a job.yml', '--step', 'draft', '--output', 'report=a report.md'];

afterEach(() => vi.unstubAllEnvs());

/** The arguments that a shell makes of the printed line, with the answers of a person. */
function printed({ out }: CliResult, label = 'next'): string[] {
  const line = new RegExp(`^ *${label}: reviewloop (.*)$`, 'm').exec(out)?.[1] ?? '';
  expect(line, out).not.toBe('');
  const text = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return text
    .split('\0')
    .slice(0, -1)
    .map((word) =>
      word
        .replace('=FILE', '=page.md')
        .replace('=TEXT', '=done')
        .replace(/^\.\.\.$/, 'seen'),
    );
}

/** Checks that a command has every lasting option, and those of this call. */
function expectOptions(argv: readonly string[], ...more: readonly string[][]): void {
  for (const [name = '', value] of [...lasting, ...more])
    expect(argv[argv.indexOf(name) + 1], `${name} in ${argv.join(' ')}`).toBe(value);
}

describe('the next command of gate', () => {
  it('repeats every option after a fail, and leads to the next step and to the end [R2-097]', async () => {
    const cwd = await folderOf(files);
    const { executable } = fakeClaude('fail,pass');
    const own = ['--cli', executable, '--notes', 'in a hurry', '--by', 'Ada'];
    const options = [...lasting.flat(), ...own];
    const failed = await runCli(cwd, ['gate', ...first, ...options]);
    expect(failed.code).toBe(50);
    const again = printed(failed);
    expectOptions(again, own.slice(0, 2), own.slice(2, 4), own.slice(4));
    expect(again).toContain('report=a report.md');
    writeFileSync(join(cwd, 'my work/a report.md'), 'better');
    const passed = await runCli(cwd, again);
    expect(passed).toMatchObject({ code: 0, err: '' });
    const publish = printed(passed);
    expectOptions(publish, ['--cli', executable], ['--step', 'publish'], ['--by', 'Ada']);
    expect(publish.join(' ')).not.toMatch(/a report\.md|in a hurry|late/);
    const done = await runCli(cwd, publish);
    expect(done).toMatchObject(ending(0, 'next: nothing, the job is done'));
  });

  it('names every flag of the command in one call or another [R2-097]', () => {
    const repeated = [
      ...lasting,
      ...[['--cli'], ['--provider-env'], ['--notes'], ['--by'], ['--provider']],
    ].map(([name]) => name?.slice(2));
    const own = ['job', 'step', 'output', 'mode', 'model', 'base-url', 'override-reason'];
    const shown = ['format', 'json', 'reporter'];
    const passed = ['provider-env', 'quiet', 'context-tokens', 'structured'];
    const again = againLine(
      gateCall({ provider: 'cli:claude', providerEnv: ['TEAM_*', 'PROXY'], quiet: true }),
    );
    expect(again).toContain(
      "--provider cli:claude --provider-env 'TEAM_*' --provider-env PROXY --quiet",
    );
    expect(againLine(gateCall({ provider: 'ollama:m', contextTokens: 8000 }))).toContain(
      '--provider ollama:m --context-tokens 8000',
    );
    expect(
      gateFlags
        .map(({ name }) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
        .filter((name) => ![...repeated, ...own, ...shown, ...passed].includes(name)),
    ).toEqual([]);
  });

  it('asks again after an outage, with the model that was named [R2-097, R2-024]', async () => {
    const cwd = await folderOf(files);
    let call = 0;
    const server = await modelServer(ollamaProtocol, () => {
      call += 1;
      return call <= 3
        ? { kind: 'status', status: 401, message: 'no such key' }
        : { kind: 'text', text: JSON.stringify(answerOf(true)) };
    });
    onTestFinished(server.close);
    const provider = ['--provider', 'ollama', '--model', 'qwen3', '--base-url', server.url];
    let result = await runCli(cwd, ['gate', ...first, ...lasting.flat(), ...provider]);
    for (const _ of [1, 2, 3]) {
      expect(result.code).toBe(50);
      expect(result.out).toMatch(/NO VERDICT: [\s\S]*status 401, .*no such key/);
      const next = printed(result);
      expectOptions(
        next,
        ['--provider', 'ollama'],
        ['--model', 'qwen3'],
        ['--base-url', server.url],
      );
      result = await runCli(cwd, next);
    }
    expect(result.code).toBe(0);
  });

  it('accepts for a reason, after instructions and after the last attempt [R2-097]', async () => {
    const cwd = await folderOf(files);
    const asked = await runCli(cwd, ['gate', ...first, ...lasting.flat(), '--mode', 'self']);
    expect(asked.code).toBe(53);
    const override = printed(asked);
    expectOptions(override, ['--mode', 'self'], ['--override-reason', 'seen']);
    expect((await runCli(cwd, override)).out).toContain('ACCEPTED: step draft');

    const other = await folderOf(files);
    const { executable } = fakeClaude('fail');
    const argv = ['gate', ...first, ...lasting.flat(), '--cli', executable];
    let closed = await runCli(other, argv);
    for (const text of ['two', 'three']) {
      writeFileSync(join(other, 'my work/a report.md'), text);
      closed = await runCli(other, argv);
    }
    expect(closed.out).toContain('NOT APPROVED: step draft');
    expect(closed.out).not.toContain('maxAttempts');
    const anew = await runCli(other, printed(closed, 'or'));
    expect(anew.out).toContain('Complete: no conclusion');
    expect(anew.out).not.toContain('gate_attempts_used');
    expect((await runCli(other, printed(closed))).out).toContain('ACCEPTED: step draft');
  });

  it('sends more files where a model could not see them, or asks who reads files [R2-097, R2-110, R2-025]', async () => {
    const cwd = await folderOf({ ...files, 'my work/image.png': Buffer.from([0, 255]) });
    const server = await modelServer(ollamaProtocol, {
      kind: 'text',
      text: JSON.stringify(answerOf(true)),
    });
    onTestFinished(server.close);
    const pages = Array.from({ length: 6 }, (_, index) => `p${index}.md`);
    for (const page of pages) writeFileSync(join(cwd, 'my work', page), 'page');
    const provider = ['--provider', 'ollama:qwen3', '--base-url', server.url];
    const argv = ['gate', ...first, '--root', 'my work', ...provider];
    const listed = await runCli(cwd, [
      ...argv,
      ...pages.flatMap((page) => ['--output', `pages=${page}`]),
    ]);
    expect(listed.out).toContain('7 of them are only listed (maxInlineFiles: 5)');
    const more = printed(listed);
    expect(more[more.indexOf('--max-inline-files') + 1]).toBe('7');
    expect((await runCli(cwd, more)).code).toBe(0);

    const binary = await runCli(cwd, [...argv, '--session', 'b', '--output', 'pages=image.png']);
    expect(binary.out).toContain('these are binary: image.png');
    vi.stubEnv('PATH', `${dirname(fakeClaude('pass').executable)}:${process.env['PATH']}`);
    const claude = printed(binary);
    expect(claude.join(' ')).not.toMatch(/--provider|--base-url/);
    expect((await runCli(cwd, claude)).code).toBe(0);
  });

  it('waits for content where there is none [R2-097, R2-006]', async () => {
    const cwd = await folderOf({ ...files, 'my work/a report.md': ' \n' });
    const { executable } = fakeClaude('pass');
    const empty = await runCli(cwd, ['gate', ...first, ...lasting.flat(), '--cli', executable]);
    expect(empty.code).toBe(50);
    expect(empty.out).toContain('there is nothing to review: report is empty');
    writeFileSync(join(cwd, 'my work/a report.md'), 'text');
    expect((await runCli(cwd, printed(empty))).code).toBe(0);
  });

  it('opens the steps again whose files changed [R2-019]', async () => {
    const cwd = await folderOf(files);
    const { executable } = fakeClaude('pass');
    const argv = [...lasting.flat(), '--cli', executable];
    const passed = await runCli(cwd, ['gate', ...first, ...argv]);
    writeFileSync(join(cwd, 'my work/a report.md'), 'replaced');
    const published = await runCli(cwd, printed(passed));
    expect(published.out).toContain('open again, because their outputs changed: draft');
    expect(published.out).toMatch(/^next: .*--step draft .*report=FILE/m);
  });
});

describe('calls of gate', () => {
  it('keep steps that an edit of the job file left alone [R2-100]', async () => {
    const cwd = await folderOf(files);
    const { executable } = fakeClaude('pass');
    const argv = ['gate', ...first, '--root', 'my work', '--cli', executable];
    expect((await runCli(cwd, argv)).code).toBe(0);
    const text = readFileSync(join(cwd, 'a job.yml'), 'utf8');
    writeFileSync(join(cwd, 'a job.yml'), text.replace('- id: publish', '- id: release'));
    expect((await runCli(cwd, argv)).out).toMatch(/^APPROVED[\s\S]*--step release/);
    writeFileSync(join(cwd, 'a job.yml'), text.replace('Is everything there?', 'Is it short?'));
    rmSync(join(cwd, 'my work/page.md'));
    expect((await runCli(cwd, argv)).code).toBe(0);
  });

  it('wait for each other, so that no verdict is lost', async () => {
    const cwd = await folderOf(files);
    const { executable, calls } = fakeClaude('fail');
    const argv = ['gate', ...first, '--root', 'my work', '--cli', executable];
    await Promise.all([runCli(cwd, argv), runCli(cwd, argv)]);
    expect(calls()).toHaveLength(1);
  });

  it('ask a service that answers 500 three times in all, and name its answer [R2-104, R2-023]', async () => {
    const cwd = await folderOf(files);
    const server = await modelServer(ollamaProtocol, {
      kind: 'status',
      status: 500,
      message: 'boom inside',
    });
    onTestFinished(server.close);
    const provider = ['--provider', 'ollama:qwen3', '--base-url', server.url];
    const { code, out } = await runCli(cwd, ['gate', ...first, '--root', 'my work', ...provider]);
    expect(code).toBe(50);
    expect(out).toMatch(/why: .*answered with status 500.*boom inside/);
    expect(out).not.toMatch(/iter:|verdicts|`value`|not begun/);
    expect(server.seen).toHaveLength(3);
  });
});
