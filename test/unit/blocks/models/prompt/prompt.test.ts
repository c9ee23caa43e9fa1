import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import { ensureAllRead, isCut, leastTokens } from '@/blocks/models/answer/whole-prompt.js';
import { withCache } from '@/blocks/models/index.js';
import { mergeSections, sectionsOf } from '@/blocks/models/prompt/sections.js';
import { gptTokens } from '@/blocks/tokens/gpt/gpt-tokens.js';
import type { LLMResult } from '@/core/llm-provider.js';
import { scriptedProvider } from '@/testing/index.js';

const shown = (value: unknown) => JSON.stringify(value, null, 2);
const a = { path: 'a', type: 't', content: 'x' };
const rest = { result: { n: 1 }, qualityScore: 0.9, selfReviewResult: {}, routingHints: [] };

it.each<[unknown, ...[label: string, text: string][]]>([
  ['text', ['output', 'text']],
  [7, ['output', '7']],
  [undefined, ['output', '']],
  [[], ['output', '[]']],
  [
    [a, 'odd'],
    ['output', shown([a, 'odd'])],
  ],
  [{ ...a, path: 'a.md' }, ['artifact a.md', 'x']],
  [
    { artifacts: [{ path: 'a', type: 't' }, { ...a, path: 'A', content: 'y' }, a] },
    ['artifact A', 'y'],
    ['artifact a', ''],
    ['artifact a', 'x'],
  ],
  [{ artifacts: [a], more: undefined, ...rest }, ['artifact a', 'x'], ['result', shown(rest)]],
  [{ artifacts: ['odd'] }, ['output', shown({ artifacts: ['odd'] })]],
])('sectionsOf: %j', (view, ...expected) => {
  expect(sectionsOf(view)).toEqual(expected.map(([label, text]) => ({ label, text })));
});

describe('what a judge is shown of an output', () => {
  const kind = { type: 'doc', path: 'a.md', content: 'tea' };
  const evil = '<EVIL>';
  const places: Readonly<Record<string, unknown>> = {
    'a text': evil,
    'a member': { text: evil },
    'a member called __proto__': JSON.parse(`{"__proto__":"${evil}"}`),
    'the content of a file': { artifacts: [{ ...kind, content: evil }] },
    'the path of a file': { artifacts: [{ ...kind, path: evil }] },
    'the type of a file': { artifacts: [{ ...kind, type: evil }] },
    'another member of a file': { artifacts: [{ ...kind, html: evil }] },
    'another member of a second file': { artifacts: [kind, { ...kind, html: { deep: [evil] } }] },
    'another member of a file alone': { ...kind, html: evil },
    'another member of a list of files': [kind, { ...kind, html: evil }],
    'the type of a file alone': { ...kind, type: evil },
    'a file that is none': { artifacts: [kind, { path: 'b', content: evil }] },
    'the result': { artifacts: [kind], result: evil },
    ...Object.fromEntries(
      ['routingHints', 'qualityScore', 'selfReviewResult', 'more'].map((name) => [
        name,
        { artifacts: [kind], [name]: evil },
      ]),
    ),
  };

  it.each(Object.entries(places))('contains %s', (_, view) => {
    expect(JSON.stringify(sectionsOf(view))).toContain(evil);
  });
});

it('mergeSections shows equal material once, and other material of the same name under a name of its own', () => {
  const a = { label: 'artifact a', text: 'one' };
  const other = { label: 'artifact a', text: 'two' };
  expect(mergeSections([[a], [other], [a, { label: 'b', text: 'x' }], [other]])).toEqual({
    sections: [a, { label: 'artifact a (2)', text: 'two' }, { label: 'b', text: 'x' }],
    labels: [['artifact a'], ['artifact a (2)'], ['artifact a', 'b'], ['artifact a (2)']],
  });
});

const texts: Readonly<Record<string, string>> = {
  prose: 'The cat sat on the mat and saw that it was a dog. ',
  contractions: "Don't you think it's what they'd say? L’eau n’est pas d’ici. ",
  german: 'Die Rindfleischetikettierungsüberwachung prüft jede Selbstverständlichkeit. ',
  russian: 'Съешь же ещё этих мягких французских булок. ',
  hindi: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में स्वतन्त्रता प्राप्त है। ',
  bengali: 'সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা ১২ এবং অধিকার নিয়ে। ',
  persian: 'تمام افراد بشر آزاد به دنیا می‌آیند و کتاب‌های خود را می‌خوانند. ',
  korean: '모든 인간은 태어날 때부터 자유로우며 존엄하다. ',
  chinese: '中华人民共和国的报告说明了三月份发生的事情，以及它的费用。',
  japanese: 'ありがとうございました。コミュニケーションすることができます。',
  thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ',
  code: '      const dataGridViewTextBoxColumn = foo.bar(baz, 12_345);\n\n\n      // next;\n//\n',
  table: '| --- | :-: |\n| a | 1.50 |\n',
  lines: '='.repeat(300),
  spaces: ' '.repeat(400),
  tabs: '\t\t\t\t\n\n\n\n',
  base64: Buffer.from(Array.from({ length: 99 }, (_, at) => (at * 73) % 256)).toString('base64'),
  hex: '3f786850e387550fdab836ed7e6dc881de23001b',
  one: 'a'.repeat(200),
  emoji: '👩‍👩‍👧‍👦🎉🎉🇩🇪 ',
};
const honest = (text: string) => gptTokens().count(text);
const asking = (content: string) => ({
  system: 'Judge.',
  messages: [{ role: 'user' as const, content }],
});

describe('what a service reports as read', () => {
  it('is never less than the tokens that a text has at least, in any script [R3-003]', async () => {
    const some = fc.array(fc.constantFrom(...Object.values(texts)), { maxLength: 6 });
    const check = async (text: string): Promise<void> => {
      expect(leastTokens(text), text.slice(0, 60)).toBeLessThanOrEqual(await honest(text));
    };
    for (const text of Object.values(texts)) await check(text.repeat(50));
    await fc.assert(
      fc.asyncProperty(some, fc.string({ unit: 'binary' }), async (parts, more) =>
        check(parts.join(more)),
      ),
      { numRuns: 100 },
    );
  });

  it('is too little where half is missing, for prompts of any size [R3-003]', async () => {
    for (const name of ['prose', 'german', 'russian', 'code', 'hex'])
      for (const size of [10_000, 40_000, 300_000]) {
        const text = (texts[name] ?? '').repeat(Math.ceil(size / (texts[name] ?? 'x').length));
        const whole = await honest(text);
        const cut = (inputTokens: number) => isCut(asking(text), { inputTokens });
        expect([cut(whole), cut(Math.floor(whole / 5))], `${name} ${size}`).toEqual([false, true]);
      }
  });

  it('contains what came from a cache, and a total alone is a report too [R3-003]', () => {
    const prompt = asking('one two three four '.repeat(1000));
    const usages: readonly (readonly [LLMResult['usage'], boolean])[] = [
      [{}, false],
      [{ inputTokens: 0, outputTokens: 0 }, false],
      [{ inputTokens: 4100, cachedInputTokens: 4000 }, false],
      [{ inputTokens: 90, cachedInputTokens: 4000 }, false],
      [{ inputTokens: 2051, cachedInputTokens: 1024 }, true],
      [{ totalTokens: 4500 }, false],
      [{ totalTokens: 2071 }, true],
    ];
    expect(usages.map(([usage]) => isCut(prompt, usage))).toEqual(usages.map(([, cut]) => cut));
  });

  it('does not hide behind a cache of answers [R3-003]', async () => {
    const inner = scriptedProvider(() => ({ text: 'yes', usage: { inputTokens: 2051 } }));
    const cached = withCache(inner);
    const request = { ...asking('one two '.repeat(9000)), signal: new AbortController().signal };
    const both = await Promise.all([cached.generate(request), cached.generate(request)]);
    const later = await cached.generate(request);
    for (const { usage } of [...both, later]) expect(isCut(request, usage)).toBe(true);
  });

  it('fills no context that is known, and a longer prompt is not sent [R3-003]', () => {
    const provider = ollamaProvider({ model: 'm', contextTokens: 4096 });
    const code = (words: number, inputTokens?: number): string => {
      try {
        ensureAllRead(provider, asking('word '.repeat(words)), { inputTokens });
        return 'read';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const [read, cut] = ['read', 'view_truncated'];
    expect([code(3000), code(3000, 3010)]).toEqual([read, read]);
    expect([code(3000, 4096), code(5000)]).toEqual([cut, cut]);
  });
});
