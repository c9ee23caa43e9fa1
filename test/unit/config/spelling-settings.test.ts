import { describe, expect, it } from 'vitest';
import { ConfigSchema } from '@/config/config-schema.js';
import { loadSpellingSettings } from '@/config/load-spelling-settings.js';
import { errorWith } from '../../support/matchers.js';
import { folderOf } from '../cli/harness.js';

describe('loadSpellingSettings', () => {
  it('reads the lists of words of JSON with comments, and of YAML', async () => {
    const cwd = await folderOf({
      'cspell.json':
        '\ufeff// ours\n{ "words": ["Foo*", "+bar", "!baz", "12"], "ignoreWords": ["qux",], "flagWords": ["hte->the", "fo:of"], "userWords": ["New York"], "dictionaries": [], "name": "x" }',
      'a/cspell.yaml': 'words:\n  - foo\noverrides: []\nignorePaths: [x]\n',
    });
    expect(await loadSpellingSettings(cwd, 'cspell.json', undefined)).toEqual({
      words: ['Foo', 'bar', 'New York', 'qux'],
      wrongWords: ['baz', 'hte', 'fo'],
      ignored: ['dictionaries'],
    });
    // the path is relative to the configuration
    expect(await loadSpellingSettings(cwd, 'cspell.yaml', 'a/reviewloop.config.js')).toEqual({
      words: ['foo'],
      wrongWords: [],
      ignored: ['overrides', 'ignorePaths'],
    });
  });

  it('refuses settings that are code, missing or malformed, and names the file', async () => {
    const cwd = await folderOf({
      'cspell.config.js': 'globalThis.settingsRan = true; export default { words: [] };',
      'broken.json': '{ "words": [\n oops }',
      'wrong.json': '{ "words": "foo" }',
      'broken.yaml': 'words: [',
      'none.json': '',
    });
    const load = (path: string) => loadSpellingSettings(cwd, path, undefined);
    await expect(load('cspell.config.js')).rejects.toMatchObject(
      errorWith('config_invalid', 'settings in code are not run'),
    );
    expect(Reflect.get(globalThis, 'settingsRan')).toBeUndefined();
    await expect(load('away.json')).rejects.toMatchObject(
      errorWith('config_unreadable', 'away.json: no such file'),
    );
    await expect(load('broken.json')).rejects.toThrow('broken.json:2: it is not valid JSON');
    await expect(load('wrong.json')).rejects.toThrow('wrong.json: ');
    await expect(load('broken.yaml')).rejects.toMatchObject({ code: 'config_invalid' });
    await expect(load('none.json')).rejects.toMatchObject({ code: 'config_unreadable' });
  });

  it('the configuration refuses what spelling does not have', () => {
    const isValid = (spelling: unknown) => ConfigSchema.safeParse({ spelling }).success;
    expect(isValid(true)).toBe(true);
    expect(isValid({ language: 'en-GB', words: ['foo'], settings: 'cspell.json' })).toBe(true);
    for (const wrong of [
      { language: 'de' },
      { words: ['1'] },
      { maxFindings: 0 },
      { dictionaries: [] },
    ])
      expect(isValid(wrong)).toBe(false);
  });
});
