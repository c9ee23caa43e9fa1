import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { ReviewLoopError } from '../../../core/errors.js';
import { configErrors } from '../../config/errors.js';

export type JsonPath = readonly string[];

export interface JsonText {
  readonly text: string;
  readonly shown: string;
}

function treeOf({ text, shown }: JsonText): Node {
  const errors: ParseError[] = [];
  // spaces instead of a byte order mark keep every offset
  const tree = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw refused(shown, `line ${line}: ${printParseErrorCode(error.error)}`);
  }
  if (tree?.type !== 'object') throw refused(shown, 'it is not an object');
  return tree;
}

function refused(shown: string, why: string): ReviewLoopError {
  return new ReviewLoopError(
    configErrors.config_invalid,
    `${shown} was left unchanged, because it cannot be read: ${why}`,
    { value: shown },
  );
}

/** A list that is missing has none. */
export function listAt(json: JsonText, path: JsonPath): readonly Node[] {
  const tree = treeOf(json);
  for (let depth = 1; depth <= path.length; depth += 1) {
    const node = findNodeAtLocation(tree, path.slice(0, depth));
    if (node === undefined) return [];
    const wanted = depth === path.length ? 'array' : 'object';
    if (node.type !== wanted)
      throw refused(
        json.shown,
        `\`${path.slice(0, depth).join('.')}\` is not ${wanted === 'array' ? 'a list' : 'an object'}`,
      );
  }
  return findNodeAtLocation(tree, [...path])?.children ?? [];
}

/** Every other character stays. */
export function addToList(json: JsonText, path: JsonPath, value: unknown): string {
  listAt(json, path);
  const tree = treeOf(json);
  const list = findNodeAtLocation(tree, [...path]);
  if (list !== undefined) return withChild(json.text, list, { value });
  // the deepest object that exists gets the rest of the path
  for (let depth = path.length - 1; ; depth -= 1) {
    const parent = depth === 0 ? tree : findNodeAtLocation(tree, path.slice(0, depth));
    const [key = '', ...rest] = path.slice(depth);
    if (parent !== undefined)
      return withChild(json.text, parent, {
        key,
        value: rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [value]),
      });
  }
}

interface Child {
  readonly key?: string;
  readonly value: unknown;
}

function withChild(text: string, parent: Node, child: Child): string {
  const close = parent.offset + parent.length - 1;
  const inner = text.slice(parent.offset, close);
  const breaks = inner.includes('\n');
  const last = parent.children?.at(-1);
  const end = last === undefined ? undefined : last.offset + last.length;
  // a nested value on one line stays on one line
  const added =
    breaks || parent.parent === undefined
      ? onLines(text, close, { child, breaks })
      : `${last === undefined ? '' : ' '}${nameOf(child)}${JSON.stringify(child.value)}`;
  // white space before the closing bracket stays behind the new child
  const at = blankBefore(text, close);
  const inserted = `${text.slice(0, at)}${added}${text.slice(at)}`;
  if (end === undefined || commaIn(text, end, close) !== undefined) return inserted;
  return `${inserted.slice(0, end)},${inserted.slice(end)}`;
}

function nameOf({ key }: Child): string {
  return key === undefined ? '' : `${JSON.stringify(key)}: `;
}

function onLines(
  text: string,
  close: number,
  { child, breaks }: { readonly child: Child; readonly breaks: boolean },
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const before = lineIndent(text, close);
  const lines = JSON.stringify(child.value, null, unit).split('\n');
  const own = `${eol}${before}${unit}`;
  return `${own}${nameOf(child)}${lines.join(own)}${breaks ? '' : `${eol}${before}`}`;
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function commaIn(text: string, from: number, to: number): number | undefined {
  const blank = text
    .slice(from, to)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
  const at = blank.indexOf(',');
  return at === -1 ? undefined : from + at;
}

/** Lists and objects that become empty are removed, too. */
export function removeFromList(
  json: JsonText,
  path: JsonPath,
  selects: (source: string) => boolean,
): string {
  const nodes = listAt(json, path);
  const { text } = json;
  const index = nodes.findIndex(({ offset, length }) =>
    selects(text.slice(offset, offset + length)),
  );
  if (index === -1) return text;
  let empty = nodes[index];
  // a list with this value only goes with its key, and so does an object with this key only
  while (empty?.parent?.children?.length === 1 && empty.parent.parent !== undefined)
    empty = empty.parent.type === 'property' ? empty.parent : keyedParent(empty.parent);
  const next = empty === undefined ? text : withoutNode(text, empty);
  return removeFromList({ ...json, text: next }, path, selects);
}

function keyedParent(node: Node): Node {
  return node.parent?.type === 'property' ? node.parent : node;
}

function withoutNode(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const end = node.offset + node.length;
  const close = (node.parent?.offset ?? 0) + (node.parent?.length ?? text.length) - 1;
  const comma = commaIn(text, end, siblings[at + 1]?.offset ?? close);
  const start = blankBefore(text, node.offset);
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma + 1);
  const previous = siblings[at - 1];
  // behind a comment, the line break belongs to it
  const kept = /[{[]$/.test(text.slice(0, start)) ? tailOf(text, end, close) : '';
  if (previous === undefined) return text.slice(0, start) + text.slice(end + kept.length);
  const before = commaIn(text, previous.offset + previous.length, node.offset);
  const without = text.slice(0, start) + text.slice(end);
  return before === undefined ? without : without.slice(0, before) + without.slice(before + 1);
}

function blankBefore(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

function tailOf(text: string, from: number, to: number): string {
  return /^\s*$/.exec(text.slice(from, to))?.[0] ?? '';
}
