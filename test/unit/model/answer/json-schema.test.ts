import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { memberPath, nullable, typeOfValues } from '../../../../src/model/answer/json-schema.js';
import { toWireSchema } from '../../../../src/model/answer/wire-schema.js';

describe('parts of schemas', () => {
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

describe('toWireSchema', () => {
  it.each([
    ['a tuple', z.object({ a: z.tuple([z.string(), z.number()]) })],
    ['a record', z.object({ a: z.record(z.string(), z.string()) })],
    ['members of any name', z.looseObject({ a: z.string() })],
    ['a value of any kind', z.object({ a: z.unknown() })],
  ])('refuses %s where the subset has no word for it, and says where', (_, schema) => {
    for (const target of ['openai', 'anthropic'] as const) {
      expect(() => toWireSchema(schema, target)).toThrow(
        expect.objectContaining({
          code: 'schema_unsupported',
          message: expect.stringMatching(/at \$/) as unknown,
        }) as Error,
      );
    }
    expect(toWireSchema(schema, 'full').schema).toMatchObject({ type: 'object' });
  });

  it('a list is an answer for some, and OpenAI needs an object around it', () => {
    expect(() => toWireSchema(z.array(z.string()), 'openai')).toThrow('the root must be an object');
    expect(toWireSchema(z.array(z.string()), 'anthropic').schema).toMatchObject({ type: 'array' });
  });

  it('a schema that holds itself goes to those who can read it', () => {
    interface Tree {
      readonly name: string;
      readonly parts: readonly Tree[];
    }
    const tree: z.ZodType<Tree> = z.object({
      name: z.string(),
      get parts() {
        return z.array(tree);
      },
    });
    const holder = z.object({
      tree,
      choice: z.union([z.literal('a'), z.object({ n: z.int() }), z.null()]),
    });
    expect(() => toWireSchema(holder, 'anthropic')).toThrow('contains itself');
    const { schema, restore } = toWireSchema(holder, 'openai');
    expect(JSON.stringify(schema)).toContain('$ref');
    const value = { tree: { name: 'x', parts: [{ name: 'y', parts: [] }] }, choice: { n: 1 } };
    expect(restore(value)).toEqual(value);
    expect(restore({ tree: 7, choice: 'b' })).toEqual({ tree: 7, choice: 'b' });
  });
});
