import ts from 'typescript';
import { expect, it } from 'vitest';
import { experimentalEntries, libraryEntries } from '../../scripts/entries.mjs';
import { readSource, root } from './repository.js';

const markOf = (entry: string): string =>
  experimentalEntries.includes(entry) ? 'experimental' : 'stable';

function publicNames(): string {
  const files = Object.values(libraryEntries).map((path) => `${root}${path}`);
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files },
    ts.sys,
    root,
  );
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const sections = files.map((file, index) => {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    const names =
      module === undefined
        ? ['(no exports)']
        : checker.getExportsOfModule(module).map((symbol) => symbol.name);
    const entry = Object.keys(libraryEntries)[index] ?? '';
    return [`# ${entry} (${markOf(entry)})`, ...names.sort()].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}

it('exports the names of public-api.txt and no other (npm run api:update after a wanted change)', async () => {
  await expect(publicNames()).toMatchFileSnapshot('./public-api.txt');
});

it('says in docs/stability.md how stable each entry point is [issue 23]', () => {
  expect(Object.keys(libraryEntries)).toEqual(expect.arrayContaining([...experimentalEntries]));
  const rows = [...readSource('docs/stability.md').matchAll(/^\| `(reviewloop\S*)` \| (\w+) \|/gm)];
  const said = rows.map(([, name = '', mark]) => [
    name.replace(/^reviewloop\/?/, '') || 'index',
    mark,
  ]);
  const expected = Object.keys(libraryEntries).map((entry) => [entry, markOf(entry)]);
  expect(said.map(String).sort()).toEqual(expected.map(String).sort());
});
