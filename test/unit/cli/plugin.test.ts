import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookProgram } from '../../../src/cli/init/hook-program.js';
import { root } from '../../architecture/repository.js';
import { folderOf, runCli } from './harness.js';

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

  it('has the hooks that init writes, and the same program', async () => {
    expect(readFileSync(join(folder, 'reviewloop.hook.mjs'), 'utf8')).toBe(hookProgram);
    const cwd = await folderOf();
    await runCli(cwd, ['init', 'codex']);
    const written = readFileSync(join(cwd, '.codex/hooks.json'), 'utf8');
    const own = readFileSync(join(folder, 'hooks/hooks.json'), 'utf8');
    const place = /node \\"[^ ]*.*?reviewloop\.hook\.mjs\\"/g;
    const same = (text: string): unknown =>
      JSON.parse(text.replace(place, 'node \\"reviewloop.hook.mjs\\"')) as Hooks;
    expect(same(own)).toEqual(same(written));
  });

  it('has one skill, which names its use', () => {
    const skill = readFileSync(join(folder, 'skills/reviewloop/SKILL.md'), 'utf8');
    expect(skill).toMatch(/^---\nname: reviewloop\ndescription: .+\n---\n/);
  });
});
