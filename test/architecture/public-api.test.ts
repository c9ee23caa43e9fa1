import ts from 'typescript';
import { expect, it } from 'vitest';
import { libraryEntries } from '../../scripts/entries.mjs';
import { root } from './repository.js';

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
    return [`# ${Object.keys(libraryEntries)[index]}`, ...names.sort()].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}

it('exports the names of public-api.txt and no other (npm run api:update after a wanted change)', async () => {
  await expect(publicNames()).toMatchFileSnapshot('./public-api.txt');
});
