import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { snippetsOf, typeErrors } from './snippets.js';

const below = (folder: string) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`)
    : [];

const files = ['README.md', 'CHANGELOG.md', ...below('docs').sort()].filter((path) =>
  existsSync(join(root, path)),
);
const snippets = files.flatMap((path) => snippetsOf(path, readFileSync(join(root, path), 'utf8')));
const unchecked = snippets.filter(({ checked }) => !checked);

describe('the ts blocks of the documentation', () => {
  const planted = [
    '# Guide',
    '',
    '```ts',
    `import { definePipeline } from 'reviewloop';`,
    'const pipeline: number = definePipeline;',
    '```',
  ].join('\n');
  let errors: readonly string[] = [];

  // one compilation of all, with a block that is wrong among them
  beforeAll(() => {
    errors = typeErrors(root, join(root, 'temp/snippets'), [
      ...snippets,
      ...snippetsOf('planted/guide.md', planted),
    ]);
  });

  it('compile against the sources', () => {
    console.log(
      `${snippets.length - unchecked.length} ts blocks of ${files.length} documents compiled, ${unchecked.length} marked no-check`,
    );
    expect(errors.filter((error) => !error.startsWith('planted/'))).toEqual([]);
  });

  it('with an error are reported at their line', () => {
    expect(errors.filter((error) => error.startsWith('planted/'))).toEqual([
      expect.stringMatching(/^planted\/guide\.md:5: error TS2322/),
    ]);
  });

  it('marked no-check, and blocks of other languages, are left out', () => {
    const markdown =
      '```ts no-check\nconst x: number = "a";\n```\n```js\nnothing(\n```\n' +
      '```\ntext\n```\n```ts\nconst y = 1;\n```';
    expect(
      snippetsOf('a.md', markdown).map(({ code, checked, line }) => ({ code, checked, line })),
    ).toEqual([
      { code: 'const x: number = "a";\n', checked: false, line: 1 },
      { code: 'const y = 1;\n', checked: true, line: 10 },
    ]);
  });
});
