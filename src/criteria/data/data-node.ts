/** A part of JSON or YAML data with its place in the source text. */
export interface DataNode {
  readonly kind: 'object' | 'array' | 'scalar';
  /** The value of a scalar. */
  readonly value?: unknown;
  readonly items?: readonly DataNode[] | undefined;
  readonly members?: readonly DataMember[] | undefined;
  /** Offsets in the text; -1 without a text. */
  readonly start: number;
  readonly end: number;
}

/** A member of an object. */
export interface DataMember {
  readonly key: string;
  readonly node: DataNode;
}

/** The reason and the place of a syntax error. */
export interface DataError {
  readonly message: string;
  readonly offset: number;
}

/** The data of a text, or its syntax error. */
export type DataTree = { readonly root: DataNode } | { readonly error: DataError };

/** Returns the member of an object. The last member with that name counts. */
export function memberOf(node: DataNode | undefined, key: string): DataNode | undefined {
  return node?.members?.filter((member) => member.key === key).at(-1)?.node;
}

/** Returns the items of an array, or an empty list for any other node. */
export function itemsOf(node: DataNode | undefined): readonly DataNode[] {
  return node?.items ?? [];
}

/** Returns the text of a string or a number, or '' for any other node. */
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
