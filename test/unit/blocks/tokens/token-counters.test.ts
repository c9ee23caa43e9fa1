import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { estimatedTokens } from '@/blocks/models/index.js';
import { gptTokens } from '@/blocks/tokens/gpt/gpt-tokens.js';

const { countTokens } = createRequire(import.meta.url)('gpt-tokenizer/cjs/encoding/o200k_base') as {
  countTokens: (text: string) => number;
};

const prose =
  'The quick brown fox jumps over the lazy dog, and nobody knows why it would do that. '.repeat(20);
const code = 'export function add(a: number, b: number): number {\n  return a + b;\n}\n'.repeat(20);
const base64 = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256),
).toString('base64');

describe('estimatedTokens', () => {
  it.each([
    ['prose', prose],
    ['code', code],
    [
      'JSON',
      JSON.stringify(
        Array.from({ length: 50 }, (_, id) => ({ id, name: `name ${id}`, done: false })),
      ),
    ],
    ['base64', base64],
  ])('counts %s on the safe side, and not far from it', async (_, text) => {
    const exact = countTokens(text);
    const estimate = await estimatedTokens.count(text);
    expect(estimate).toBeGreaterThanOrEqual(exact * 0.97);
    expect(estimate).toBeLessThan(exact * 1.45);
  });

  it('takes any text', async () => {
    expect(await estimatedTokens.count('')).toBe(0);
    for (const text of ['<|endoftext|>', '\u0000\uD800', 'a'.repeat(100_000), ' '.repeat(100_000)])
      expect(await estimatedTokens.count(text)).toBeGreaterThan(0);
  });
});

describe('gptTokens', () => {
  it('counts exactly', async () => {
    for (const text of [prose, code, 'Grüße aus 東京'])
      expect(await gptTokens().count(text)).toBe(countTokens(text));
    expect(await gptTokens({ encoding: 'cl100k_base' }).count('東京 tower')).toBeGreaterThan(0);
  });

  it('counts what looks like a special token as text', async () => {
    expect(await gptTokens().count('stop <|endoftext|> here')).toBeGreaterThan(5);
  });

  it('counts long runs in pieces, close to what they are', async () => {
    const run = 'a'.repeat(1500);
    const exact = countTokens(run);
    const counted = await gptTokens().count(run);
    expect(counted).toBeGreaterThanOrEqual(exact);
    expect(counted).toBeLessThan(exact * 1.1);
    expect(await gptTokens().count('a'.repeat(200_000))).toBeGreaterThan(20_000);
  });

  it('refuses other dictionaries', () => {
    expect(() => gptTokens({ encoding: 'gpt2' } as never)).toThrow('expected `encoding`');
  });
});
