import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ending, failing, words } from '../support/matchers.js';
import { faultyPage, folderOf, goodPage } from '../unit/faces/cli/harness.js';
import { run, shell, start } from './cli-harness.js';

vi.setConfig({ testTimeout: 120_000 });

const task = 'Visitors must sign in with their email';
const review = ['review', '.', '--task-text', task, '--no-requirements'];

describe('the program as a process [R2-082]', () => {
  test('results on the standard output, progress on the standard error, the decision in the exit code', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    const { code, out, err } = await run(cwd, review);
    expect([code, out]).toEqual([0, expect.stringMatching(/\nAPPROVED\n/)]);
    expect(err).toMatch(/^review 1: \d+ checks begin\nreview 1: /);
    await writeFile(join(cwd, 'a.html'), faultyPage);
    expect((await run(cwd, review)).code).toBe(50);
  });

  test('a list of requirements is written, edited and judged', async () => {
    const cwd = await folderOf({
      'a.html': goodPage,
      'TASK.md': '- Visitors sign in\n- It is red\n',
    });
    const line =
      'reviewloop requirements TASK.md --write && ' +
      "sed -i 's/It is red/Visitors have an email/' TASK.requirements.yml && " +
      'reviewloop review a.html --task TASK.md -q --json';
    const { out, err } = await shell(cwd, line);
    expect(err).toBe('');
    expect(out).toContain('"file": "TASK.requirements.yml"');
    expect(out).toContain('Visitors have an email');
    // the text of the task has it
    const { task: _, ...judged } = JSON.parse(out.slice(out.indexOf('\n{') + 1));
    expect(JSON.stringify(judged)).not.toContain('It is red');
  });

  test('a criterion or a configuration that ends the process approves nothing', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    const review = "{ id: 'ends', version: '1', tier: 'code', review: () => process.exit(CODE) }";
    for (const [config, expected] of [
      ['process.exit(0);', 1],
      [`export default { criteria: [${review.replace('CODE', '0')}] };`, 1],
      [`export default { criteria: [${review.replace('CODE', '256')}] };`, 1],
      [`export default { criteria: [${review.replace('CODE', '53')}] };`, 53],
    ] as const) {
      await writeFile(join(cwd, 'reviewloop.config.mjs'), config);
      const { code, out, err } = await run(cwd, ['review', 'a.html', '--task-text', task]);
      expect([code, out], config).toEqual([expected, '']);
      expect(err).toMatch(/^error: the process ended with code \d+ before .*\[process_ended\]$/m);
    }
  });

  test('a reader that goes away is no error', async () => {
    const cwd = await folderOf(
      Object.fromEntries([...Array(300).keys()].map((index) => [`${index}.html`, faultyPage])),
    );
    const line = `reviewloop review . --task-text "${task}" -q --format json | head -1; echo "\${PIPESTATUS[0]}"`;
    const { code, out, err } = await shell(cwd, line);
    expect([code, out, err]).toEqual([0, '{\n50\n', '']);
  });

  test('a standard output that is full is told', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    expect(
      await shell(cwd, `reviewloop review . --task-text "${task}" -q > /dev/full`),
    ).toMatchObject(failing(1, /^error: cannot write the result.*\[output_unwritable\]\n$/));
    expect((await shell(cwd, 'reviewloop --help > /dev/full')).code).toBe(1);
    expect(await readdir(join(cwd, '.reviewloop/runs'))).toHaveLength(1);
  });

  test('closed streams', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    expect(await shell(cwd, 'reviewloop review . --task - -q <&-')).toMatchObject(
      failing(2, /\[(task_empty|file_unreadable)\]/),
    );
    const line = `reviewloop review . --task-text "${task}" --no-requirements`;
    for (const closed of ['2>&-', '2>/dev/full'])
      expect(await shell(cwd, `${line} ${closed}`)).toMatchObject({ code: 0 });
  });

  test('the task and a file through a pipe', async () => {
    const cwd = await folderOf({ 'a.html': goodPage });
    for (const line of [
      `echo "${task}" | reviewloop review . --task - -q --no-requirements`,
      `cat a.html | reviewloop review - --type stdin=mockup --task-text "${task}" -q --no-requirements`,
    ])
      expect(await shell(cwd, line)).toMatchObject({ code: 0 });
  });

  test('10,000 files are refused by the limit', async () => {
    const cwd = await folderOf();
    await Promise.all(
      [...Array(10_000).keys()].map((index) => writeFile(join(cwd, `${index}.txt`), 'x')),
    );
    expect(await run(cwd, review)).toMatchObject(
      failing(2, /more than 1000 files.*--max-files.*\[too_many_files\]/),
    );
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s cancels the run, keeps it, and exits with 130 [R2-082]',
    async (signal) => {
      const config =
        'export default { criteria: { slow: () => { process.stderr.write("judging\\n"); return new Promise(() => {}); } } };';
      const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': config });
      const { child, exit } = start(cwd, review);
      while (
        !String((await once(child.stderr as NodeJS.ReadableStream, 'data'))[0]).includes('judging')
      );
      child.kill(signal);
      expect(await exit).toMatchObject(ending(130, 'NO VERDICT: it was cancelled'));
      const [kept = ''] = await readdir(join(cwd, '.reviewloop/runs'));
      expect(
        JSON.parse(await readFile(join(cwd, '.reviewloop/runs', kept, 'review.json'), 'utf8')),
      ).toMatchObject({
        ...{ status: 'cancelled', exitCode: 130 },
        reason: expect.stringMatching(/[^`]\. Run the command again to continue\.$/) as string,
      });
    },
  );
});

describe('gate', () => {
  test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with its reviewer [R2-082]',
    async (signal) => {
      const cwd = await folderOf({
        'job.yml':
          'name: a\nsteps:\n  - id: draft\n    outputs: { report: { type: file, path: r.md } }\n    reviews: [{ run_each: step, quality_criteria: { Complete: Is it complete? } }]\n',
        'r.md': 'text',
      });
      const cli = join(cwd, 'claude');
      await writeFile(
        cli,
        `#!/bin/sh\necho $$ > '${cwd}/pid.new'\nmv '${cwd}/pid.new' '${cwd}/pid'\nexec sleep 600\n`,
      );
      await chmod(cli, 0o755);
      const { child, exit } = start(cwd, [...words('gate --job job.yml --step draft --cli'), cli]);
      const pid = await vi.waitFor(
        async () => Number(await readFile(join(cwd, 'pid'), 'utf8')),
        20_000,
      );
      child.kill(signal);
      expect(await exit).toMatchObject({ code: 130 });
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), 10_000);
    },
  );
});

test('demo works without anything: names flaws, shows who repairs them, ends approved, and exits with 0', async () => {
  const cwd = await folderOf();
  const { code, out } = await run(cwd, ['demo'], { env: { PATH: process.env['PATH'] } });
  expect(code).toBe(0);
  expect(out).toMatch(
    /\nreview 1: NOT APPROVED: .*\nsite\/index\.html:\d+ +(critical|major|minor) /,
  );
  expect(out).toMatch(/\nRepaired by rule:\n {2}site\/index\.html/);
  expect(out).toMatch(/\nreview 2: APPROVED\n/);
  const id = /next: reviewloop runs (\S+)\n$/.exec(out)?.[1] ?? '';
  const page = /\npage: (\S+report\.html)\n/.exec(out)?.[1] ?? '';
  expect(await readFile(join(cwd, page), 'utf8')).toMatch(/^<!doctype html>[\s\S]*"versions":/);
  expect(out.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(20);
  expect((await run(cwd, ['runs', id])).code).toBe(0);
  expect(await readdir(cwd)).toEqual(['.reviewloop']);
});
