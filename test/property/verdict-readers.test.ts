import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gptTokens } from '@/blocks/tokens/gpt/gpt-tokens.js';
import { scriptedProvider } from '@/testing/index.js';
import { gateFolder } from '../support/gate-folder.js';
import { type VerdictReader, verdictReaders } from '../support/verdict-readers.js';

/** Ways in which an answer contains a good answer that it does not give. */
const embedded: Readonly<Record<string, (yes: string) => string>> = {
  'a sentence': (yes) => `I would never answer ${yes}. The text is bad, so no.`,
  'a sentence before it': (yes) => `The document itself says ${yes}`,
  'a sentence behind it': (yes) => `${yes}\n\nThat is what it asks me to say. No.`,
  'a refusal': (yes) => `I cannot accept this. The document says ${yes} so no.`,
  quotes: (yes) => `"${yes}"`,
  'a quoted line': (yes) => `It says:\n> ${yes}\n`,
  'a quote that goes on': (yes) => `> It says\n${yes}`,
  'a span of code': (yes) => `\`${yes}\``,
  'a thought': (yes) => `<think>${yes}</think>`,
  'a thought on lines': (yes) => `<thinking>\nMaybe\n${yes}\n</thinking>\n`,
  'a thought that does not end': (yes) => `<think>\nMaybe\n${yes}`,
  'a thought of another tag': (yes) => `<think>\n</thinking>\n${yes}`,
  'a thought that nobody began': (yes) => `${yes}\n</think>\n`,
  'a later thought': (yes) => `No.\n<think>\n${yes}\n</think>`,
  'a later thought that does not end': (yes) => `No.\n<think>\n${yes}`,
  'a code fence in prose': (yes) => `The file says\n\`\`\`\n${yes}\n\`\`\``,
  'a code fence and a judgement': (yes) =>
    `\`\`\`\n${yes}\n\`\`\`\nI was not able to judge the change.`,
  'a code fence that does not end': (yes) => `The file says\n\`\`\`json\n${yes}`,
  'two code fences': (yes) => `\`\`\`\n\`\`\`json\n${yes}\n\`\`\`\n\`\`\``,
  'a comment': (yes) => `No.\n<!-- ${yes} -->`,
  'a comment on lines': (yes) => `No.\n<!--\n${yes}\n-->`,
  'a comment that does not end': (yes) => `No. <!-- it says\n${yes}`,
  'a block of code': (yes) => `It says\n\n    ${yes}`,
  'a block with tabs': (yes) => `It says\n\n\t${yes}`,
  'an element of code': (yes) => `It says\n<pre>\n${yes}`,
  'an echo': (yes) => `<<<UNTRUSTED 0123 output>>>\n${yes}\n<<<END 0123>>>`,
  'an echo that does not end': (yes) => `<<<UNTRUSTED 0123 output>>>\nx\n${yes}`,
  'a list': (yes) => `[${yes}]`,
  'a list that is cut off': (yes) => `[${yes}, {"tok`,
  'a list of Markdown': (yes) => `- ${yes}`,
  'a list with numbers': (yes) => `1. ${yes}`,
  'an item on the next line': (yes) => `- it says\n  ${yes}`,
  'an object around it': (yes) => `{"review": ${yes}}`,
  'an object around it that is cut off': (yes) => `{"review": ${yes}`,
  'an example': (yes) => `{"verdict":"no","example_of_a_pass": ${yes}, "my`,
  'a reason': (yes) => `{"reason": "an answer such as ${yes} would be wrong", "answer": "no"`,
  'a string': (yes) => JSON.stringify(yes),
  'a draft': (yes) => `Draft: ${yes}\nFinal: no`,
  'a draft before the answer': (yes) => `${yes}\n{"verdict": "failed", "passed": false}`,
  'what a line introduces': (yes) => `Not:\n${yes}`,
  'what a line introduces from afar': (yes) => `The author wants me to end with:\n\n${yes}`,
  'an ending of lines that is none (U+2028)': (yes) => `It says\u2028${yes}`,
  'an ending of lines that is none (U+2029)': (yes) => `It says\u2029${yes}\u2029no`,
  'an ending of lines that is none (CR)': (yes) => `It says\r${yes}`,
};

const answering = ({ yes }: VerdictReader, wrap: (answer: string) => string) =>
  scriptedProvider((request) => wrap(yes(request)));

/** Whether a text is an answer in one code fence, behind thoughts, or alone. */
const isAnswer = (text: string, yes: string): boolean =>
  text
    .replace(/^<think>\n<\/thinking>\n/, '')
    .replace(/^```\w*\n|\n```\s*$/g, '')
    .trim() === yes;

const names = verdictReaders('').map(({ name }) => name);
const readerOf = (name: string): VerdictReader => {
  const found = verdictReaders(gateFolder()).find((reader) => reader.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe.each(names)('%s', (name) => {
  it('passes by a whole answer, behind thoughts too', async () => {
    const reader = readerOf(name);
    for (const wrap of [(yes: string) => yes, (yes: string) => `<think>{"no": [</think>\n${yes}\n`])
      expect(await reader.passes(answering(reader, wrap), 'text')).toBe(true);
  });

  it('passes by no answer that only contains one [R2-010, R2-011, R2-012]', async () => {
    const reader = readerOf(name);
    const passed: string[] = [];
    for (const [how, wrap] of Object.entries(embedded))
      if (await reader.passes(answering(reader, wrap), 'text')) passed.push(how);
    expect(passed).toEqual([]);
  });

  it('passes by no such answer that is cut off anywhere', async () => {
    const reader = readerOf(name);
    const way = fc.constantFrom(...Object.keys(embedded));
    await fc.assert(
      fc.asyncProperty(way, fc.double({ min: 0, max: 1, noNaN: true }), async (how, share) => {
        const provider = answering(reader, (yes) => {
          const whole = embedded[how]?.(yes) ?? '';
          const cut = whole.slice(0, Math.floor(whole.length * share));
          // a cut behind the answer leaves the answer alone
          return isAnswer(cut, yes) ? '' : cut;
        });
        expect(await reader.passes(provider, 'text'), `${how} at ${share}`).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

/** Ways to write JSON that is none: each could be repaired. */
const broken: Readonly<Record<string, (yes: string) => string>> = {
  'a comment': (yes) => yes.replace(/\}$/, ' /* no */}'),
  'a comment at the end of a line': (yes) => yes.replace(',', ', // no\n'),
  'a comma too many': (yes) => yes.replace(/\}$/, ',}'),
  'a missing comma': (yes) => yes.replace(',', ' '),
  'a missing colon': (yes) => yes.replace(':', ' '),
  'no space for a missing colon': (yes) => yes.replace(':', ''),
  'single quotes': (yes) => yes.replaceAll('"', "'"),
  'curly quotes': (yes) => yes.replace(/"(\w+)"/, '“$1”'),
  'a name without quotes': (yes) => yes.replace(/"(\w+)":/, '$1:'),
  'a word of Python': (yes) => yes.replace(/\}$/, ', "more": True}'),
  'a bracket too many': (yes) => `${yes}}`,
  'a semicolon behind it': (yes) => `${yes};`,
  'a function around it': (yes) => `answer(${yes})`,
};

describe.each(names.filter((name) => !name.includes('markers')))('%s', (name) => {
  it('passes by no text that is not JSON as it came [R3-005]', async () => {
    const reader = readerOf(name);
    const passed: string[] = [];
    for (const [how, wrap] of Object.entries(broken))
      for (const [shape, fenced] of [
        ['alone', wrap],
        ['in a fence', (yes: string) => `\`\`\`json\n${wrap(yes)}\n\`\`\``],
      ] as const)
        if (await reader.passes(answering(reader, fenced), 'text')) passed.push(`${how} ${shape}`);
    expect(passed).toEqual([]);
  });

  it('passes by no answer whose text and object differ [R3-005]', async () => {
    const reader = readerOf(name);
    const no = (yes: string): string =>
      yes
        .replaceAll(/"(yes|satisfied|passed)"(?!:)/g, '"no"')
        .replaceAll(':true', ':false')
        .replaceAll(': true', ': false')
        .replace(/"better":"[AB]"/, '"better":"tie"');
    const twice = (text: (yes: string) => string, object: (yes: string) => string) =>
      reader.passes(
        scriptedProvider((request) => {
          const yes = reader.yes(request);
          return { text: text(yes), object: JSON.parse(object(yes)) as unknown };
        }),
        'text',
      );
    const same = (yes: string): string => yes;
    const inFence = (yes: string): string => `\`\`\`\n${no(yes)}\n\`\`\``;
    expect(await twice(same, same)).toBe(true);
    const words = (): string => 'No, it is not fine.';
    for (const text of [no, inFence, words, (yes: string) => `<think>x</think>${no(yes)}`])
      expect(await twice(text, same)).toBe(false);
    expect(await twice(same, no)).toBe(false);
  });
});

describe.each(names)('%s', (name) => {
  it('passes only if the service read as much as it was sent [R3-003]', async () => {
    const reader = readerOf(name);
    const reporting = (share: number) =>
      scriptedProvider(async (request) => {
        const sent = [request.system ?? '', ...request.messages.map(({ content }) => content)];
        const whole = await gptTokens().count(sent.join('\n'));
        return { text: reader.yes(request), usage: { inputTokens: Math.floor(whole * share) } };
      });
    // a larger change is reviewed without the text of its files
    for (const sentences of name.startsWith('task') ? [300] : [300, 1500]) {
      const text = 'The report tells what happened in March and what it cost.\n'.repeat(sentences);
      expect(await reader.passes(reporting(1), text), `${sentences}`).toBe(true);
      for (const share of [0.02, 0.3])
        expect(
          await reader.passes(reporting(share), text).catch(() => false),
          `${sentences} ${share}`,
        ).toBe(false);
    }
  });
});

it('the object around an answer is cut at every byte, and is never read as its inner object [R2-012]', async () => {
  const reader = readerOf('llmCriterion');
  const around = (yes: string): string => `{"verdict": "no", "example": ${yes}, "more": [1, "}"]}`;
  let longest = 0;
  await reader.passes(
    answering(reader, (yes) => {
      longest = around(yes).length;
      return '';
    }),
    'text',
  );
  for (let end = 0; end <= longest; end += 1)
    expect(
      await reader.passes(
        answering(reader, (yes) => around(yes).slice(0, end)),
        'text',
      ),
      String(end),
    ).toBe(false);
});
