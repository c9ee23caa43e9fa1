import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  binEntries,
  experimentalEntries,
  libraryEntries,
  packageExports,
  sourcePaths,
} from '../../scripts/entries.mjs';
import { readSource, root, sourceFiles } from './repository.js';

const maxLines = 400;
const sources = sourceFiles('src');

const lineCount = (text: string) => text.replace(/\n$/, '').split('\n').length;

/** The places of `any` as a type and of comments that switch the type check off. */
function uncheckedPlaces(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const at = (position: number) =>
    `${path}:${source.getLineAndCharacterOfPosition(position).line + 1}`;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${at(node.getStart())} any`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const match of text.matchAll(/@ts-(ignore|nocheck|expect-error)/g))
    found.push(`${at(match.index)} ${match[0]}`);
  return found;
}

it('test files leave the environment as it was: files share a process, and `vi.stubEnv` is undone', () => {
  const sets = (path: string) => /process\.env[.[][\w'\]]+ (?:\?\?)?= /.test(readSource(path));
  expect(sourceFiles('test').filter((path) => path.endsWith('.test.ts') && sets(path))).toEqual([]);
});

describe('source files', () => {
  it(`have at most ${maxLines} lines`, () => {
    const long = sources
      .map((path) => ({ path, lines: lineCount(readSource(path)) }))
      .filter(({ lines }) => lines > maxLines);
    expect(long).toEqual([]);
  });

  it('have neither any nor comments that switch the type check off', () => {
    expect(sources.flatMap((path) => uncheckedPlaces(path, readSource(path)))).toEqual([]);
  });

  it('are searched by a check that sees both', () => {
    expect(
      uncheckedPlaces(
        'a.ts',
        'const company = 1;\nlet x: any;\n// @ts-ignore\nlet y: Record<string, any>;',
      ),
    ).toEqual(['a.ts:2 any', 'a.ts:4 any', 'a.ts:3 @ts-ignore']);
  });

  it('follow no link in a store: they read its files in one way', () => {
    const rooms = ['src/adapters/stores', 'src/faces/reports', 'src/faces/hooks'];
    const own = ['src/node/store-file.ts', 'src/node/store-file.ts', 'src/node/lock.ts'];
    const reading = sources
      .filter((path) => [...rooms, ...own].some((room) => path.startsWith(room)))
      .filter((path) =>
        /\breadFile(?:Sync)?\(|\bopen\([^)]*'r'|createReadStream\(path/.test(readSource(path)),
      );
    expect(reading).toEqual([]);
  });

  it('tell of a missing package in one way', () => {
    expect(
      sources.filter((path) =>
        /ReviewLoopError\(\s*checkedErrors\.peer_missing/.test(readSource(path)),
      ),
    ).toEqual(['src/core/load-peer.ts', 'src/core/peer-versions.ts']);
  });

  it('are named in kebab-case', () => {
    expect(sources.filter((path) => !/^[a-z0-9/.-]+$/.test(path))).toEqual([]);
  });
});

it('tests name a source by its place below src, so that a moved test changes nothing', () => {
  const up = (path: string) => '../'.repeat(path.split('/').length - 1);
  const isRelative = (path: string) => readSource(path).includes(`from '${up(path)}src/`);
  expect(sourceFiles('test').filter(isRelative)).toEqual([]);
});

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
  const [, list = ''] =
    /These are experimental, all others are stable:\s([\s\S]*?)\.\n/.exec(
      readSource('docs/stability.md'),
    ) ?? [];
  const said = [...list.matchAll(/`reviewloop\/([^`]+)`/g)].map(([, name = '']) => name);
  expect(said.sort()).toEqual([...experimentalEntries].sort());
});

const Manifest = z.object({
  exports: z.record(
    z.string(),
    z.union([z.string(), z.strictObject({ types: z.string(), default: z.string() })]),
  ),
  bin: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(readSource('package.json')));

describe('package.json exports', () => {
  it('are those of the list of entry points', () => {
    expect(manifest.exports).toEqual(packageExports);
  });

  it('has one command per bin entry', () => {
    expect(Object.values(manifest.bin)).toEqual(
      Object.keys(binEntries).map((entry) => `./dist/${entry}.js`),
    );
  });

  it('are the paths under which sources, tests and examples import the package', () => {
    const Config = z.object({
      compilerOptions: z.object({ paths: z.record(z.string(), z.array(z.string())) }),
    });
    const { compilerOptions } = Config.parse(JSON.parse(readSource('tsconfig.json')));
    expect(compilerOptions.paths).toEqual(sourcePaths);
  });
});

it('the built-in list of secrets is made from the installed rules of secretlint [R3-042]', () => {
  const made = execFileSync(process.execPath, ['scripts/secret-formats.mjs'], { encoding: 'utf8' });
  expect(made, 'run: node scripts/secret-formats.mjs --write').toBe(
    readFileSync('src/core/redact/secretlint-formats.ts', 'utf8'),
  );
});
