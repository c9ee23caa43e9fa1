import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeServer } from '../../../support/judge-server.js';
import { faults, goodCode, repositoryWith } from '../../../system/stage-repository.js';
import { runCli } from '../../cli/harness.js';

/** The id of no process: above the highest that a system gives. */
const deadPid = 2 ** 30;

describe('a review of a diff whose process was killed', () => {
  it.each([[[]], [['--again']]])(
    'is told with the command that runs it again, and pays for no verdict twice %j [R2-028]',
    async (more) => {
      const server = await judgeServer(faults);
      const { cwd } = repositoryWith(goodCode);
      const model = ['--provider', 'openai:served', '--base-url', server.url];
      const argv = ['review', 'src', '--diff', '--task', 'TASK.md', '-q', ...model, ...more];
      expect(await runCli(cwd, argv)).toMatchObject({ code: 0 });
      const { runs } = JSON.parse((await runCli(cwd, ['runs', '--json'])).out) as {
        runs: { runId: string }[];
      };
      const id = runs[0]?.runId ?? '';
      const folder = join(cwd, '.reviewloop/runs', id);
      for (const name of ['review.json', 'summary.json', 'summary.md'])
        rmSync(join(folder, name), { force: true });
      const request = join(folder, 'request.json');
      const running = await runCli(cwd, ['show', id]);
      expect(running.err).toMatch(/is still running.*\[run_busy\]/);
      const stored = JSON.parse(readFileSync(request, 'utf8')) as { process: { pid: number } };
      stored.process.pid = deadPid;
      writeFileSync(request, JSON.stringify(stored));
      const command = `reviewloop review src --task TASK.md --provider openai:served --base-url ${server.url} --quiet --diff --session ${id.slice(0, 13)}`;
      for (const look of [
        ['show', id],
        ['runs', id],
        ['summary', id],
        ['answer', id, 'approve'],
      ])
        expect((await runCli(cwd, look)).err).toContain(
          `was interrupted; run it again: ${command}`,
        );
      expect((await runCli(cwd, ['runs'])).out).toMatch(/interrupted/);
      expect((await runCli(cwd, ['history'])).out).toMatch(/interrupted/);
      const asked = server.prompts.length;
      expect(await runCli(cwd, command.split(' ').slice(1))).toMatchObject({ code: 0 });
      expect(server.prompts).toHaveLength(asked);
    },
  );
});
