import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileAnswers, fileCassette } from '@/adapters/stores/file/index.js';
import { modelErrors } from '@/blocks/models/errors.js';
import {
  memoryAnswers,
  memoryCassette,
  recordCassette,
  replayCassette,
  withCache,
} from '@/blocks/models/index.js';
import type { LLMProvider, LLMRequest } from '@/core/llm-provider.js';
import { ReviewLoopError } from '@/index.js';
import { hang, scriptedProvider, settle } from '@/testing/index.js';
import { errorWith, expectCode } from '../../../../support/matchers.js';
import { fileFolder } from '../../../../support/temp-folder.js';
import { request } from './support.js';

const folder = fileFolder('answers');

const counting = () =>
  scriptedProvider((_, call) => ({
    text: `answer ${call}`,
    usage: { inputTokens: 3, outputTokens: 2 },
  }));

describe('withCache', () => {
  it('asks once, and gives the rest for nothing', async () => {
    const inner = counting();
    const cached = withCache(inner);
    const [first, second] = [await cached.generate(request()), await cached.generate(request())];
    expect([first.text, second.text, inner.requests.length]).toEqual(['answer 0', 'answer 0', 1]);
    expect(first.usage.inputTokens).toBe(3);
    expect(second.usage).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0, costUsd: 0 });
  });

  it('tells apart everything that an answer depends on', async () => {
    const cache = memoryAnswers();
    const asked = async (more: Partial<LLMRequest>, provider: Partial<LLMProvider> = {}) =>
      (await withCache({ ...inner, ...provider }, { cache }).generate(request(more))).text;
    const inner = counting();
    const texts = [
      await asked({}),
      await asked({ system: 'x' }),
      await asked({ schema: { type: 'object' } }),
      await asked({ temperature: 0 }),
      await asked({ seed: 1 }),
      await asked({ maxOutputTokens: 5 }),
      await asked({ providerOptions: { effort: 'low' } }),
      await asked({}, { id: 'another' }),
      await asked({}, { model: 'another' }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    expect(await asked({ idempotencyKey: 'k', cacheHint: 'prefix' })).toBe(texts[0]);
  });

  it('makes one call of equal questions at the same time', async () => {
    const inner = counting();
    const cached = withCache(inner);
    const texts = await Promise.all(
      [1, 2, 3].map(async () => (await cached.generate(request())).text),
    );
    expect([texts, inner.requests.length]).toEqual([['answer 0', 'answer 0', 'answer 0'], 1]);
  });

  it('ends the shared call when the last of those who wait is gone, not before', async () => {
    const inner = scriptedProvider([hang, 'fine']);
    const cached = withCache(inner);
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [one, two].map((controller) =>
      expectCode(cached.generate(request({ signal: controller.signal })), 'cancelled'),
    );
    await settle();
    one.abort();
    await calls[0];
    expect(inner.requests[0]?.signal.aborted).toBe(false);
    two.abort();
    await calls[1];
    expect(inner.requests[0]?.signal.aborted).toBe(true);
    expect((await cached.generate(request())).text).toBe('fine');
  });

  it('keeps no failure and no half answer', async () => {
    const inner = scriptedProvider([
      new ReviewLoopError(modelErrors.provider_unavailable, 'down'),
      { text: 'ha', finish: 'length' },
      'fine',
      'never',
    ]);
    const cached = withCache(inner);
    await expect(cached.generate(request())).rejects.toThrow();
    expect((await cached.generate(request())).finish).toBe('length');
    expect((await cached.generate(request())).text).toBe('fine');
    expect((await cached.generate(request())).text).toBe('fine');
  });

  it('lives on in a folder, for another process', async () => {
    const directory = join(folder, 'cache');
    const [first, second] = [counting(), counting()];
    await withCache(first, { cache: fileAnswers(directory) }).generate(request());
    expect(
      (await withCache(second, { cache: fileAnswers(directory) }).generate(request())).text,
    ).toBe('answer 0');
    expect(second.requests.length).toBe(0);
    expect(
      readdirSync(directory, { recursive: true }).filter((name) => String(name).endsWith('.tmp')),
    ).toEqual([]);
  });

  it('asks again when a file of the cache is broken, and goes on when it cannot write', async () => {
    const directory = join(folder, 'broken');
    await withCache(counting(), { cache: fileAnswers(directory) }).generate(request());
    const file =
      readdirSync(directory, { recursive: true })
        .map(String)
        .find((name) => name.endsWith('.json')) ?? '';
    writeFileSync(join(directory, file), '{"text": 1');
    const inner = counting();
    await withCache(inner, { cache: fileAnswers(directory) }).generate(request());
    expect(inner.requests.length).toBe(1);
    writeFileSync(join(folder, 'a-file'), '');
    const { warnings, text } = await withCache(counting(), {
      cache: fileAnswers(join(folder, 'a-file')),
    }).generate(request());
    expect([text, warnings]).toEqual(['answer 0', [expect.stringContaining('was not cached')]]);
  });

  it('forgets the oldest answer', async () => {
    const inner = counting();
    const cached = withCache(inner, { cache: memoryAnswers(1) });
    for (const seed of [1, 2, 1]) await cached.generate(request({ seed }));
    expect(inner.requests.length).toBe(3);
  });
});

describe('record and replay', () => {
  const key = ['sk', 'ant', 'a1b2'.repeat(10)].join('-');

  it('give what was recorded, in order, without asking anybody', async () => {
    const path = join(folder, 'tapes/one.jsonl');
    const recorded = recordCassette(
      scriptedProvider(
        [
          'one',
          'two',
          new ReviewLoopError(modelErrors.provider_rate_limited, 'busy', {
            retryable: true,
            value: { retryAfterMs: 9 },
          }),
        ],
        { id: 'spoken' },
      ),
      fileCassette(path),
    );
    await recorded.generate(request());
    await recorded.generate(request());
    await expect(recorded.generate(request({ seed: 1 }))).rejects.toThrow();
    const played = await replayCassette(fileCassette(path));
    expect(played.id).toBe('spoken');
    const texts: string[] = [];
    for (let call = 0; call < 3; call += 1) texts.push((await played.generate(request())).text);
    expect(texts).toEqual(['one', 'two', 'two']);
    await expect(played.generate(request({ seed: 1 }))).rejects.toMatchObject({
      code: 'provider_rate_limited',
      retryable: true,
      value: { retryAfterMs: 9 },
    });
  });

  it('have an error of their own for what was not recorded', async () => {
    const cassette = memoryCassette();
    await recordCassette(scriptedProvider(['one']), cassette).generate(request());
    const missing = { code: 'replay_missing' };
    const played = await replayCassette(cassette);
    await expect(played.generate(request({ seed: 2 }))).rejects.toMatchObject(missing);
    await expect(replayCassette(memoryCassette())).rejects.toMatchObject(missing);
  });

  it('keep no secret in the file', async () => {
    const path = join(folder, 'secret.jsonl');
    const recorded = recordCassette(
      scriptedProvider([
        `the key is ${key}`,
        new ReviewLoopError(modelErrors.provider_unauthorized, `bad key ${key}`),
      ]),
      fileCassette(path),
    );
    await recorded.generate(request({ messages: [{ role: 'user', content: `use ${key}` }] }));
    await expect(recorded.generate(request())).rejects.toThrow();
    expect(readFileSync(path, 'utf8')).not.toContain(key);
  });

  it('refuse a line that is none of a cassette', async () => {
    const path = join(folder, 'bad.jsonl');
    writeFileSync(path, '{"kind":"other"}\n');
    await expect(replayCassette(fileCassette(path))).rejects.toMatchObject(
      errorWith('file_unreadable', 'line 1'),
    );
  });
});
