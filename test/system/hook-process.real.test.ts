import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentName, agentNames } from '@/faces/hooks/agent-event.js';
import {
  copiedRepository,
  newRepository,
  repositoryAt,
  repositoryIn,
} from '../support/git-repository.js';
import { tempFolder } from '../support/temp-folder.js';
import { faultyPage } from '../unit/faces/cli/harness.js';
import { events, type HookSays, readAnswer } from '../unit/faces/hooks/events.js';
import { send } from '../unit/faces/hooks/send-event.js';
import { type Exit, run, shell } from './cli-harness.js';
import { isGoodAtOnce, type Scenario, scenariosOf } from './hook-sessions.js';

/** A repository with a configuration, in which a session has begun. */
async function begun(config: string) {
  const repository = newRepository();
  repository.write('reviewloop.config.mjs', config);
  repository.commit();
  const { cwd } = repository;
  await hook(cwd, events.codex.start({ cwd }));
  repository.write('index.html', faultyPage);
  return { cwd, stop: () => hook(cwd, events.codex.stop({ cwd })) };
}

function hook(cwd: string, event: object): Promise<Exit> {
  const file = join(cwd, '.git/event.json');
  writeFileSync(file, JSON.stringify(event));
  return shell(cwd, `reviewloop hook < '${file}'`);
}

/** Returns whether a process still runs; one that ended and was not waited for counts as ended. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

it('answers in time although a check never returns', async () => {
  const criterion =
    "{ id: 'stuck', name: 'x', description: 'x', severity: 'major', category: 'quality', validate() { for (;;); } }";
  const { stop } = await begun(
    `export default { hook: { timeoutSeconds: 3 }, criteria: [${criterion}] };\n`,
  );
  const exit = await stop();
  expect(exit.code).toBe(0);
  const { blocks, message } = readAnswer('codex', exit);
  expect(blocks).toBe(false);
  // the review's own watch over its checks may be faster than the deadline
  expect(message).toMatch(
    /NO VERDICT \((?:hook_timeout\).*hook\.timeoutSeconds|hook_failed\).*\bstuck\b)/,
  );
});

it('answers although the configuration ends its process', async () => {
  const { stop } = await begun('process.exit(3);\n');
  const exit = await stop();
  expect(exit.code).toBe(0);
  expect(readAnswer('codex', exit).message).toContain('NO VERDICT (hook_failed)');
});

it('ends the processes of its commands at the deadline', async () => {
  const command = "{ id: 'slow', run: ['sh', '-c', 'sleep 600 & echo $! > pid; wait'], cwd: '.' }";
  const startedWithin = async (timeoutSeconds: number): Promise<number> => {
    const { cwd, stop } = await begun(
      `export default { hook: { timeoutSeconds: ${timeoutSeconds} }, commands: [${command}] };\n`,
    );
    expect(readAnswer('codex', await stop()).message).toContain('NO VERDICT');
    const file = join(cwd, 'pid');
    // a busy machine may reach the deadline before the command begins
    return existsSync(file)
      ? Number(readFileSync(file, 'utf8'))
      : startedWithin(4 * timeoutSeconds);
  };
  const pid = await startedWithin(4);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => runs(pid), { timeout: 280_000 }).toBe(false);
});

it('says NO VERDICT where the package is missing', async () => {
  const cwd = tempFolder('hook-missing');
  expect((await run(cwd, ['init', 'claude-code'])).code).toBe(0);
  const { hooks } = JSON.parse(readFileSync(join(cwd, '.claude/settings.json'), 'utf8')) as {
    hooks: { Stop: { hooks: { command: string }[] }[] };
  };
  const command = hooks.Stop[0]?.hooks[0]?.command ?? '';
  mkdirSync(join(cwd, 'below'));
  const start = (line: string): Promise<Exit> =>
    shell(cwd, `export CLAUDE_PROJECT_DIR='${cwd}'; cd below; echo '{}' | { ${line}; }`);
  const missing = await start(command);
  expect(missing.code).toBe(0);
  expect(readAnswer('claude-code', missing).message).toContain(
    'NO VERDICT, not approved: the package reviewloop is not installed',
  );
  rmSync(join(cwd, 'reviewloop.hook.mjs'));
  expect(readAnswer('claude-code', await start(command)).message).toContain(
    'the hook did not start',
  );
});

it('answers in a working directory that was removed', async () => {
  const { cwd } = await begun('export default {};\n');
  const file = join(cwd, '.git/event.json');
  writeFileSync(file, JSON.stringify(events.codex.stop({ cwd: join(cwd, 'gone') })));
  const exit = await shell(cwd, `mkdir gone; cd gone; rmdir ../gone; reviewloop hook < '${file}'`);
  expect(exit.code, exit.err).toBe(0);
  expect(readAnswer('codex', exit)).toMatchObject({ blocks: true });
});

const approval = /^(?:reviewloop: approved \(\d+ files?, \d+ checks?\)\n?)?$/;

/** The most stops of a session; a gate that blocks as often loops. */
const endless = 20;

function change(cwd: string, files: Scenario['before']): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(cwd, path));
    else writeFileSync(join(cwd, path), content);
  }
}

/** Plays a session as an agent does: it stops until nothing blocks. */
async function played(agent: AgentName, scenario: Scenario): Promise<readonly HookSays[]> {
  const repository = copiedRepository([scenario.git, scenario.before], () => {
    const folder = tempFolder('reviewloop-session');
    change(folder, { 'README.md': '# Shop\n', ...scenario.before });
    if (scenario.git === false) return repositoryIn(folder);
    const made = repositoryAt(folder);
    made.commit('first');
    return made;
  });
  const { cwd } = repository;
  await send('start', { cwd }, { agent });
  await send('prompt', { cwd }, { agent });
  const said: HookSays[] = [];
  for (let stop = 0; stop < endless; stop += 1) {
    const step = scenario.steps[stop];
    if (step !== undefined) change(cwd, step);
    if (scenario.commits) repository.commit('work');
    const { unfinished = false } = scenario;
    said.push(await send('stop', { cwd, blocks: stop, unfinished }, { agent }));
    if (said.at(-1)?.blocks !== true) break;
  }
  return said;
}

describe.each(agentNames)('sessions of %s', (agent) => {
  it.each(scenariosOf(agent))('%s', async (_, scenario) => {
    const said = await played(agent, scenario);
    const last = said.at(-1);
    expect(said.length, 'an endless loop').toBeLessThan(endless);
    expect(last?.blocks).toBe(false);
    const blocks = said.filter((one) => one.blocks);
    expect(blocks, JSON.stringify(said, null, 2)).toHaveLength(scenario.blocks ?? 0);
    expect(last?.message).toMatch(scenario.told ?? approval);
  });
});

it('the sessions are 60 and more, of which 30 and more are good at their first stop', () => {
  const all = agentNames.flatMap(scenariosOf);
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.filter(isGoodAtOnce).length).toBeGreaterThanOrEqual(30);
});
