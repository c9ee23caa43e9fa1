import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { isRecord } from '../../../core/json.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { modelErrors } from '../errors.js';

/** A schema as the service receives it, and a function that restores answers. */
export interface WireSchema {
  readonly schema: JsonSchema;
  /** Removes the nulls that mark omitted optional members. */
  readonly restore: (value: unknown) => unknown;
}

interface Node extends WireSchema {
  readonly schema: JsonSchema;
  /** Returns whether a value may belong to this node, by its type and its constant members. */
  readonly fits: (value: unknown) => boolean;
}

interface Converting {
  readonly target: WireTarget;
  readonly root: JsonSchema;
  /** Converted definitions, by reference; `undefined` while one is being converted. */
  readonly references: Map<string, Node | undefined>;
}

const known = new WeakMap<object, Map<WireTarget, WireSchema>>();

/**
 * Returns the JSON Schema of an answer in the subset of a service. Constraints that the subset
 * lacks are added to the description; the zod schema still checks them. A shape that the subset
 * lacks is an error.
 *
 * @throws ReviewLoopError `schema_unsupported`, with the path to what cannot be expressed
 * @example
 * ```ts
 * const schema = z.object({ answer: z.string().optional() });
 * toWireSchema(schema, 'openai').schema; // answer is required, and may be null
 * ```
 */
export function toWireSchema(schema: z.ZodType, target: WireTarget): WireSchema {
  const cached = known.get(schema)?.get(target);
  if (cached !== undefined) return cached;
  const { $schema: _, ...root }: JsonSchema = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: ({ path, message }) => {
      throw unsupported(
        path.map((key) => (key === 'properties' ? '' : String(key))).filter((key) => key !== ''),
        message,
      );
    },
  });
  const converting: Converting = { target, root, references: new Map() };
  converting.references.set('#', undefined);
  const node = convert(root, [], converting);
  converting.references.set('#', node);
  if (target === 'openai' && node.schema['type'] !== 'object')
    throw unsupported([], 'the root must be an object');
  const definitions = Object.entries(isRecord(root['$defs']) ? root['$defs'] : {}).flatMap(
    ([name]) => {
      const definition = converting.references.get(`#/$defs/${name}`);
      return definition === undefined ? [] : [[name, definition.schema] as const];
    },
  );
  const wire = {
    schema:
      definitions.length > 0
        ? { ...node.schema, $defs: Object.fromEntries(definitions) }
        : node.schema,
    restore: node.restore,
  };
  known.set(schema, (known.get(schema) ?? new Map<WireTarget, WireSchema>()).set(target, wire));
  return wire;
}

function convert(given: JsonSchema, path: readonly string[], converting: Converting): Node {
  if (typeof given['$ref'] === 'string') return reference(given['$ref'], path, converting);
  refuseShapes(given, path, converting.target);
  const variants = given['anyOf'] ?? given['oneOf'];
  if (Array.isArray(variants)) return union(given, variants.filter(isRecord), path, converting);
  if (given['type'] === 'object') return object(given, path, converting);
  if (given['type'] === 'array' && isRecord(given['items']))
    return array(given, given['items'], path, converting);
  return leaf(given, path, converting);
}

function leaf(given: JsonSchema, path: readonly string[], converting: Converting): Node {
  const values = 'const' in given ? [given['const']] : given['enum'];
  const type = given['type'] ?? (Array.isArray(values) ? typeOfValues(values) : undefined);
  if (type === undefined && converting.target !== 'full')
    throw unsupported(path, 'a value of any kind has no type');
  const schema = keepSupported(type === undefined ? given : { ...given, type }, converting.target);
  const constant = Array.isArray(values) ? values : undefined;
  return {
    schema,
    restore: (value) => value,
    fits: (value) =>
      constant === undefined
        ? type === undefined ||
          [type].flat().some((name) => kindOf(value) === (name === 'integer' ? 'number' : name))
        : constant.includes(value),
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function reference(name: string, path: readonly string[], converting: Converting): Node {
  const { references, target, root } = converting;
  const lazily = (): Node | undefined => references.get(name);
  if (!references.has(name)) {
    references.set(name, undefined);
    const definition: unknown = isRecord(root['$defs'])
      ? root['$defs'][name.slice('#/$defs/'.length)]
      : undefined;
    if (!isRecord(definition)) throw unsupported(path, `${name} is not defined`);
    references.set(name, convert(definition, path, converting));
  } else if (target === 'anthropic' && lazily() === undefined)
    throw unsupported(path, 'a schema that contains itself is not in the subset of anthropic');
  return {
    schema: { $ref: name },
    restore: (value) => lazily()?.restore(value) ?? value,
    fits: (value) => lazily()?.fits(value) ?? true,
  };
}

function union(
  given: JsonSchema,
  variants: readonly JsonSchema[],
  path: readonly string[],
  converting: Converting,
): Node {
  const nodes = variants.map((variant, index) =>
    convert(variant, [...path, `(${index})`], converting),
  );
  const { oneOf: _, ...rest } = given;
  return {
    schema: keepSupported({ ...rest, anyOf: nodes.map(({ schema }) => schema) }, converting.target),
    restore: (value) => nodes.find(({ fits }) => fits(value))?.restore(value) ?? value,
    fits: (value) => nodes.some(({ fits }) => fits(value)),
  };
}

function array(
  given: JsonSchema,
  items: JsonSchema,
  path: readonly string[],
  converting: Converting,
): Node {
  const item = convert(items, [...path, '[]'], converting);
  return {
    schema: keepSupported({ ...given, items: item.schema }, converting.target),
    restore: (value) => (Array.isArray(value) ? value.map(item.restore) : value),
    fits: Array.isArray,
  };
}

function object(given: JsonSchema, path: readonly string[], converting: Converting): Node {
  const { target } = converting;
  const required = new Set(Array.isArray(given['required']) ? given['required'] : []);
  const members = Object.entries(isRecord(given['properties']) ? given['properties'] : {}).map(
    ([name, member]) => {
      const node = convert(isRecord(member) ? member : {}, [...path, name], converting);
      const optional = !required.has(name);
      return { name, node, dropsNull: optional && !node.fits(null), optional };
    },
  );
  const properties = Object.fromEntries(
    members.map(({ name, node, dropsNull }) => [
      name,
      dropsNull && target === 'openai' ? nullable(node.schema) : node.schema,
    ]),
  );
  const names = members
    .filter(({ optional }) => target === 'openai' || !optional)
    .map(({ name }) => name);
  const closed = target === 'full' ? {} : { additionalProperties: false };
  const schema = keepSupported(
    { ...given, properties, ...(names.length > 0 && { required: names }), ...closed },
    target,
  );
  const byName = new Map(members.map((member) => [member.name, member]));
  return {
    schema,
    restore: (value) => {
      if (!isRecord(value)) return value;
      const entries = Object.entries(value).filter(
        ([name, member]) => member !== null || byName.get(name)?.dropsNull !== true,
      );
      return Object.fromEntries(
        entries.map(([name, member]) => [name, byName.get(name)?.node.restore(member) ?? member]),
      );
    },
    fits: (value) =>
      isRecord(value) &&
      members.every(({ name, node, optional }) =>
        name in value ? node.fits(value[name]) || (optional && value[name] === null) : optional,
      ),
  };
}

export type WireTarget = LLMProvider['capabilities']['schemaSubset'];

function unsupported(path: readonly string[], what: string): ReviewLoopError {
  return new ReviewLoopError(
    modelErrors.schema_unsupported,
    `the schema cannot be sent: ${what} (at ${memberPath(path)})`,
    { value: path },
  );
}

export function refuseShapes(given: JsonSchema, path: readonly string[], target: WireTarget): void {
  if (target === 'full') return;
  const shapes: Readonly<Record<string, string>> = {
    propertyNames: 'a record',
    patternProperties: 'a record',
    prefixItems: 'a tuple',
    allOf: 'an intersection',
    not: 'a negation',
    if: 'a condition',
  };
  for (const [keyword, what] of Object.entries(shapes))
    if (keyword in given) throw unsupported(path, `${what} is not in the subset of ${target}`);
  if (
    given['type'] === 'object' &&
    given['additionalProperties'] !== undefined &&
    given['additionalProperties'] !== false
  ) {
    throw unsupported(path, `an object with members of any name is not in the subset of ${target}`);
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const formats = words('date-time time date duration email hostname ipv4 ipv6 uuid');

const structural = words(
  'type enum const description items properties required additionalProperties anyOf format',
);

const bounds = words(
  'pattern multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems',
);

/** Keywords that do not constrain the value. */
const remarks = words('$defs $id id $comment title readOnly writeOnly deprecated');

/**
 * Returns the schema with the keywords that the subset supports; the description lists the other
 * constraints.
 */
export function keepSupported(given: JsonSchema, target: WireTarget): JsonSchema {
  if (target === 'full')
    return Object.fromEntries(Object.entries(given).filter(([keyword]) => keyword !== '$defs'));
  const kept: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(given)) {
    if (
      remarks.has(keyword) ||
      (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER && keyword !== 'const')
    )
      continue;
    if (isKept(keyword, value, given, target)) kept[keyword] = value;
    else if (keyword !== 'pattern' || given['format'] === undefined)
      told.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  if (told.length > 0)
    kept['description'] = [given['description'], `(${told.join(', ')})`]
      .filter((part) => part !== undefined)
      .join(' ');
  return kept;
}

function isKept(keyword: string, value: unknown, given: JsonSchema, target: WireTarget): boolean {
  if (keyword === 'format') return formats.has(String(value));
  if (structural.has(keyword)) return true;
  if (target === 'anthropic') return keyword === 'minItems' && Number(value) <= 1;
  return bounds.has(keyword) && !(keyword === 'pattern' && given['format'] !== undefined);
}

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function nullable(schema: JsonSchema): JsonSchema {
  const { type, description } = schema;
  if (type !== undefined && !('enum' in schema) && !('const' in schema))
    return { ...schema, type: [...new Set([type, 'null'].flat())] };
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) };
}

export function typeOfValues(values: readonly unknown[]): string | readonly string[] {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.length === 1 ? (types[0] ?? 'string') : types;
}

/** Such as `$.gaps[].severity`. */
export function memberPath(path: readonly string[]): string {
  return `$${path.map((key) => (key === '[]' || key.startsWith('(') ? key : `.${key}`)).join('')}`;
}
