import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ReviewLoopError } from '../../../../src/core/errors.js';
import { AnswerReader } from '../../../../src/model/answer/answer-reader.js';
import { callModel } from '../../../../src/model/answer/call-model.js';
import { reaskText } from '../../../../src/model/answer/reask-prompt.js';
import { ensureWhole, isDegenerate } from '../../../../src/model/answer/whole-answer.js';
import { readFences } from '../../../../src/model/prompt/fence.js';
import { hang, scriptedProvider } from '../../../../src/testing/index.js';

const faultOf = (work: () => unknown) => {
  try {
    return void work();
  } catch (error) {
    return error;
  }
};

describe('ensureWhole', () => {
  it.each([
    ['length', 'answer_truncated', false],
    ['content-filter', 'answer_filtered', false],
    ['error', 'provider_malformed', true],
    ['tool-calls', 'answer_unreadable', true],
  ])('an answer that ended with %s is %s', (finish, code, retryable) => {
    expect(faultOf(() => ensureWhole(finish, 'raw'))).toMatchObject({
      code,
      retryable,
      value: 'raw',
    });
  });

  it('an endless repetition is an error, and other answers are none', () => {
    const raw = 'no '.repeat(1000);
    expect(faultOf(() => ensureWhole('stop', raw))).toMatchObject({
      code: 'answer_degenerate',
      retryable: true,
      value: raw,
    });
    expect(faultOf(() => ensureWhole('stop', '{"a":1}'))).toBeUndefined();
  });
});

describe('isDegenerate', () => {
  const words = (from: number) =>
    Array.from({ length: 400 }, (_, index) => `word${from + index}`).join(' ');

  it('finds a piece of up to 128 characters, repeated for 1024', () => {
    const piece = words(0).slice(0, 128);
    expect(isDegenerate(piece.repeat(8))).toBe(true);
    expect(isDegenerate('a'.repeat(1024))).toBe(true);
    expect(isDegenerate('a'.repeat(1023))).toBe(false);
    const longer = words(0).slice(0, 129);
    expect(isDegenerate(longer.repeat(16))).toBe(false);
  });

  it('finds it also behind other text, and not where it ends too early', () => {
    expect(isDegenerate(words(0).slice(0, 1024) + 'ab'.repeat(512))).toBe(true);
    expect(isDegenerate(`${'ab'.repeat(500)}${words(0)}`)).toBe(false);
    expect(isDegenerate(words(0) + words(1000))).toBe(false);
  });
});

describe('AnswerReader', () => {
  const schema = z.object({
    list: z.array(z.object({ n: z.number() })),
    text: z.string().optional(),
  });
  const reader = () => new AnswerReader(schema, (value) => ({ value }));
  const problemOf = (given: unknown) =>
    reader()
      .read(given, 'raw')
      .then(
        () => '',
        ({ message }: Error) => message,
      );

  it('names each wrong member by its path, and the whole without one', async () => {
    expect(await problemOf({ list: [{ n: 1 }, { n: 'x' }], text: 7 })).toMatch(
      /schema: list\[1\]\.n: [^;]+; text: /,
    );
    expect(await problemOf(7)).toMatch(/schema: (?!:)\w/);
  });

  it('shows five problems, and how many more there are', async () => {
    const wrong = (count: number) => ({ list: Array.from({ length: count }, () => ({ n: 'x' })) });
    expect(await problemOf(wrong(5))).toMatch(/list\[4\]\.n: [^;]+$/);
    expect(await problemOf(wrong(5))).not.toMatch(/and -?\d+ more/);
    expect(await problemOf(wrong(7))).toMatch(/list\[4\]\.n: [^;]+; and 2 more/);
  });

  it('keeps what the schema found as the cause, and the answer as the value', async () => {
    await expect(reader().read(7, 'raw')).rejects.toMatchObject({
      code: 'answer_mismatch',
      retryable: true,
      value: 'raw',
      cause: expect.any(z.ZodError),
    });
    const refusing = new AnswerReader(schema, () => ({ problem: 'not this one' }));
    const error: unknown = await refusing.read({ list: [] }, 'raw').catch((reason) => reason);
    expect(error).toMatchObject({ code: 'answer_mismatch', retryable: true, value: 'raw' });
    expect(Object.keys(error as object)).not.toContain('cause');
    expect((error as Error).message).toContain('not this one');
  });

  it('reads another answer than its last one again', async () => {
    const values: unknown[] = [];
    const counting = new AnswerReader(schema, (value) => {
      values.push(value);
      return { value };
    });
    await counting.read({ list: [] }, 'one');
    expect(await counting.valueOf({ list: [] }, 'one')).toEqual({ list: [] });
    expect(values.length).toBe(1);
    await counting.valueOf({ list: [{ n: 1 }] }, 'two');
    expect(values.length).toBe(2);
  });
});

describe('reaskText', () => {
  it('shows the problem, and the answer between markers that neither knows', () => {
    const first = reaskText('no JSON', 'word', 'prompt');
    const [shown] = readFences(first);
    expect(shown).toEqual({ label: 'your answer', text: 'word' });
    expect(first.split('\n\n').length).toBe(3);
    expect(first).toContain('no JSON');
    const nonceOf = (text: string) => /<<<UNTRUSTED (\w+)/.exec(text)?.[1];
    const nonce = nonceOf(first) ?? '';
    expect(nonceOf(reaskText('no JSON', 'other', 'prompt'))).not.toBe(nonce);
    expect(nonceOf(reaskText('other', 'word', 'prompt'))).not.toBe(nonce);
    expect(nonceOf(reaskText('no JSON', 'word', 'other'))).not.toBe(nonce);
  });

  it.each(['', ' \n '])('says that nothing came: %j', (raw) => {
    expect(readFences(reaskText('no JSON', raw, 'prompt'))).toEqual([]);
  });

  it('shows no more than 2000 characters of either', () => {
    const long = 'x'.repeat(5000);
    expect(reaskText(long, 'a', '').length).toBeLessThan(2700);
    expect(reaskText('a', long, '').length).toBeLessThan(2700);
  });
});

describe('callModel', () => {
  const request = () => ({
    messages: [{ role: 'user' as const, content: '?' }],
    signal: new AbortController().signal,
  });

  it('what a service throws may be tried again, and is the cause', async () => {
    const cause = new Error('overloaded');
    await expect(callModel(scriptedProvider([cause]), request())).rejects.toMatchObject({
      code: 'provider_unavailable',
      retryable: true,
      cause,
    });
  });

  it('a typed error of the provider stays what it is', async () => {
    const typed = new ReviewLoopError('timeout', 'late');
    await expect(callModel(scriptedProvider([typed]), request())).rejects.toBe(typed);
  });

  it('a result of another shape may be tried again, and is the value', async () => {
    const provider = { ...scriptedProvider([]), generate: async () => ({ text: 7 }) as never };
    await expect(callModel(provider, request())).rejects.toMatchObject({
      code: 'provider_malformed',
      retryable: true,
      value: { text: 7 },
      cause: expect.any(z.ZodError),
    });
  });

  it('hears of an abort before and during the call, and leaves no listener', async () => {
    const before = AbortSignal.abort(new Error('early'));
    const seen: boolean[] = [];
    const provider = {
      ...scriptedProvider([]),
      generate: async ({ signal }: { signal: AbortSignal }) => {
        seen.push(signal.aborted);
        throw new Error('other');
      },
    };
    await expect(callModel(provider, { ...request(), signal: before })).rejects.toThrow('early');
    expect(seen).toEqual([true]);
    const controller = new AbortController();
    const asking = callModel(scriptedProvider([hang]), { ...request(), signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
  });

  it('leaves a later abort of the caller alone', async () => {
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    const scripted = scriptedProvider(['{}']);
    await callModel(
      {
        ...scripted,
        generate: (given) => {
          own = given.signal;
          return scripted.generate(given);
        },
      },
      { ...request(), signal: controller.signal },
    );
    controller.abort();
    expect(own?.aborted).toBe(false);
  });
});
