import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffChars } from 'diff';
import { describe, expect, it } from 'vitest';
import { agentNames } from '../../../src/hooks/index.js';
import { folderOf, runCli } from './harness.js';

/** The configuration file of each target. */
const files = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
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

/** Returns whether a text arises from another one by additions alone. */
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

describe('init of agents', () => {
  it('keeps the program until the last agent is removed', async () => {
    const cwd = await folderOf();
    for (const agent of agentNames) await runCli(cwd, ['init', agent]);
    for (const agent of agentNames) {
      expect(existsSync(join(cwd, 'reviewloop.hook.mjs'))).toBe(true);
      await runCli(cwd, ['init', agent, '--remove']);
    }
    expect(existsSync(join(cwd, 'reviewloop.hook.mjs'))).toBe(false);
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
