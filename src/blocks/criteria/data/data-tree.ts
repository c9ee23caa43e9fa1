import type { Node, ParseError } from 'jsonc-parser';
import type { CST, Document, Node as YamlNode } from 'yaml';
import { deepestData, nestsTooDeeply } from '../../../core/text/schema-problems.js';

export interface DataNode {
  readonly kind: 'object' | 'array' | 'scalar';
  readonly value?: unknown;
  readonly items?: readonly DataNode[] | undefined;
  readonly members?: readonly DataMember[] | undefined;
  /** Offsets in the text; -1 without a text. */
  readonly start: number;
  readonly end: number;
}

export interface DataMember {
  readonly key: string;
  readonly node: DataNode;
}

export interface DataError {
  readonly message: string;
  readonly offset: number;
}

export type DataTree = { readonly root: DataNode } | { readonly error: DataError };

/** The last member with that name counts. */
export function memberOf(node: DataNode | undefined, key: string): DataNode | undefined {
  return node?.members?.filter((member) => member.key === key).at(-1)?.node;
}

export function itemsOf(node: DataNode | undefined): readonly DataNode[] {
  return node?.items ?? [];
}

export function textIn(node: DataNode | undefined): string {
  const value = node?.value;
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Returns a node for a value without source text. Its parts are built on use. */
export function nodeOfValue(value: unknown): DataNode {
  if (Array.isArray(value)) {
    return {
      ...nowhere('array'),
      get items() {
        return Array.from(value, nodeOfValue);
      },
    };
  }
  if (typeof value !== 'object' || value === null) return { ...nowhere('scalar'), value };
  return {
    ...nowhere('object'),
    get members() {
      return Object.entries(value).map(([key, member]) => ({ key, node: nodeOfValue(member) }));
    },
  };
}

function nowhere(kind: DataNode['kind']): Pick<DataNode, 'kind' | 'start' | 'end'> {
  return { kind, start: -1, end: -1 };
}

/**
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

type Yaml = typeof import('yaml');

const mostNodes = 2_000_000;

/**
 * Reads all documents. Aliases are resolved without copies, and at most a fixed number of times.
 */
export async function readYaml(source: string): Promise<DataTree[]> {
  if (nestsTooDeeply(source))
    return [{ error: { message: `it is nested deeper than ${deepestData} levels`, offset: 0 } }];
  const yaml = await import('yaml');
  const shift = source.startsWith('\ufeff') ? 1 : 0;
  try {
    const composer = new yaml.Composer({ uniqueKeys: false, logLevel: 'error' });
    const tokens = untilBroken(new yaml.Parser().parse(source.slice(shift)));
    return [...composer.compose(tokens)].map((document) => treeOf(document, yaml, shift));
  } catch (error) {
    return [
      {
        error: {
          message:
            error instanceof RangeError
              ? 'it is nested too deeply'
              : error instanceof Error
                ? error.message
                : 'it cannot be read',
          offset: 0,
        },
      },
    ];
  }
}

/** Ends at the first mistake: it alone is reported, and errors for all would take most of the time. */
function* untilBroken(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    yield token;
    if (token.type === 'error') return;
  }
}

function treeOf(document: Document.Parsed, yaml: Yaml, shift: number): DataTree {
  const [error] = document.errors;
  if (error !== undefined)
    return { error: { message: error.message.split('\n')[0] ?? '', offset: error.pos[0] + shift } };
  return { root: new YamlReader(document, yaml, shift).node(document.contents, 0) };
}

class YamlReader {
  readonly #document: Document.Parsed;
  readonly #yaml: Yaml;
  readonly #shift: number;
  readonly #known = new Map<YamlNode, DataNode>();
  #nodes = 0;

  constructor(document: Document.Parsed, yaml: Yaml, shift: number) {
    this.#document = document;
    this.#yaml = yaml;
    this.#shift = shift;
  }

  node(given: unknown, depth: number): DataNode {
    const { isAlias, isNode } = this.#yaml;
    this.#nodes += 1;
    if (!isNode(given) || depth > deepestData || this.#nodes > mostNodes) return empty;
    if (isAlias(given)) return this.#named(given.source, depth);
    return this.#known.get(given) ?? this.#make(given, depth);
  }

  #make(given: YamlNode, depth: number): DataNode {
    const { isMap, isSeq, isScalar } = this.#yaml;
    const [start = -1, end = -1] = given.range ?? [];
    // set before its parts are read, so that a node that contains itself ends
    const made: { -readonly [Key in keyof DataNode]: DataNode[Key] } = {
      kind: 'scalar',
      start: start + this.#shift,
      end: end + this.#shift,
    };
    this.#known.set(given, made);
    if (isMap(given)) {
      made.kind = 'object';
      made.members = given.items.map(({ key, value }) => ({
        key: isScalar(key) ? String(key.value) : '',
        node: this.node(value, depth + 1),
      }));
    } else if (isSeq(given)) {
      made.kind = 'array';
      made.items = given.items.map((item) => this.node(item, depth + 1));
    } else if (isScalar(given)) made.value = scalarOf(given.value, given.source);
    return made;
  }

  #anchors: Map<string, YamlNode> | undefined;

  #named(name: string, depth: number): DataNode {
    if (this.#anchors === undefined) {
      const anchors = new Map<string, YamlNode>();
      this.#yaml.visit(this.#document, {
        Value: (_, found) => {
          if (found.anchor !== undefined && found.anchor !== '') anchors.set(found.anchor, found);
        },
      });
      this.#anchors = anchors;
    }
    return this.node(this.#anchors.get(name), depth + 1);
  }
}

/** Numbers keep their spelling, because the ids 1.10 and 1.1 differ. */
function scalarOf(value: unknown, source: string | undefined): unknown {
  return typeof value === 'number' && source !== undefined ? source : value;
}

const empty: DataNode = { kind: 'scalar', value: undefined, start: -1, end: -1 };
