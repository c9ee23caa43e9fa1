import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newRepository } from '../../support/git-repository.js';
import { modelServer, ollamaProtocol } from '../../support/model-server.js';
import { argvIn, printed } from '../task-review/command/task-shop.js';
import { runCli } from './harness.js';

// put together here, so that no tool takes this file for a leak
const secret = `ghp_${'a1B2c3'.repeat(6)}`;
/** The public beginning, and a little more. */
const start = secret.slice(0, 10);

/** The files below a folder that contain the key, except those that a continued run reads again. */
async function leaks(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const shown = path.slice(folder.length);
    if (
      /journal|versions|workspaces|set-aside|request\.json|\/tasks\/|^\/tmp\/quality_review/.test(
        shown,
      )
    )
      continue;
    if ((await readFile(path)).includes(start)) found.push(shown);
  }
  return found;
}

/** A model that repeats the key in every text of its answer. */
const leakingModel = () =>
  modelServer(ollamaProtocol, () => {
    const issue = { severity: 'major', text: `remove ${secret}`, file: 'a.md', line: 1 };
    const words = `it has ${secret}`;
    const answers = [
      { verdict: 'failed', reason: words, issues: [issue] },
      {
        passed: false,
        feedback: words,
        criteria_results: [{ criterion: 'Complete', passed: false, feedback: words }],
      },
    ];
    return { kind: 'text', text: JSON.stringify({ ...answers[0], ...answers[1] }) };
  });

const work = `# Tea\n\nThe key is ${secret}.\n`;

it('a planted key reaches neither the screen nor a file of gate, tasks and checklist [R2-074, R2-078]', async () => {
  const server = await leakingModel();
  const flags = ['--provider', 'ollama:m', '--base-url', server.url];
  const screens: string[] = [];
  const run = async (cwd: string, ...argv: readonly string[]): Promise<string> => {
    const { out, err } = await runCli(cwd, argv);
    screens.push(`${argv.join(' ').replaceAll(secret, 'KEY')}\n${out}\n${err}`);
    return out;
  };
  const repository = newRepository();
  const { cwd } = repository;
  repository.write('work.md', work);
  repository.write(
    'tasks.md',
    `# Tasks\n\n### TASK-001: Add tea with ${secret}\n- [ ] ${secret}\n`,
  );
  repository.write(
    'plan.md',
    `# Plan\n\nUse ${secret}.\n\n## Milestones\n\n### M1: Tea ${secret}\n`,
  );
  repository.write(
    'job.yml',
    'name: article\nsteps:\n  - id: draft\n    outputs: { page: file }\n    reviews:\n      - run_each: step\n        quality_criteria: { Complete: Is everything there? }\n',
  );
  repository.commit('first');
  const gate = ['gate', '--job', 'job.yml', '--step', 'draft', '--output', 'page=work.md'];
  await run(cwd, ...gate, ...flags);
  await run(cwd, ...gate, ...flags, '--format', 'json');
  await run(cwd, ...gate, '--session', 's', '--mode', 'self');
  const tasks = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'cp work.md tea.md', ...flags];
  const failed = await run(
    cwd,
    ...tasks,
    '--all',
    '--review-policy',
    'required',
    '--attempts',
    '1',
  );
  await run(cwd, 'tasks', 'status', '--tasks', 'tasks.md');
  await run(cwd, 'runs');
  const override = argvIn(printed(failed, 'or', 'override').replace('...', 'it may stay'));
  if (override.length > 1) await run(cwd, ...override, '--by', 'Ada');
  const common = ['--phase', 'plan-structure', '--state-dir', '.qr'];
  await run(cwd, 'checklist', 'decompose', 'plan.md', ...common);
  await run(cwd, 'checklist', 'verify', ...common, ...flags);
  await run(cwd, 'checklist', 'status', ...common);
  await server.close();
  const leaking: string[] = screens.filter((text) => text.includes(start));
  for (const folder of ['.reviewloop', '.qr', '.deepwork'])
    leaking.push(...(await leaks(join(cwd, folder))).map((path) => `${folder}${path}`));
  expect(leaking).toEqual([]);
  expect(server.seen.length).toBeGreaterThan(1);
});
