import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type JsonSchema,
  keepSupported,
  memberPath,
  nullable,
  refuseShapes,
  typeOfValues,
  type WireTarget,
} from '@/blocks/models/answer/wire-schema.js';
import { toWireSchema } from '@/blocks/models/index.js';
import { isRecord } from '@/core/json.js';
import { errorWith, words } from '../../../../support/matchers.js';

const targets: readonly WireTarget[] = ['openai', 'anthropic', 'full'];

describe('shapes that a subset lacks', () => {
  it.each([
    { propertyNames: {} },
    { patternProperties: {} },
    { prefixItems: [] },
    { allOf: [] },
    { not: {} },
    { if: {} },
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: {} },
  ])('%j is refused with its place, and sent where all is read', (given: JsonSchema) => {
    for (const target of ['openai', 'anthropic'] as const)
      expect(() => refuseShapes(given, ['a', '[]'], target)).toThrow(
        expect.objectContaining({
          code: 'schema_unsupported',
          value: ['a', '[]'],
          message: expect.stringContaining('$.a[]'),
        }),
      );
    expect(() => refuseShapes(given, [], 'full')).not.toThrow();
  });

  it.each([
    { type: 'object', additionalProperties: false },
    { type: 'object' },
    { type: 'string', additionalProperties: true },
  ])('%j is taken', (given: JsonSchema) => {
    for (const target of targets) expect(() => refuseShapes(given, [], target)).not.toThrow();
  });
});

describe('keywords that a subset has', () => {
  const both = words('type enum const items properties required additionalProperties anyOf');
  const openai = words(
    'pattern multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems',
  );
  const remarks = words('$defs $id id $comment title readOnly writeOnly deprecated');
  const formats = words('date-time time date duration email hostname ipv4 ipv6 uuid');

  it.each(both)('%s is kept', (keyword) => {
    for (const target of targets)
      expect(keepSupported({ [keyword]: 2 }, target)).toEqual({ [keyword]: 2 });
  });

  it.each(openai)('%s is kept for openai, and told to anthropic', (keyword) => {
    expect(keepSupported({ [keyword]: 2 }, 'openai')).toEqual({ [keyword]: 2 });
    expect(keepSupported({ [keyword]: 2 }, 'anthropic')).toEqual({
      description: `(${keyword}: 2)`,
    });
  });

  it.each(remarks)('%s says nothing about the value', (keyword) => {
    for (const target of ['openai', 'anthropic'] as const)
      expect(keepSupported({ [keyword]: 'x' }, target)).toEqual({});
  });

  it.each(formats)('the format %s is kept, another one is told', (format) => {
    for (const target of ['openai', 'anthropic'] as const) {
      expect(keepSupported({ format }, target)).toEqual({ format });
      expect(keepSupported({ format: 'uri' }, target)).toEqual({ description: '(format: "uri")' });
    }
  });

  it('all that a service reads is kept, but for definitions, which stand at the root', () => {
    expect(keepSupported({ $defs: {}, title: 't', minLength: 3 }, 'full')).toEqual({
      title: 't',
      minLength: 3,
    });
  });

  it('what is told stands behind the description', () => {
    const given = { type: 'string', description: 'a name', minLength: 3, maxLength: 5 };
    expect(keepSupported(given, 'openai')).toEqual({
      type: 'string',
      description: 'a name (minLength: 3, maxLength: 5)',
    });
    expect(keepSupported({ type: 'string', description: 'a name' }, 'openai')).toEqual({
      type: 'string',
      description: 'a name',
    });
  });

  it('a bound that every number meets is left out, a constant is not', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(keepSupported({ minimum: -most, maximum: most }, 'openai')).toEqual({});
    expect(keepSupported({ const: most }, 'openai')).toEqual({ const: most });
  });

  it('a pattern beside a format is the same twice', () => {
    expect(keepSupported({ format: 'date', pattern: 'p' }, 'openai')).toEqual({ format: 'date' });
    expect(keepSupported({ format: 'date', pattern: 'p' }, 'anthropic')).toEqual({
      format: 'date',
    });
    expect(keepSupported({ format: 'date', minLength: 2 }, 'openai')).toEqual({
      format: 'date',
      description: '(minLength: 2)',
    });
  });

  it('anthropic takes a list that needs one element, and is told of more', () => {
    expect(keepSupported({ minItems: 0 }, 'anthropic')).toEqual({ minItems: 0 });
    expect(keepSupported({ minItems: 1 }, 'anthropic')).toEqual({ minItems: 1 });
    expect(keepSupported({ maxItems: 1 }, 'anthropic')).toEqual({ description: '(maxItems: 1)' });
  });
});

describe('parts of schemas', () => {
  it('a record is an object, and neither null nor a list', () => {
    expect([{}, null, [], 'a', undefined].map(isRecord)).toEqual([true, ...Array(4).fill(false)]);
  });

  it('a constant may be null beside it, and only a description that exists is kept', () => {
    expect(nullable({ type: 'string', const: 'a' })).toEqual({
      anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }],
    });
    expect(Object.keys(nullable({ enum: ['a'] }))).toEqual(['anyOf']);
  });

  it('one type is named alone, none and several as a list', () => {
    expect(typeOfValues([])).toEqual([]);
    expect(typeOfValues([1, 2])).toBe('number');
  });

  it.each([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      { enum: ['a'], type: 'string', description: 'd' },
      {
        anyOf: [{ enum: ['a'], type: 'string', description: 'd' }, { type: 'null' }],
        description: 'd',
      },
    ],
    [{ $ref: '#/x' }, { anyOf: [{ $ref: '#/x' }, { type: 'null' }] }],
  ])('%j may be null', (schema, expected) => {
    expect(nullable(schema)).toEqual(expected);
  });

  it('names the types of values, and a place as people write it', () => {
    expect([typeOfValues(['a', 'b']), typeOfValues(['a', null])]).toEqual([
      'string',
      ['string', 'null'],
    ]);
    expect(memberPath(['gaps', '[]', '(1)', 'severity'])).toBe('$.gaps[](1).severity');
  });
});

describe('a wire schema', () => {
  const at = (schema: z.ZodType, target: WireTarget, ...path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (part, key) => (part as Readonly<Record<string, unknown>>)[key],
      toWireSchema(schema, target).schema,
    );
  interface Tree {
    readonly name?: string | undefined;
    readonly parts: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({
    name: z.string().optional(),
    get parts() {
      return z.array(tree);
    },
  });

  it('is built once for each service', () => {
    const schema = z.object({ a: z.string() });
    expect(toWireSchema(schema, 'openai')).toBe(toWireSchema(schema, 'openai'));
    expect(toWireSchema(schema, 'anthropic')).not.toBe(toWireSchema(schema, 'openai'));
  });

  it('has the definitions that it refers to, closed as the rest, and none without', () => {
    const holder = z.object({ tree });
    const [name = ''] = Object.keys(at(holder, 'openai', '$defs') as object);
    expect(at(holder, 'openai', 'properties', 'tree')).toEqual({ $ref: `#/$defs/${name}` });
    expect(at(holder, 'openai', '$defs', name)).toMatchObject({
      additionalProperties: false,
      required: ['name', 'parts'],
      properties: { name: { type: ['string', 'null'] } },
    });
    expect(Object.keys(toWireSchema(z.object({ a: z.string() }), 'openai').schema)).not.toContain(
      '$defs',
    );
  });

  it('restores what lies below a reference, and takes what no definition has as it is', () => {
    const { restore } = toWireSchema(z.object({ tree }), 'openai');
    expect(restore({ tree: { name: null, parts: [{ name: null, parts: [] }] } })).toEqual({
      tree: { parts: [{ parts: [] }] },
    });
    const optional = toWireSchema(z.object({ tree: tree.optional() }), 'openai');
    expect(optional.restore({ tree: null })).toEqual({});
  });

  it('names the place of a variant that cannot be sent', () => {
    const schema = z.object({
      any: z.union([z.string(), z.object({ deep: z.record(z.string(), z.string()) })]),
    });
    expect(() => toWireSchema(schema, 'openai')).toThrow('$.any(1).deep');
  });

  it('has all variants of a choice, and restores by the one that fits', () => {
    const choice = z.union([
      z.object({ kind: z.literal('a'), x: z.string().optional() }),
      z.object({ kind: z.literal('b'), x: z.string().nullable() }),
      z.array(z.object({ y: z.string().optional() })),
      z.int(),
    ]);
    const { schema, restore } = toWireSchema(z.object({ choice }), 'openai');
    expect((schema['properties'] as { choice: { anyOf: unknown[] } }).choice.anyOf).toMatchObject([
      { type: 'object' },
      { type: 'object' },
      { type: 'array' },
      { type: 'integer' },
    ]);
    const back = (value: unknown) => (restore({ choice: value }) as { choice: unknown }).choice;
    expect(back({ kind: 'a', x: null })).toEqual({ kind: 'a' });
    expect(back({ kind: 'b', x: null })).toEqual({ kind: 'b', x: null });
    expect(back([{ y: null }])).toEqual([{}]);
    expect(back(3)).toBe(3);
    expect(back({ kind: 'c', x: null })).toEqual({ kind: 'c', x: null });
  });

  it('tells variants apart by the members that they need, and by their types', () => {
    const choice = z.union([
      z.object({ a: z.string(), x: z.string().optional() }),
      z.object({ b: z.number(), x: z.string().nullable() }),
    ]);
    const { restore } = toWireSchema(z.object({ choice }), 'openai');
    expect(restore({ choice: { b: 1, x: null } })).toEqual({ choice: { b: 1, x: null } });
    expect(restore({ choice: { a: 'a', x: null } })).toEqual({ choice: { a: 'a' } });
    const typed = z.union([
      z.object({ v: z.string(), x: z.string().nullable() }),
      z.object({ v: z.array(z.string()), x: z.string().optional() }),
      z.object({ v: z.null(), x: z.string().optional() }),
      z.object({ v: z.int(), x: z.string().optional() }),
    ]);
    const by = toWireSchema(z.object({ typed }), 'openai');
    for (const v of [[], null, 1])
      expect(by.restore({ typed: { v, x: null } }), String(v)).toEqual({ typed: { v } });
    expect(by.restore({ typed: { v: 'a', x: null } })).toEqual({ typed: { v: 'a', x: null } });
  });

  it('tells variants apart by choices and references within them', () => {
    const optional = { x: z.string().optional() };
    const kept = { x: z.string().nullable() };
    const schema = z.object({
      choice: z.union([
        z.object({ c: z.union([z.boolean(), z.null()]), ...kept }),
        z.object({ c: z.union([z.string(), z.number()]), ...optional }),
      ]),
      trees: z.union([z.string(), tree]),
    });
    const { restore } = toWireSchema(schema, 'openai');
    const back = (c: unknown) => restore({ choice: { c, x: null }, trees: 't' });
    for (const c of ['a', 1]) expect(back(c)).toEqual({ choice: { c }, trees: 't' });
    for (const c of [true, null]) expect(back(c)).toEqual({ choice: { c, x: null }, trees: 't' });
    expect(restore({ choice: 7, trees: { name: null, parts: [] } })).toEqual({
      choice: 7,
      trees: { parts: [] },
    });
  });

  it('a member that may be null keeps its null, one that may be missing loses it', () => {
    const schema = z.object({
      both: z.string().nullish(),
      either: z.union([z.string(), z.null()]).optional(),
      missing: z.union([z.string(), z.number()]).optional(),
    });
    const none = { both: null, either: null, extra: null };
    for (const target of targets)
      expect(toWireSchema(schema, target).restore({ ...none, missing: null })).toEqual(none);
  });

  it('is open where all is read, closed elsewhere, and requires what is required', () => {
    const schema = z.object({ a: z.string(), b: z.string().optional() });
    expect(at(schema, 'full')).not.toHaveProperty('additionalProperties');
    expect(at(schema, 'anthropic')).toMatchObject({ additionalProperties: false, required: ['a'] });
    expect(at(schema, 'openai', 'required')).toEqual(['a', 'b']);
    expect(at(schema, 'anthropic', 'properties', 'b')).toEqual({ type: 'string' });
    expect(at(z.object({}), 'openai')).not.toHaveProperty('required');
    expect(at(z.object({ b: z.string().optional() }), 'anthropic')).not.toHaveProperty('required');
  });

  it('gives values without a type the type that they have', () => {
    expect(at(z.object({ a: z.literal(['x', 'y']) }), 'openai', 'properties', 'a')).toMatchObject({
      type: 'string',
      enum: ['x', 'y'],
    });
    expect(at(z.object({ a: z.literal([1, 'y']) }), 'openai', 'properties', 'a')).toMatchObject({
      type: ['number', 'string'],
    });
    expect(at(z.object({ a: z.literal('x') }), 'full', 'properties', 'a')).toMatchObject({
      const: 'x',
    });
    expect(at(z.object({ a: z.any() }), 'full', 'properties', 'a')).toEqual({});
  });
});

const Finding = z.object({
  text: z.string().min(3).optional(),
  line: z.int().default(1),
  kind: z.enum(['a', 'b']).optional(),
  note: z.string().nullish(),
  nested: z.array(z.object({ mark: z.literal('x'), more: z.string().optional() })).max(4),
  one: z.discriminatedUnion('t', [
    z.object({ t: z.literal('p'), v: z.string().optional() }),
    z.object({ t: z.literal('q'), w: z.number() }),
  ]),
  at: z.iso.datetime(),
});

/** Every object of a JSON Schema. */
function objectsOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap((part) =>
    Array.isArray(part) ? part.flatMap(objectsOf) : objectsOf(part),
  );
  return (schema as { type?: unknown }).type === 'object'
    ? [schema as Record<string, unknown>, ...inner]
    : inner;
}

describe('toWireSchema', () => {
  it('for openai closes every object and requires every member, so that optional ones may be null', () => {
    const { schema } = toWireSchema(Finding, 'openai');
    for (const object of objectsOf(schema)) {
      expect(object['additionalProperties']).toBe(false);
      expect(object['required']).toEqual(Object.keys(object['properties'] as object));
    }
    expect(schema).toMatchObject({
      properties: {
        text: { type: ['string', 'null'], description: '(minLength: 3)' },
        line: { type: ['integer', 'null'], description: '(default: 1)' },
        at: { format: 'date-time' },
      },
    });
    expect(JSON.stringify(schema)).not.toMatch(/oneOf|pattern|9007199254740991/);
  });

  it('for anthropic closes every object, keeps members optional, and tells bounds in the description', () => {
    const { schema } = toWireSchema(Finding, 'anthropic');
    expect(schema['required']).toEqual(['nested', 'one', 'at']);
    expect(schema).toMatchObject({
      properties: {
        nested: { description: '(maxItems: 4)' },
        text: { description: '(minLength: 3)' },
      },
    });
    expect(JSON.stringify(schema)).not.toMatch(/"maxItems"|"minLength"|oneOf/);
  });

  it('for full keeps the schema', () => {
    expect(
      toWireSchema(
        z.object({ a: z.string().min(3).optional(), b: z.record(z.string(), z.unknown()) }),
        'full',
      ).schema,
    ).toMatchObject({
      properties: { a: { minLength: 3 }, b: { additionalProperties: {} } },
      required: ['b'],
    });
  });

  it.each(targets)(
    'for %s has a way back: null where a member was left out, at any depth',
    (target) => {
      const wire = {
        text: null,
        line: null,
        kind: null,
        note: null,
        nested: [{ mark: 'x', more: null }],
        one: { t: 'p', v: null },
        at: '2026-01-01T00:00:00Z',
      };
      const { restore } = toWireSchema(Finding, target);
      expect(Finding.parse(restore(wire))).toEqual({
        line: 1,
        note: null,
        nested: [{ mark: 'x' }],
        one: { t: 'p' },
        at: '2026-01-01T00:00:00Z',
      });
      expect(restore('no object')).toBe('no object');
    },
  );

  it('takes what a transform takes, not what it gives', () => {
    expect(
      toWireSchema(z.object({ n: z.string().transform(Number) }), 'openai').schema,
    ).toMatchObject({ properties: { n: { type: 'string' } } });
  });

  const subsets = ['openai', 'anthropic'] as const;
  const unsupported: readonly [string, z.ZodType, readonly WireTarget[], string][] = [
    [
      'a record',
      z.object({ gaps: z.array(z.object({ map: z.record(z.string(), z.number()) })) }),
      subsets,
      '$.gaps[].map',
    ],
    ['a tuple', z.object({ pair: z.tuple([z.string(), z.number()]) }), subsets, '$.pair'],
    ['a value of any kind', z.object({ data: z.unknown() }), subsets, '$.data'],
    [
      'members of any name',
      z.object({ open: z.looseObject({ a: z.string() }) }),
      subsets,
      '$.open',
    ],
    ['members of any name', z.looseObject({ a: z.string() }), subsets, '$'],
    ['a date', z.object({ when: z.date().optional() }), targets, '$.when'],
    ['a map', z.object({ map: z.map(z.string(), z.string()) }), targets, '$.map'],
    ['a list at the root', z.array(z.string()), ['openai'], '$'],
    [
      'a union at the root',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      ['openai'],
      '$',
    ],
  ];
  it.each(unsupported)('refuses %s, and says where', (_, schema, refusing, path) => {
    for (const target of targets) {
      if (refusing.includes(target))
        expect(() => toWireSchema(schema, target)).toThrow(
          expect.objectContaining(errorWith('schema_unsupported', `(at ${path})`)),
        );
      else expect(toWireSchema(schema, target).schema).toBeDefined();
    }
  });

  it('takes a schema that contains itself where the service does', () => {
    interface Tree {
      name?: string | undefined;
      children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.object({
      name: z.string().optional(),
      children: z.array(z.lazy(() => tree)),
    });
    const { schema, restore } = toWireSchema(tree, 'openai');
    expect(JSON.stringify(schema)).toContain('"$ref":"#"');
    expect(restore({ name: null, children: [{ name: null, children: [] }] })).toEqual({
      children: [{ children: [] }],
    });
    expect(() => toWireSchema(tree, 'anthropic')).toThrow('contains itself');
    expect(restore(7)).toBe(7);
  });
  it('a list is an answer for some, and OpenAI needs an object around it', () => {
    expect(() => toWireSchema(z.array(z.string()), 'openai')).toThrow('the root must be an object');
    expect(toWireSchema(z.array(z.string()), 'anthropic').schema).toMatchObject({ type: 'array' });
  });
});
