import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { vi } from 'vitest';

/** A regular expression in the source, with its place. */
export interface FoundRegex {
  readonly place: string;
  readonly pattern: RegExp;
}

/** Returns every literal of a regular expression in the TypeScript files of a folder. */
export function regexesIn(folder: string): FoundRegex[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => regexesOf(join(folder, path)));
}

function regexesOf(path: string): FoundRegex[] {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: FoundRegex[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const source = node.getText();
      const end = source.lastIndexOf('/');
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({
        place: `${path}:${line + 1}`,
        pattern: new RegExp(source.slice(1, end), source.slice(end + 1)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

export async function regexesBuiltIn(folder: string): Promise<FoundRegex[]> {
  const found: FoundRegex[] = [];
  const { RegExp: original } = globalThis;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && /new RegExp\(/.test(readFileSync(path, 'utf8')));
  vi.resetModules();
  try {
    for (const path of paths) {
      globalThis.RegExp = new Proxy(original, {
        construct: (target, given: [string, string?]) => {
          const pattern = new target(...given);
          found.push({ place: `${path} (or what it imports)`, pattern });
          return pattern;
        },
      });
      await import(/* @vite-ignore */ resolve(path));
    }
  } finally {
    globalThis.RegExp = original;
  }
  const known = new Map(found.map((one) => [String(one.pattern), one]));
  return [...known.values()];
}
