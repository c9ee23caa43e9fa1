import { expect, it } from 'vitest';
import { judgingFiles } from '@/faces/cli/hook/judging-files.js';
import { folderOf } from './harness.js';

it('what ESLint and CSpell judge by is recorded if a configuration asks for them', async () => {
  const tools = { 'eslint.config.mjs': 'export default [];', 'cspell.json': '{}' };
  const recorded = async (config: string): Promise<string[]> =>
    Object.keys(await judgingFiles(await folderOf({ ...tools, 'reviewloop.config.json': config })));
  const all = ['cspell.json', 'eslint.config.mjs', 'reviewloop.config.json'];
  expect(await recorded('{ "lint": true }')).toEqual(all);
  expect(await recorded('{ "spelling": { "config": "cspell.json" } }')).toEqual(all);
  expect(await recorded('{ "criteria": ["html", "code-lint"] }')).toEqual(all);
  expect(await recorded('{ "criteria": "html" }')).toEqual(['reviewloop.config.json']);
});
