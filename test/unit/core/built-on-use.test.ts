import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { builtOnUse } from '@/core/built-on-use.js';

const make = () => z.object({ name: z.string(), size: z.int().min(1).optional() }).strict();

/** The schema, and how often it was built. */
function counted() {
  let built = 0;
  const schema = builtOnUse(() => {
    built += 1;
    return make();
  });
  return { schema, times: () => built };
}

describe('a schema that is built on use', () => {
  it('is built once, and not before it is used', () => {
    const { schema, times } = counted();
    const list = [schema];
    expect(times()).toBe(0);
    expect(list[0]?.parse({ name: 'a' })).toEqual({ name: 'a' });
    expect(z.safeParse(schema, { name: 'a', size: 0 }).success).toBe(false);
    expect(times()).toBe(1);
  });

  it('is a schema by every test there is for one', () => {
    const { schema } = counted();
    expect(schema).toBeInstanceOf(z.ZodObject);
    expect(schema instanceof z.ZodType && schema instanceof z.ZodString).toBe(false);
    expect(Object.getPrototypeOf(schema)).toBe(Object.getPrototypeOf(make()));
    expect('safeParse' in schema && '_zod' in schema).toBe(true);
    expect(Object.keys(schema).sort()).toEqual(Object.keys(make()).sort());
    expect(schema['~standard'].vendor).toBe('zod');
    expect(schema.parse).toBe(schema.parse);
  });

  it('can be read, extended, nested and written as JSON Schema like one', () => {
    const { schema } = counted();
    const plain = make();
    expect(schema.shape.name.parse('a')).toBe('a');
    expect(schema.extend({ more: z.boolean() }).parse({ name: 'a', more: true })).toEqual({
      name: 'a',
      more: true,
    });
    for (const of of [
      (inner: typeof plain) => z.array(inner),
      (inner: typeof plain) => inner.optional(),
      (inner: typeof plain) => z.union([z.string(), inner]),
      (inner: typeof plain) => z.object({ inner }),
    ]) {
      const [one, other] = [of(schema), of(plain)];
      expect(z.toJSONSchema(one)).toEqual(z.toJSONSchema(other));
      for (const value of [
        [{ name: 'a' }],
        undefined,
        'text',
        { inner: { name: 'b', size: 2 } },
        { inner: { size: 0 } },
      ])
        expect(one.safeParse(value).success).toBe(other.safeParse(value).success);
    }
  });

  it('says where data is wrong', () => {
    const { schema } = counted();
    const { error } = z.safeParse(z.object({ list: z.array(schema) }), { list: [{ name: 1 }] });
    expect(error?.issues).toMatchObject([{ path: ['list', 0, 'name'], code: 'invalid_type' }]);
  });

  it('takes members, and gives them up', () => {
    const { schema } = counted();
    Object.assign(schema, { own: 1 });
    Object.defineProperty(schema, 'other', { value: 2, configurable: true });
    expect([Reflect.get(schema, 'own'), Reflect.get(schema, 'other')]).toEqual([1, 2]);
    expect(Object.getOwnPropertyDescriptor(schema, 'other')).toMatchObject({
      value: 2,
      writable: false,
    });
    expect(Object.getOwnPropertyDescriptor(schema, 'nothing')).toBeUndefined();
    expect(Object.getOwnPropertyDescriptor(schema, '_zod')).toMatchObject({ enumerable: false });
    Reflect.deleteProperty(schema, 'own');
    expect('own' in schema).toBe(false);
  });

  it('throws what building it throws, each time', () => {
    const broken = builtOnUse((): z.ZodString => {
      throw new Error('cannot be built');
    });
    for (let time = 0; time < 2; time += 1)
      expect(() => broken.parse('a')).toThrow('cannot be built');
  });
});
