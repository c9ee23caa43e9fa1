import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AnswerReader, callModel, reaskText } from '@/blocks/models/answer/ask-until-usable.js';
import { readAnswer, withoutThoughts } from '@/blocks/models/answer/read-answer.js';
import {
  hasDoubles,
  repairJson,
  scanJson,
  startsLikeBlock,
} from '@/blocks/models/answer/repair-json.js';
import { ensureWhole, isDegenerate } from '@/blocks/models/answer/whole-prompt.js';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { ReviewLoopError } from '@/core/errors.js';
import { hang, scriptedProvider } from '@/testing/index.js';
import { expectCode } from '../../../../support/matchers.js';

const material = (text: string, ...more: string[]) =>
  [text, ...more].map((part) => `<<<UNTRUSTED n a>>>\n${part}\n<<<END n>>>`).join('\n');
const readValue = async (text: string, prompt = '') => (await readAnswer(text, prompt)).value;

describe('an answer that cannot be used', () => {
  it.each([
    ['answer_empty', '', true],
    ['answer_ambiguous', '{"a":1,"a":2}', true],
    ['answer_truncated', '{"a":1', true],
    ['answer_truncated', '[', true],
    ['answer_unreadable', 'words', true],
    ['answer_unreadable', 'words {"a":1}', true],
    ['answer_refused', 'I cannot do that.', false],
  ])('is %s: %j, and says whether asking again may help', async (code, text, retryable) => {
    await expect(readAnswer(text, '')).rejects.toMatchObject({ code, retryable, value: text });
  });

  it('quotes the material of the prompt, and may be asked for again', async () => {
    await expect(readAnswer('{"a":1}', material('{"a":1}'))).rejects.toMatchObject({
      code: 'answer_unreadable',
      retryable: true,
      value: '{"a":1}',
    });
  });

  it('is shown in the message: its beginning, in one line', async () => {
    const messageOf = (text: string) =>
      readAnswer(text, '').then(
        () => '',
        ({ message }: Error) => message,
      );
    expect(await messageOf('  two\n\n  words \n')).toContain(': two words');
    expect(await messageOf(`${'x'.repeat(200)}`)).toMatch(/x{200}(?!x|\.\.\.)/);
    expect(await messageOf(`${'x'.repeat(201)}`)).toMatch(/(?<!x)x{200}\.\.\./);
    expect(
      await messageOf(`${' '.repeat(2000)}word${' '.repeat(900)}end${'x'.repeat(999)}`),
    ).toMatch(/: word end/);
    expect(await messageOf(`word${' '.repeat(1000)}end`)).not.toContain('end');
  });

  it.each([
    "I'm sorry, no.",
    'I am unable to review this.',
    'We’re not able to help.',
    "I'm really sorry.",
    'Sorry.',
    'My apologies.',
    '** I apologize.',
    'I apologise.',
    "I can't.",
    'I cant.',
    'I can not.',
    "I won't.",
    'I will not.',
    'I must decline.',
    'I have to decline.',
    'As an AI model I have no view.',
    'Unfortunately, I must stop.',
    'unfortunately i can say nothing',
  ])('is a refusal where it begins with one: %s', async (text) => {
    await expect(readAnswer(text, '')).rejects.toMatchObject({ code: 'answer_refused' });
  });

  it.each([
    'The author cannot spell.',
    "It says: I'm sorry.",
    'As an aid, see below.',
    `${'-'.repeat(101)}Sorry.`,
    'Sorry, here it is: {"a":1}',
    'Sorry, here it is: [1]',
  ])('is no refusal where one is only mentioned, or JSON follows: %s', async (text) => {
    await expect(readAnswer(text, '')).rejects.toMatchObject({ code: 'answer_unreadable' });
  });
});

describe('a code fence', () => {
  it.each([
    ['```json\n{"a":1}\n```'],
    ['```\n  {"a":1}  \n```'],
    ['~~~\n{"a":1}\n~~~'],
    ['````\n{"a":1}\n````'],
    ['\uFEFF```\n{"a":1}\n```'],
  ])('around the whole answer is removed: %j', async (text) => {
    expect(await readAnswer(text, '')).toEqual({ value: { a: 1 }, repaired: false });
  });

  it.each([
    '~~\n{"a":1}\n~~',
    '``\n{"a":1}\n``',
    '```{"a":1}```',
    '```\n{"a":1}```',
    '```\n{"a":1}\n~~~',
    '````\n{"a":1}\n```',
    '```\n```',
    'text\n```\n{"a":1}\n```',
    '```\n{"a":1}\n```\ntext',
    '{"a":1}\n```',
    '```\n{"a":1}',
  ])('that is not whole, or not the whole answer, stays: %j', async (text) => {
    await expect(readAnswer(text, '')).rejects.toMatchObject({ code: 'answer_unreadable' });
  });
});

describe('an answer that occurs in the material', () => {
  it('is a quote, with other spaces too, in any of the fenced texts', async () => {
    const prompt = material('first', 'so: { "a" : 1 } is it');
    await expectCode(readAnswer('{"a":\n1}', prompt), 'answer_unreadable');
  });

  it('is no quote where it is empty, a single value, or stands outside of the fences', async () => {
    expect(await readValue('{}', material('{}'))).toEqual({});
    expect(await readValue('[]', material('[]'))).toEqual([]);
    expect(await readValue('"a"', material('"a"'))).toBe('a');
    expect(await readValue('true', material('true'))).toBe(true);
    expect(await readValue('{"a":1}', `{"a":1}\n${material('other')}`)).toEqual({ a: 1 });
    await expectCode(readAnswer('[1]', material('[1]')), 'answer_unreadable');
  });

  it('is read to a depth of 1000, and refused below; a mark of byte order is left out at its beginning', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(await readValue(nested(1000))).toHaveLength(1);
    await expect(readAnswer(nested(1001), '')).rejects.toMatchObject({ code: 'answer_unreadable' });
    expect(await readValue('"a\uFEFFb"')).toBe('a\uFEFFb');
    expect(await readValue('\uFEFF"a"')).toBe('a');
  });
});

describe('scanJson', () => {
  it.each([
    ['{}', { end: 2, members: 0, depth: 1 }],
    ['[1] more', { end: 3, members: 0, depth: 1 }],
    ['{"a":[{"b":1}]}', { end: 15, members: 2, depth: 3 }],
    ['{"a":"}"}', { end: 9, members: 1, depth: 1 }],
    ['{"a:b":":"}', { end: 11, members: 1, depth: 1 }],
    ['{"a":"\\"}"}', { end: 11, members: 1, depth: 1 }],
    ['{"a":"\\\\"}', { end: 10, members: 1, depth: 1 }],
    ['{"a":"\\\\\\"}"}', { end: 13, members: 1, depth: 1 }],
    ['{"a":1', { end: -1, members: 1, depth: 1 }],
    ['{"a', { end: -1, members: 0, depth: 1 }],
    ['{"a":"b\\"}', { end: -1, members: 1, depth: 1 }],
  ])('finds where %j ends, its members and its depth', (text, scan) => {
    expect(scanJson(text)).toEqual(scan);
  });

  it('knows what begins an object or a list', () => {
    const begins = ['{', '[', '(', 'a', '', ' {'].map(startsLikeBlock);
    expect(begins).toEqual([true, true, false, false, false, false]);
  });

  it.each([
    ['{"a":1}', false],
    ['{"a":1,"a":1}', true],
    ['{"a":{"b":1},"c":[{"d":1},{"d":2}]}', false],
    ['{"a":{"b":1,"b":2}}', true],
    ['[{"b":1},[{"b":1,"b":2}]]', true],
    ['{"a" : "\\": "}', false],
    ['{ "a" :1, "b" : {"c": null} }', false],
    ['{ "a" :1, "a" : 2 }', true],
    ['{"a" :1,"a":2}', true],
    ['{"a":1,"a"\n:2}', true],
    ['{"a" :"\\":","a":2}', true],
    [' {"a":1,"b":2}', false],
    ['{"a":"b\\":"}', false],
    ['{"a":null,"b":"x:y"}', false],
    ['"a:b"', false],
    ['null', false],
  ])('finds members that occur twice: %s', (text, doubles) => {
    expect(hasDoubles(text, JSON.parse(text))).toBe(doubles);
  });
});

describe('thoughts', () => {
  it.each([
    ['<think>a</think>b', 'b'],
    [' <Thinking>a</thinking>b', 'b'],
    ['<reasoning>a</reasoning>\n<thought>c</thought>b', 'b'],
    ['<think>a</thinking>b</think>c', 'c'],
    ['<think>a', ''],
    ['<think></think>', ''],
    ['<think>a</thought>b', ''],
    ['b<think>a</think>', 'b<think>a</think>'],
    ['a\n</think>\nb', '\nb'],
    ['a\n  </THINK>  \nb', '  \nb'],
    ['</think>b', '</think>b'],
    ['</think>\nb', '\nb'],
    ['a\n</think>', ''],
    ['a </think>\nb', 'a </think>\nb'],
    ['a\n</think> c\nb', 'a\n</think> c\nb'],
    ['a\n</think>\nb\n</think>\nc', 'a\n</think>\nb\n</think>\nc'],
    ['{"a":"\n</think>\n"}', '{"a":"\n</think>\n"}'],
    ['  ["\n</think>\n"]', '  ["\n</think>\n"]'],
    ['nothing', 'nothing'],
  ])('%j leaves %j', (text, rest) => {
    expect(withoutThoughts(text, '')).toBe(rest);
  });

  it('do not end with a tag that the model was shown', () => {
    expect(withoutThoughts('a\n</think>\nb', 'see </think>')).toBe('a\n</think>\nb');
    expect(withoutThoughts('a\n</think>\nb', '</Think>')).toBe('a\n</think>\nb');
    expect(withoutThoughts('<think>a</think>b', '</think>')).toBe('b');
  });
});

describe('repairJson', () => {
  it.each<[string, unknown]>([
    ["{'a': True, 'b': None, 'c': False}", { a: true, b: null, c: false }],
    ['{a: 1}', { a: 1 }],
    ['{"a":1,}', { a: 1 }],
    ['[1,2,]', [1, 2]],
    ['[True]', [true]],
    ['[-1,]', [-1]],
    ['{“a”: 1}', { a: 1 }],
    ['{"a":"// no comment",}', { a: '// no comment' }],
    ['{"a":"x\\ny",}', { a: 'x\ny' }],
    ['{"a":"wait...",}', { a: 'wait...' }],
    ['[{a: undefined}]', [{ a: null }]],
    ['{"a":1.5,}', { a: 1.5 }],
    ['{ }', {}],
    ['{"a":"x\ny"}', { a: 'x\ny' }],
    ['{"a":"x\ty"}', { a: 'x\ty' }],
    ['[false,]', [false]],
    ['[null,]', [null]],
    ['[None]', [null]],
    ['[False]', [false]],
    ['[`a`]', ['a']],
    ['[‘a’]', ['a']],
    ['[[1,],]', [[1]]],
    ['[{},]', [{}]],
    ['{$name : 1}', { $name: 1 }],
    ['{  a: 1}', { a: 1 }],
    ['{"a" 1}', { a: 1 }],
  ])('repairs %s', async (text, value) => {
    expect(await repairJson(text)).toEqual({ value });
  });

  it.each([
    ['an abbreviated list', '[1, 2, ...]'],
    ['an abbreviated object', '{"a":1, ...}'],
    ['words without quotes', '{some words here}'],
    ['no object or list', "'a'"],
    ['a member that occurs twice', "{'a':1,'a':2}"],
    ['text in round brackets', '(1)'],
    ['nothing after a member', '{"a":,"b":1}'],
    ['words before an object', 'see [1]'],
    ['a word that only begins like a known one', '[Truely]'],
    ['a word after another one', '[not quoted]'],
    ['a name without a colon', '{name}'],
    ['a formula', '[(1)]'],
    ['a function around a value', '{"a": ObjectId("1")}'],
    ['a function around a value, beside a comment', '{"a": ObjectId("1") /* c */}'],
    ['two texts that are joined', '{"a": "b" + "c"}'],
    ['two texts that are joined, beside a comment', '{"a": "b" + "c" /* x */}'],
    ['a value that joins two', "{'a': 'b' 'c' + 'd'"],
    ['a comment', '{"a":1, // one\n"b":2}'],
    ['a comment', '{"a":1, /* one */ "b":2}'],
    ['a comment', '{/* one */ "a":1}'],
    ['a comment', '{// one\n "a":1}'],
    ['a comment', '{"a":"\\"//x", // one two\n"b":2}'],
    ['a comment', '{"a":"// x y", // one two\n"b":2}'],
    ['a comment', '{"a":"/* x */", /* one two */ "b":2}'],
    ['a comment', '{"a":1 /* one two'],
    ['a backslash that begins no escape', String.raw`{"a":"/^\d+\.\w$/"}`],
    ['a backslash before a single quote', String.raw`{'a':'it\'s'}`],
    ['a value without quotes', '{"a": b}'],
    ['quotes in quotes', '{"a":"say "hi" now"}'],
  ])('refuses %s', async (_, text) => {
    expect(await repairJson(text)).toBeUndefined();
  });

  it('repairs up to 64,000 characters', async () => {
    const of = (length: number) => `['${'a'.repeat(length - 4)}']`;
    expect(await repairJson(of(64_000))).toBeDefined();
    expect(await repairJson(of(64_001))).toBeUndefined();
  });
});

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
