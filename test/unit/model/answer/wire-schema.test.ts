import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toWireSchema, type WireTarget } from '../../../../src/model/index.js';

const targets: readonly WireTarget[] = ['openai', 'anthropic', 'full'];

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

  const unsupported: readonly [string, z.ZodType, readonly WireTarget[], string][] = [
    [
      'a record',
      z.object({ gaps: z.array(z.object({ map: z.record(z.string(), z.number()) })) }),
      ['openai', 'anthropic'],
      '$.gaps[].map',
    ],
    [
      'a tuple',
      z.object({ pair: z.tuple([z.string(), z.number()]) }),
      ['openai', 'anthropic'],
      '$.pair',
    ],
    ['a value of any kind', z.object({ data: z.unknown() }), ['openai', 'anthropic'], '$.data'],
    [
      'members of any name',
      z.object({ open: z.looseObject({ a: z.string() }) }),
      ['openai', 'anthropic'],
      '$.open',
    ],
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
          expect.objectContaining({
            code: 'schema_unsupported',
            message: expect.stringContaining(`(at ${path})`) as string,
          }),
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
  });
});
