import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AgentName, agentNames } from '@/hooks/index.js';
import { repositoryAt } from '../support/git-repository.js';
import { runCli } from '../unit/cli/harness.js';
import { events, type HookSays, readAnswer } from '../unit/hooks/events.js';
import { type Scenario, scenarios, scenariosOf } from './hook-sessions.js';

const approval = /^(?:reviewloop: approved \(\d+ files?, \d+ checks?\)\n?)?$/;

/** The most stops of a session; a gate that blocks as often loops. */
const endless = 20;

async function change(cwd: string, files: Scenario['before']): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) await rm(join(cwd, path));
    else {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), content);
    }
  }
}

/** Plays a session as an agent does: it stops until nothing blocks. */
async function played(agent: AgentName, scenario: Scenario): Promise<readonly HookSays[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'reviewloop-session-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  await change(cwd, { 'README.md': '# Shop\n', ...scenario.before });
  const repository = scenario.git === false ? undefined : repositoryAt(cwd);
  repository?.commit('first');
  const send = async (event: object): Promise<HookSays> =>
    readAnswer(agent, await runCli(cwd, ['hook', agent], { stdin: JSON.stringify(event) }));
  await send(events[agent].start({ cwd }));
  await send(events[agent].prompt({ cwd }));
  const said: HookSays[] = [];
  for (let stop = 0; stop < endless; stop += 1) {
    const step = scenario.steps[stop];
    if (step !== undefined) await change(cwd, step);
    if (scenario.commits) repository?.commit('work');
    const { unfinished = false } = scenario;
    said.push(await send(events[agent].stop({ cwd, blocks: stop, unfinished })));
    if (said.at(-1)?.blocks !== true) break;
  }
  return said;
}

describe.each(agentNames)('sessions of %s', (agent) => {
  it.each(scenariosOf(agent).map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_, scenario) => {
      const said = await played(agent, scenario);
      const last = said.at(-1);
      expect(said.length, 'an endless loop').toBeLessThan(endless);
      expect(last?.blocks).toBe(false);
      expect(
        said.filter(({ blocks }) => blocks),
        JSON.stringify(said, null, 2),
      ).toHaveLength(scenario.blocks);
      if (scenario.told === undefined) expect(last?.message).toMatch(approval);
      else expect(last?.message).toMatch(scenario.told);
      // nothing that is not good ends in silence
      if (!scenario.good) expect(last?.message).not.toBe('');
    },
  );
});

it('the sessions are 60 and more, of which 30 and more are good at their first stop', () => {
  const all = agentNames.flatMap(scenariosOf);
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.filter(({ good, blocks }) => good && blocks === 0).length).toBeGreaterThanOrEqual(30);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});
