import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readSource, sourceFiles } from './repository.js';

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
    const rooms = ['src/stores', 'src/reports', 'src/hooks', 'src/task-review/file-attempts.ts'];
    const own = ['src/node/store-file.ts', 'src/node/stored-file.ts', 'src/node/lock.ts'];
    const reading = sources
      .filter((path) => [...rooms, ...own].some((room) => path.startsWith(room)))
      .filter((path) =>
        /\breadFile(?:Sync)?\(|\bopen\([^)]*'r'|createReadStream\(path/.test(readSource(path)),
      );
    expect(reading).toEqual([]);
  });

  it('tell of a missing package in one way', () => {
    expect(
      sources.filter((path) => /ReviewLoopError\(\s*'peer_missing'/.test(readSource(path))),
    ).toEqual(['src/core/load-peer.ts']);
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
