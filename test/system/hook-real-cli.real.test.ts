import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { describeCli } from '../support/cli-binaries.js';
import { newRepository } from '../support/git-repository.js';
import { words } from '../support/matchers.js';
import { streamServer, type Turns } from '../support/stream-server.js';
import { fileFolder } from '../support/temp-folder.js';
import { faultyPage, goodPage } from '../unit/faces/cli/harness.js';
import { bin, run } from './cli-harness.js';

const home = fileFolder('hook-home');
const key = 'test-key-0123456789abcdef';

/** A project in which the package is installed and the gate of an agent is set up. */
async function gatedProject(...agents: ('claude-code' | 'codex' | 'copilot')[]) {
  const repository = newRepository();
  const { cwd } = repository;
  repository.write('README.md', '# Shop\n');
  repository.write('.gitignore', 'node_modules\n');
  const place = join(cwd, 'node_modules/reviewloop');
  mkdirSync(place, { recursive: true });
  const about = { name: 'reviewloop', type: 'module', bin: { reviewloop: './bin.js' } };
  writeFileSync(join(place, 'package.json'), JSON.stringify(about));
  writeFileSync(
    join(place, 'bin.js'),
    `await import(${JSON.stringify(pathToFileURL(bin).href)});\n`,
  );
  for (const agent of agents) expect((await run(cwd, ['init', agent])).code).toBe(0);
  repository.commit('first');
  return repository;
}

/** Runs a program to its end, without input. */
function runAgent(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, SHELL: '/bin/bash', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text));
  return new Promise((resolve) => void child.on('close', (code) => resolve({ code, out })));
}

/** The decisions of the gate, in order. */
function decisions(cwd: string): string[] {
  return readFileSync(join(cwd, '.reviewloop/hooks.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { event, decision } = JSON.parse(line) as { event: string; decision: string };
      return `${event} ${decision}`;
    });
}

describeCli('claude', (executable) => {
  it('is blocked, repairs its work, and ends', async () => {
    const { cwd } = await gatedProject('claude-code');
    const page = join(cwd, 'index.html');
    const turns: Turns = (asked, used) => {
      if (!asked.includes('"name":"Write"')) return { text: 'A page' };
      if (used === 0) return { tool: 'Write', input: { file_path: page, content: faultyPage } };
      if (!asked.includes('reviewloop: NOT APPROVED')) return { text: 'Done.' };
      if (used === 1) return { tool: 'Write', input: { file_path: page, content: goodPage } };
      return { text: 'Repaired.' };
    };
    const server = await streamServer('anthropic', { turns });
    try {
      const { code, out } = await runAgent(
        executable,
        [
          '-p',
          'Build a sign-in page',
          ...words(
            '--permission-mode acceptEdits --output-format stream-json --verbose --model claude-sonnet-5-5',
          ),
        ],
        { cwd, env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url } },
      );
      expect(code, out).toBe(0);
      expect(readFileSync(page, 'utf8')).toBe(goodPage);
      expect(decisions(cwd)).toEqual([
        'SessionStart silent',
        'UserPromptSubmit silent',
        'Stop block',
        'Stop tell',
      ]);
      expect(out).toContain('Repaired.');
    } finally {
      await server.close();
    }
  });
});

describeCli('codex', (executable) => {
  it('is blocked, repairs its work, and ends', async () => {
    const { cwd } = await gatedProject('codex');
    const patch = (lines: string): string => `*** Begin Patch\n${lines}*** End Patch`;
    const added = (text: string): string => text.replace(/^(?=.)/gm, '+');
    const turns: Turns = (asked, used) => {
      if (used === 0)
        return {
          tool: 'apply_patch',
          input: patch(`*** Add File: index.html\n${added(faultyPage)}`),
        };
      if (!asked.includes('reviewloop: NOT APPROVED')) return { text: 'Done.' };
      if (used === 1)
        return {
          tool: 'apply_patch',
          input: patch(`*** Delete File: index.html\n*** Add File: page.html\n${added(goodPage)}`),
        };
      return { text: 'Repaired.' };
    };
    const server = await streamServer('openai', { turns });
    const service = `model_providers.loop={name="loop",base_url="${server.url}/v1",env_key="LOOP_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
    try {
      const { code, out } = await runAgent(
        executable,
        [
          ...words('exec --json --sandbox danger-full-access -c'),
          'model_provider="loop"',
          '-c',
          service,
          '-c',
          'model="gpt-5.5"',
          '--trust',
          '--dangerously-bypass-hook-trust',
          'Build a sign-in page',
        ],
        { cwd, env: { CODEX_HOME: home, LOOP_KEY: key } },
      );
      expect(code, out).toBe(0);
      expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toBe(goodPage);
      expect(decisions(cwd).slice(-2)).toEqual(['Stop block', 'Stop tell']);
      expect(out).toContain('Repaired.');
    } finally {
      await server.close();
    }
  });
});

describeCli('copilot', (executable) => {
  const both = [
    ['one file', ['copilot']],
    ['two files', ['copilot', 'claude-code']],
  ] as const;
  it.each(both)(
    'is blocked once for a stop, repairs its work, and ends: %s of hooks',
    async (_, agents) => {
      const { cwd } = await gatedProject(...agents);
      const page = join(cwd, 'index.html');
      const turns: Turns = (asked, used) => {
        if (used === 0) return { tool: 'create', input: { path: page, file_text: faultyPage } };
        if (!asked.includes('reviewloop: NOT APPROVED')) return { text: 'Done.' };
        const command = `cat > index.html <<'EOF'\n${goodPage}EOF`;
        if (used === 1) return { tool: 'bash', input: { command, description: 'Repairs' } };
        return { text: 'Repaired.' };
      };
      const server = await streamServer('anthropic', { turns });
      mkdirSync(join(home, '.copilot'), { recursive: true });
      const trusted = JSON.stringify({ trustedFolders: [cwd] });
      for (const file of ['config.json', 'settings.json'])
        writeFileSync(join(home, '.copilot', file), trusted);
      try {
        const { code, out } = await runAgent(
          executable,
          ['-p', 'Build a sign-in page', '--allow-all-tools'],
          {
            cwd,
            env: {
              COPILOT_OFFLINE: 'true',
              COPILOT_MODEL: 'claude-sonnet-4.5',
              COPILOT_PROVIDER_TYPE: 'anthropic',
              COPILOT_PROVIDER_BASE_URL: server.url,
              COPILOT_PROVIDER_API_KEY: key,
            },
          },
        );
        expect(code, out).toBe(0);
        expect(readFileSync(page, 'utf8'), out).toBe(goodPage);
        const made = decisions(cwd);
        expect(made.filter((one) => one === 'Stop block')).toHaveLength(1);
        expect(made.filter((one) => one === 'Stop tell')).not.toHaveLength(0);
        expect(out).toContain('Repaired.');
        expect(out).toContain('reviewloop: approved');
      } finally {
        await server.close();
      }
    },
  );
});
