import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diffChars } from 'diff';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hookProgram } from '@/faces/cli/init/plan-agent.js';
import { commands } from '@/faces/cli/program.js';
import { flagName } from '@/faces/cli-kit/flags/flag.js';
import { agentNames } from '@/faces/hooks/agent-event.js';
import manifest from '../../../../package.json' with { type: 'json' };
import { root } from '../../../architecture/repository.js';
import { folderOf, runCli } from './harness.js';

/** The configuration file of each target. */
const files = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
  copilot: '.github/hooks/reviewloop.json',
  github: '.github/workflows/reviewloop.yml',
  gitlab: '.gitlab-ci.yml',
  'pre-commit': '.pre-commit-config.yaml',
} as const;
const targets = Object.keys(files) as (keyof typeof files)[];

const other = '{ "type": "command", "command": "npm test", "timeout": 30 }';

/** Odd configurations of an agent, all valid. */
const oddJson: readonly string[] = [
  '{}',
  '{ }',
  '{\n}\n',
  '{"a":1}',
  '{"a":1,"hooks":{"Stop":[]}}',
  '{\n  "model": "opus" // mine\n}\n',
  '{\n  // nothing yet\n}\n',
  '{\n  "hooks": {}\n}\n',
  '{\n  "hooks": {\n  }\n}\n',
  `{\n  "hooks": {\n    "Stop": [{ "hooks": [${other}] }]\n  }\n}\n`,
  `{\n  "hooks": {\n    "Stop": [\n      { "hooks": [${other}] }, // keep\n      /* and this */\n    ],\n  },\n}\n`,
  `{\r\n\t"permissions": { "allow": [ "Bash(*)" ] },\r\n\t"hooks": {\r\n\t\t"SessionStart": [ ]\r\n\t}\r\n}`,
  `\ufeff{\n    "hooks": { "AfterAgent": [ { "hooks": [ ${other} ] } ] }\n}\n`,
  '{\n\t"env": { "A": "\\u00e9, \\"x\\" // no comment" }\n}\n',
  '{\n  "z": 1,\n\n\n  "y": [1,2,\n3]  }\n',
  `{ "version": 1, "hooks": { "stop": [ { "command": "./stop.sh" } ] } }\n`,
  `{\n   "hooks": {"Stop": [\n{"hooks":[]}\n]}\n}`,
];
/** Odd configurations of a service, all valid. */
const oddYaml: readonly string[] = [
  '',
  '# only a comment\n',
  'stages: [test]\n\ntest:\n  script: npm test # quick\n',
  'stages: [test]',
  'repos:\n- repo: local\n  hooks:\n  - id: mine\n    entry: ./x.sh\n',
  'repos:\n    - repo: local # here\n      hooks:\n        - id: mine\n\n\n# the end\n',
  'default_stages: [commit]\r\nrepos:\r\n  - repo: local\r\n    hooks:\r\n      - id: mine\r\n',
  'repos:\n  - repo: local\n    hooks:\n      - {id: a}\n\nfail_fast: true\n',
];

function onlyAdds(before: string, after: string): boolean {
  return diffChars(before, after).every(({ removed }) => !removed) && after.length > before.length;
}

describe.each(targets)('init %s', (target) => {
  const file = files[target];
  const read = (cwd: string): string => readFileSync(join(cwd, file), 'utf8');

  it('writes what is missing, shows it, and changes nothing the second time', async () => {
    const cwd = await folderOf();
    const first = await runCli(cwd, ['init', target]);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain(`+++ ${file}`);
    const text = read(cwd);
    const second = await runCli(cwd, ['init', target]);
    expect(second.out).toBe(`${target} is set up already\n`);
    expect(read(cwd)).toBe(text);
    const removed = await runCli(cwd, ['init', target, '--remove']);
    expect(removed).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(cwd, file))).toBe(false);
    expect(existsSync(join(cwd, 'reviewloop.hook.mjs'))).toBe(false);
  });

  it('writes nothing with --dry-run', async () => {
    const cwd = await folderOf();
    const { out } = await runCli(cwd, ['init', target, '--dry-run']);
    expect(out).toContain(`+++ ${file}`);
    expect(out).toContain('nothing was written');
    expect(existsSync(join(cwd, file))).toBe(false);
  });

  if (target === 'github') return;
  const odd = file.endsWith('.json') ? oddJson : oddYaml;
  it.each(odd.map((text, index) => [index, text] as const))(
    'only adds to odd configuration %i, and takes it back',
    async (_, text) => {
      const cwd = await folderOf({ [file]: text });
      expect((await runCli(cwd, ['init', target])).err).toBe('');
      const after = read(cwd);
      expect(onlyAdds(text, after), after).toBe(true);
      await runCli(cwd, ['init', target]);
      expect(read(cwd)).toBe(after);
      expect((await runCli(cwd, ['init', target, '--remove'])).err).toBe('');
      const back = existsSync(join(cwd, file)) ? read(cwd) : '{}';
      expect(back).not.toContain('reviewloop');
      expect(onlyAdds(back.trim() === '{}' ? '' : back, after)).toBe(true);
    },
  );

  it.each([
    ['{ "hooks": ', 'repos: [\n'],
    ['[]', '- a\n'],
    ['{ "hooks": [] }', 'repos: {}\na: [}\n'],
  ])('refuses what it cannot read, and leaves it: %s', async (json, yaml) => {
    const text = file.endsWith('.json') ? json : yaml;
    const cwd = await folderOf({ [file]: text });
    const { code, err } = await runCli(cwd, ['init', target]);
    expect(code).toBe(2);
    expect(err).toContain(`${file} was left unchanged`);
    expect(read(cwd)).toBe(text);
  });
});

describe('init of a service', () => {
  const { version } = manifest;
  const written = async (target: keyof typeof files): Promise<string> => {
    const cwd = await folderOf();
    await runCli(cwd, ['init', target]);
    return readFileSync(join(cwd, files[target]), 'utf8');
  };

  it('pins what others made, takes the least rights, and reviews the merge queue too [R3-072]', async () => {
    const text = await written('github');
    const { on, permissions, jobs } = parse(text);
    expect(Object.keys(on)).toEqual(['pull_request', 'merge_group']);
    expect(permissions).toEqual({});
    const { steps, 'timeout-minutes': minutes } = jobs.review;
    expect(minutes).toBeLessThanOrEqual(15);
    expect(steps[0].with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
    const [foreign, own] = steps.map(({ uses }: { uses: string }) => uses);
    expect(foreign).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
    // package.json is the one place that names the project
    const [, repository] = /github\.com\/(.+)\.git$/.exec(manifest.repository.url) ?? [];
    expect(own).toBe(`${repository}@v${version}`);
    expect(readFileSync(join(root, 'docs/ci.md'), 'utf8')).toContain(`uses: ${own}`);
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(steps[1].with)));
    expect(readFileSync(join(root, 'docs/ci.md'), 'utf8')).toContain(foreign);
  });

  it('writes the one template of GitLab, which passes without a model [R3-073]', async () => {
    const text = await written('gitlab');
    expect(text).toBe(readFileSync(join(root, 'docs/ci/gitlab.yml'), 'utf8'));
    expect(text).toContain('"$CI_MERGE_REQUEST_DIFF_BASE_SHA...HEAD"');
    expect(parse(text).reviewloop.script[1]).toContain('--require checks');
  });

  it('lets pre-commit install the package, and needs no network at a commit [R3-074]', async () => {
    const [{ repo, hooks }] = parse(await written('pre-commit')).repos;
    expect(repo).toBe('local');
    const [{ language, additional_dependencies: needs, entry, args }] = hooks;
    expect({ language, needs }).toEqual({ language: 'node', needs: [`reviewloop@${version}`] });
    const [program, ...argv] = entry.split(' ');
    expect(Object.keys(manifest.bin)).toContain(program);
    const cwd = await folderOf({ 'a.md': 'One is here.\n', 'b.html': '<img src="a.png">\n' });
    expect((await runCli(cwd, [...argv, ...args, 'a.md'])).code).toBe(0);
    expect((await runCli(cwd, [...argv, ...args, 'b.html'])).code).toBe(50);
  });
});

describe('init of agents', () => {
  it('keeps the program until the last agent is removed', async () => {
    const cwd = await folderOf();
    // Copilot and VS Code share a file, and need none where Claude Code has the gate
    const agents = agentNames.filter((agent) => agent !== 'vs-code').reverse();
    for (const agent of agents) await runCli(cwd, ['init', agent]);
    for (const agent of agents) {
      expect(existsSync(join(cwd, 'reviewloop.hook.mjs'))).toBe(true);
      await runCli(cwd, ['init', agent, '--remove']);
    }
    expect(existsSync(join(cwd, 'reviewloop.hook.mjs'))).toBe(false);
  });

  it.each(['copilot', 'vs-code'])(
    'writes nothing for %s where it runs another hook',
    async (agent) => {
      const cwd = await folderOf();
      const claude = await runCli(cwd, ['init', 'claude-code']);
      expect(claude.out).toContain('Copilot, VS Code and Cursor run these hooks');
      expect(await runCli(cwd, ['init', agent])).toMatchObject({
        code: 0,
        out: `${agent} is set up already: it runs the hooks in .claude/settings.json\n`,
      });
      expect(existsSync(join(cwd, '.github'))).toBe(false);
    },
  );

  it('passes only the code with which Claude Code keeps a task open', async () => {
    const cwd = await folderOf();
    await runCli(cwd, ['init', 'claude-code']);
    const { hooks } = JSON.parse(readFileSync(join(cwd, files['claude-code']), 'utf8')) as {
      hooks: { TaskCompleted: { hooks: { command: string }[] }[] };
    };
    const command = hooks.TaskCompleted[0]?.hooks[0]?.command ?? '';
    const codes = [0, 1, 2].map((code) => {
      writeFileSync(join(cwd, 'reviewloop.hook.mjs'), `process.exit(${code});`);
      const env = { PATH: process.env['PATH'], CLAUDE_PROJECT_DIR: cwd };
      const { status, stdout } = spawnSync('bash', ['-c', command], { env, encoding: 'utf8' });
      return [status, stdout.includes('NO VERDICT')];
    });
    expect(codes).toEqual([
      [0, false],
      [0, true],
      [2, false],
    ]);
  });

  it('never overwrites a file of the user', async () => {
    const cwd = await folderOf({ 'reviewloop.hook.mjs': 'mine();\n' });
    expect(await runCli(cwd, ['init', 'codex'])).toMatchObject({ code: 2 });
    expect(existsSync(join(cwd, '.codex'))).toBe(false);
  });

  it('keeps the command between releases, because Codex trusts its hash', async () => {
    const cwd = await folderOf();
    await runCli(cwd, ['init', 'codex']);
    const { hooks } = JSON.parse(readFileSync(join(cwd, files.codex), 'utf8')) as {
      hooks: { Stop: { hooks: unknown[] }[] };
    };
    expect(hooks.Stop[0]?.hooks[0]).toEqual({
      type: 'command',
      command: `node "\${CLAUDE_PROJECT_DIR:-$(git rev-parse --show-toplevel 2>/dev/null || pwd)}/reviewloop.hook.mjs" || echo '{"systemMessage":"reviewloop: NO VERDICT, not approved: the hook did not start. Check node and reviewloop.hook.mjs."}'`,
      timeout: 600,
    });
  });

  it('refuses an unknown target, and options without one', async () => {
    const cwd = await folderOf();
    expect((await runCli(cwd, ['init', 'emacs'])).err).toContain("unknown target 'emacs'");
    expect((await runCli(cwd, ['init', '--remove'])).err).toContain('require a target');
    expect((await runCli(cwd, ['init', 'github', '--user'])).err).toContain('--user is for agents');
  });
});

const folder = join(root, 'plugins/reviewloop');
const json = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Hooks {
  readonly hooks: Readonly<Record<string, { hooks: { command: string; timeout: number }[] }[]>>;
}

describe('the plugin of Claude Code and Codex', () => {
  it('has the version of the package, in every manifest', () => {
    const { version } = json('package.json') as { version: string };
    for (const agent of ['claude', 'codex'])
      expect(json(`plugins/reviewloop/.${agent}-plugin/plugin.json`)).toMatchObject({
        name: 'reviewloop',
        version,
      });
    expect(json('.claude-plugin/marketplace.json')).toMatchObject({
      plugins: [{ name: 'reviewloop', source: './plugins/reviewloop', version }],
    });
    expect(json('.agents/plugins/marketplace.json')).toMatchObject({
      plugins: [{ source: { source: 'local', path: './plugins/reviewloop' } }],
    });
    // it would switch off all hooks of Codex
    expect(existsSync(join(folder, 'plugin.json'))).toBe(false);
  });

  // Codex passes over the event that it does not know
  it('has the hooks that init writes for Claude Code, and the same program', async () => {
    expect(readFileSync(join(folder, 'reviewloop.hook.mjs'), 'utf8')).toBe(hookProgram);
    const cwd = await folderOf();
    await runCli(cwd, ['init', 'claude-code']);
    const written = readFileSync(join(cwd, files['claude-code']), 'utf8');
    const own = readFileSync(join(folder, 'hooks/hooks.json'), 'utf8');
    const place = /node \\"[^ ]*.*?reviewloop\.hook\.mjs\\"/g;
    const same = (text: string): unknown =>
      JSON.parse(text.replace(place, 'node \\"reviewloop.hook.mjs\\"')) as Hooks;
    expect(same(own)).toEqual(same(written));
  });
});

describe('the skill', () => {
  const text = readFileSync(join(folder, 'skills/reviewloop/SKILL.md'), 'utf8');
  const skill = '.agents/skills/reviewloop/SKILL.md';

  it('has the form that every agent reads', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const { name, description, ...more } = parse(head);
    expect(more).toEqual({});
    expect(name).toBe('reviewloop');
    expect(description).toMatch(/Use it when/);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it.each(
    agentNames.map((name) => [name, name === 'claude-code' ? '.claude' : '.agents'] as const),
  )('is written for %s into %s, and removed with its gate', async (agent, place) => {
    const cwd = await folderOf();
    const file = join(cwd, place, 'skills/reviewloop/SKILL.md');
    await runCli(cwd, ['init', agent]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    await runCli(cwd, ['init', agent, '--remove']);
    expect(existsSync(dirname(file))).toBe(false);
    // a folder with more in it stays
    await runCli(cwd, ['init', agent]);
    writeFileSync(join(dirname(file), 'notes.md'), 'mine');
    await runCli(cwd, ['init', agent, '--remove']);
    expect(readdirSync(dirname(file))).toEqual(['notes.md']);
  });

  it('is written again by another release, and stays while an agent needs it', async () => {
    const cwd = await folderOf({ [skill]: text.replace('1. Read', '1. First read') });
    await runCli(cwd, ['init', 'codex']);
    expect(readFileSync(join(cwd, skill), 'utf8')).toBe(text);
    for (const agent of ['gemini', 'claude-code']) await runCli(cwd, ['init', agent]);
    await runCli(cwd, ['init', 'codex', '--remove']);
    expect(existsSync(join(cwd, skill))).toBe(true);
    await runCli(cwd, ['init', 'gemini', '--remove']);
    expect(existsSync(join(cwd, skill))).toBe(false);
    expect(existsSync(join(cwd, 'reviewloop.hook.mjs'))).toBe(true);
  });

  it('never replaces another one, and takes away no changed one', async () => {
    const own = '---\nname: mine\n---\n';
    const cwd = await folderOf({ [skill]: own });
    expect(await runCli(cwd, ['init', 'codex'])).toMatchObject({ code: 2 });
    expect(existsSync(join(cwd, '.codex'))).toBe(false);
    writeFileSync(join(cwd, skill), `${text}More.\n`);
    await runCli(cwd, ['init', 'codex', '--remove']);
    expect(readFileSync(join(cwd, skill), 'utf8')).toContain('More.');
  });
});

async function scriptFor(shell: string): Promise<string> {
  const { out, code } = await runCli(process.cwd(), ['completion', shell]);
  expect(code).toBe(0);
  return out;
}

/** What a real bash offers after words, the last of which is begun. */
function offered(script: string, cwd: string, words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const lines = [
    script,
    `COMP_WORDS=(reviewloop ${quoted}); COMP_CWORD=${words.length}; COMPREPLY=()`,
    `_reviewloop; printf "%s\\n" "\${COMPREPLY[@]}"`,
  ];
  const out = execFileSync('bash', ['--norc', '-c', lines.join('\n')], { cwd, encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

describe('shell completion', () => {
  it('bash completes commands, flags, values, files and runs', async () => {
    const script = await scriptFor('bash');
    const cwd = await folderOf({ 'TASK.md': 'x', 'my site.html': 'x' });
    mkdirSync(join(cwd, '.reviewloop/runs/0192f3c8-aaaa'), { recursive: true });
    writeFileSync(join(cwd, '.reviewloop/runs/0192f3c8-aaaa/review.json'), '{}');
    const offers = (...words: string[]): string[] => offered(script, cwd, words);
    expect(offers('re')).toEqual(['review', 'requirements', 'report', 'resume']);
    expect(offers('tasks', '')).toEqual(['run', 'status', '--help']);
    expect(offers('tasks', 'run', '--all', '--hitl')).toEqual([
      '--hitl-unattended',
      '--hitl-review',
    ]);
    expect(offers('review', 'site', '--format', '')).toEqual(['text', 'json']);
    expect(offers('review', '--no-c')).toEqual(['--no-config']);
    expect(offers('review', '-t', 'TA')).toEqual(['TASK.md']);
    expect(offers('review', 'my')).toEqual(['my site.html']);
    expect(offers('runs', '01')).toEqual(['0192f3c8-aaaa']);
    expect(offers('answer', '0192f3c8', 'app')).toEqual(['approve']);
    expect(offers('completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
  });

  it.each(['bash', 'zsh', 'fish'])('%s: every flag of every command is there', async (shell) => {
    const script = await scriptFor(shell);
    const all = commands.flatMap((command) => [command, ...command.commands]);
    const missing = all.flatMap(({ name, flags }) =>
      flags
        .filter(({ operand }) => operand !== true)
        .map(({ name: flag, arg, off }) =>
          off !== undefined && arg === undefined ? flagName(`no-${flag}`) : flagName(flag),
        )
        .filter((flag) => !script.includes(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag))
        .map((flag) => `${name} ${flag}`),
    );
    expect(missing).toEqual([]);
    for (const { name, summary } of commands) {
      expect(script).toContain(name);
      if (shell !== 'bash') expect(script).toContain(summary.slice(0, 20));
    }
  });

  it('refuses another shell', async () => {
    expect(await runCli(process.cwd(), ['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});
