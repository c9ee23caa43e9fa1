import { describe, expect, it } from 'vitest';
import { parseRequirementsFile } from '@/blocks/requirements/requirements-file.js';
import { nestsTooDeeply } from '@/core/text/schema-problems.js';
import { parseData } from '@/faces/config/parse-data.js';
import { errorWith, expectCode } from '../../../support/matchers.js';

const deep: Readonly<Record<string, string>> = {
  'open brackets': '['.repeat(1_000_000),
  'open braces': '{a: '.repeat(250_000),
  lists: '- '.repeat(500_000),
  'complex keys': '? '.repeat(500_000),
  'indented lists': `a:\n  ${'- '.repeat(500_000)}`,
  indentation: Array.from({ length: 1400 }, (_, level) => `${' '.repeat(2 * level)}a:\n`).join(''),
};

describe.each(Object.entries(deep))('1 MB of %s', (_, text) => {
  it('is refused by the name of its file [R2-050]', async () => {
    expect(nestsTooDeeply(text)).toBe(true);
    const refused = {
      code: 'config_invalid',
      message: expect.stringContaining('job.yml: it is nested'),
    };
    for (const json of [false, true])
      expect(() => parseData(text, { shown: 'job.yml', json })).toThrow(
        expect.objectContaining(refused),
      );
    await expectCode(parseRequirementsFile(text, 'r.yml'), 'requirements_invalid');
  });
});

it('ordinary data is not too deep', () => {
  expect(nestsTooDeeply('a:\n  - - b: [1, { c: 2 }]\n')).toBe(false);
});

it('too many aliases are refused by the name of the file [R2-050]', () => {
  const lines = Array.from({ length: 40 }, (_, at) =>
    at === 0 ? 'a0: &a0 [x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
  );
  expect(() => parseData(lines.join('\n'), { shown: 'job.yml', json: false })).toThrow(
    expect.objectContaining(errorWith('config_invalid', /^job\.yml: .*alias/)),
  );
});
