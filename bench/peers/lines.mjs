// Counts what a user writes: lines with code, as the formatter of the project sets them, without imports, comments and empty lines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { here } from './peers.mjs';

/** How many lines of code a loop has. */
export const linesOf = (file) => countLines(readFileSync(join(here, file), 'utf8'));

/** How many lines of a source have code that is no import. */
export function countLines(text) {
  const source = ts.createSourceFile(
    'loop.mjs',
    text,
    ts.ScriptTarget.ES2022,
    true,
    ts.ScriptKind.JS,
  );
  const lines = new Set();
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getWidth(source) === 0) return;
    for (let line = lineAt(node.getStart(source)); line <= lineAt(node.getEnd()); line += 1)
      lines.add(line);
  };
  visit(source);
  return lines.size;
}
