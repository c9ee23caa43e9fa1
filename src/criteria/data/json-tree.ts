import type { Node, ParseError } from 'jsonc-parser';
import { deepestData, nestsTooDeeply } from '../../text/nests-too-deeply.js';
import type { DataNode, DataTree } from './data-node.js';

/**
 * Reads JSON with the place of each part.
 *
 * @param relaxed - Whether comments and commas before a closing bracket are allowed, as in
 *   `tsconfig.json`.
 */
export async function readJson(
  source: string,
  { relaxed = false }: { readonly relaxed?: boolean } = {},
): Promise<DataTree> {
  if (nestsTooDeeply(source))
    return { error: { message: `it is nested deeper than ${deepestData} levels`, offset: 0 } };
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  // a space instead of a byte order mark keeps every offset
  const root = parseTree(source.replace(/^\ufeff/, ' '), errors, {
    disallowComments: !relaxed,
    allowTrailingComma: relaxed,
  });
  const [error] = errors;
  if (error === undefined && root !== undefined) return { root: nodeOf(root) };
  const code = error === undefined ? 'ValueExpected' : printParseErrorCode(error.error);
  const message = code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return { error: { message, offset: error?.offset ?? 0 } };
}

function nodeOf({ type, offset: start, length, value, children = [] }: Node): DataNode {
  const end = start + length;
  if (type === 'array') return { kind: 'array', items: children.map(nodeOf), start, end };
  if (type !== 'object') return { kind: 'scalar', value, start, end };
  const members = children.flatMap(({ children: [key, member] = [] }) =>
    key === undefined || member === undefined
      ? []
      : [{ key: String(key.value), node: nodeOf(member) }],
  );
  return { kind: 'object', members, start, end };
}
