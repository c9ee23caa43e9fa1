import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What a module asks the machine for: packages and files that it names, wherever it names them. */
export function needsOf(code: string): string[] {
  const needs: string[] = [];
  const requires = new Set(['require']);
  const isCreated = (node: ts.Node): boolean =>
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text.startsWith('createRequire');
  const loads = (called: ts.Expression): boolean =>
    called.kind === ts.SyntaxKind.ImportKeyword ||
    isCreated(called) ||
    (ts.isIdentifier(called) && requires.has(called.text)) ||
    (ts.isPropertyAccessExpression(called) &&
      called.name.text === 'resolve' &&
      (loads(called.expression) || called.expression.getText() === 'import.meta'));
  const note = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteralLike(node)) needs.push(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) note(node.moduleSpecifier);
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      isCreated(node.initializer)
    )
      requires.add(node.name.getText());
    if (ts.isCallExpression(node) && loads(node.expression)) note(node.arguments[0]);
    if (ts.isNewExpression(node) && node.arguments?.[1]?.getText() === 'import.meta.url')
      note(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.js', code, ts.ScriptTarget.Latest, true));
  return needs;
}

/** The needs of built files that no install of the package meets, each with its file. */
export function unmetNeeds(folder: string, packages: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => {
      const place = join(folder, file);
      return needsOf(readFileSync(place, 'utf8'))
        .filter((need) =>
          need.startsWith('.')
            ? !existsSync(join(dirname(place), need))
            : !isBuiltin(need) && !packages.includes(/^(?:@[^/]+\/)?[^/]+/.exec(need)?.[0] ?? need),
        )
        .map((need) => `${file} needs ${need}`);
    });
}
