import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  honestWorkIn,
  loadAllowedSecrets,
  readBaseline,
} from '@/faces/config/load-allowed-secrets.js';
import { folderOf } from '../cli/harness.js';

const entry = {
  path: 'src/a.ts',
  line: 2,
  fingerprint: '0123456789abcdef',
  reason: 'of the tests',
};
const none = { file: undefined, config: {} };

describe('allowed secrets of a configuration', () => {
  it('have absolute paths, and are joined with those of a baseline', async () => {
    const cwd = await folderOf({
      'conf/known.json': JSON.stringify({ schemaVersion: 1, allow: [entry] }),
    });
    expect(await loadAllowedSecrets(cwd, none)).toEqual({ entries: [] });
    const config = { secrets: { allow: [entry], baseline: 'known.json' } };
    const file = join(cwd, 'conf/reviewloop.config.json');
    const { entries, baseline } = await loadAllowedSecrets(cwd, { file, config });
    const path = join(cwd, 'conf/src/a.ts');
    expect(entries).toEqual([
      { ...entry, path },
      { ...entry, path },
    ]);
    expect(baseline).toBe(join(cwd, 'conf/known.json'));
  });

  it('may lack a baseline that is written first, and no other', async () => {
    const cwd = await folderOf();
    const config = { secrets: { baseline: 'gone.json' } };
    const missing = { file: undefined, config };
    expect(await loadAllowedSecrets(cwd, missing, { mayBeMissing: true })).toEqual({
      ...{ entries: [], baseline: join(cwd, 'gone.json') },
    });
    await expect(loadAllowedSecrets(cwd, missing)).rejects.toMatchObject({
      ...{ code: 'config_unreadable', what: expect.stringContaining('gone.json: no such file') },
    });
  });

  const wrong = [
    ['{ "schemaVersion": 1, "allow": [\n{ "path": 1 }] }', 'known.json:2: '],
    ['{ "allow": 1 }', 'known.json:1: '],
    ['{ "others": [] }', 'known.json'],
  ] as const;
  it.each(wrong)('name the line that is wrong in a baseline: %s', async (text, where) => {
    const cwd = await folderOf({ 'known.json': text });
    await expect(readBaseline(cwd, join(cwd, 'known.json'))).rejects.toMatchObject({
      ...{ code: 'config_invalid', what: expect.stringContaining(where) },
    });
  });
});

describe('honest work of a configuration', () => {
  it('is judged unless it is off, with paths from the root of the work', async () => {
    const cwd = await folderOf();
    expect(honestWorkIn(cwd, none)).toEqual({ allowed: [] });
    expect(honestWorkIn(cwd, { file: undefined, config: { honestWork: false } })).toBe(false);
    const config = { honestWork: { allow: [entry] } };
    const file = join(cwd, 'sub/reviewloop.config.json');
    expect(honestWorkIn(cwd, { file, config }, join(cwd, 'sub'))).toEqual({ allowed: [entry] });
    expect(honestWorkIn(cwd, { file: undefined, config: { honestWork: {} } }, cwd)).toEqual({
      allowed: [],
    });
    expect(honestWorkIn(cwd, { file, config }, cwd)).toMatchObject({
      allowed: [{ path: 'sub/src/a.ts' }],
    });
  });
});
