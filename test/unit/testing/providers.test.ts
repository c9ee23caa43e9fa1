import { describe, expect, it } from 'vitest';
import { fence } from '@/blocks/models/prompt/fence.js';
import { CriterionResultSchema } from '@/core/criterion.js';
import type { LLMProvider, LLMRequest } from '@/core/llm-provider.js';
import { hang, readingJudge, scriptedProvider, settle } from '@/testing/index.js';

function ask(content: string, signal = new AbortController().signal): LLMRequest {
  return { messages: [{ role: 'user', content }], signal };
}

describe('scriptedProvider', () => {
  it('gives its answers in turn and records what it was asked', async () => {
    const provider = scriptedProvider([
      'one',
      { object: { pass: true }, usage: { inputTokens: 5 } },
    ]);
    expect(await provider.generate(ask('a'))).toEqual({
      text: 'one',
      finish: 'stop',
      usage: {},
      model: 'scripted',
      warnings: [],
      attempts: 1,
    });
    expect(await provider.generate(ask('b'))).toMatchObject({
      text: '{"pass":true}',
      object: { pass: true },
      usage: { inputTokens: 5 },
    });
    expect(provider.requests.map(({ messages }) => messages[0]?.content)).toEqual(['a', 'b']);
  });

  it('says so when it is asked too often', async () => {
    await expect(scriptedProvider([]).generate(ask('a'))).rejects.toThrow(
      'has 0 answers, and this is call 1',
    );
  });

  it('names the error that it gave last, since a failed judge is asked again', async () => {
    const overloaded = new Error('overloaded');
    const provider = scriptedProvider([overloaded]);
    await expect(provider.generate(ask('a'))).rejects.toBe(overloaded);
    await expect(provider.generate(ask('a'))).rejects.toThrow(
      'this is call 2; the last answer was the error "overloaded"',
    );
  });

  it('answers by a function that sees request and turn', async () => {
    const provider = scriptedProvider(
      async ({ messages }, call) => `${call}: ${messages[0]?.content}`,
    );
    await provider.generate(ask('a'));
    expect((await provider.generate(ask('b'))).text).toBe('1: b');
  });

  it.each(['length', 'content-filter', 'tool-calls', 'error', 'other'] as const)(
    'ends an answer with %s',
    async (finish) => {
      expect(await scriptedProvider([{ text: '{"ver', finish }]).generate(ask('a'))).toMatchObject({
        text: '{"ver',
        finish,
      });
    },
  );

  it('hangs until it is aborted', async () => {
    const controller = new AbortController();
    let ended: unknown;
    const provider = scriptedProvider([hang]);
    provider.generate(ask('a', controller.signal)).catch((error) => {
      ended = error;
    });
    await settle();
    expect(ended).toBeUndefined();
    controller.abort(new Error('enough'));
    await settle();
    expect(ended).toMatchObject({ message: 'enough' });
  });

  it('gives up a slow answer when it is aborted, and wraps a reason that is no error', async () => {
    const controller = new AbortController();
    const call = scriptedProvider(() => new Promise(() => {})).generate(
      ask('a', controller.signal),
    );
    controller.abort('why');
    await expect(call).rejects.toThrow('why');
  });

  it('can present itself as any provider', () => {
    expect(
      scriptedProvider([], { id: 'mine', capabilities: { structured: 'strict' } }),
    ).toMatchObject({ id: 'mine', capabilities: { structured: 'strict', streaming: false } });
  });
});

describe('readingJudge', () => {
  const rules = {
    'login.html': (text: string) => text.includes('</form>') || 'the form is not closed',
    'app.css': (text: string) => text !== '',
  };
  const prompt = (html: string, css: string): string =>
    `Judge this.\n${fence('artifact login.html', html, 'n1')}\n\n${fence('artifact app.css', css, 'n1')}`;
  const judged = async (content: string, judge: LLMProvider = readingJudge(rules)) =>
    CriterionResultSchema.parse(JSON.parse((await judge.generate(ask(content))).text));

  it('passes what it reads and finds good', async () => {
    expect(await judged(prompt('<form></form>', 'p {}'))).toEqual({
      passed: true,
      score: 1,
      details: '',
      findings: [],
    });
  });

  it('notices a truncated artifact', async () => {
    expect(await judged(prompt('<form>', 'p {}'))).toMatchObject({
      passed: false,
      score: 0.5,
      findings: [{ description: 'login.html: the form is not closed', file: 'login.html' }],
    });
  });

  it('notices a dropped artifact and names it', async () => {
    expect(await judged(fence('artifact login.html', '<form></form>', 'n1'))).toMatchObject({
      passed: false,
      details: 'app.css: not in the prompt',
    });
    expect(await judged('no fences')).toMatchObject({ passed: false, score: 0 });
  });

  it('does not take text outside a fence, or a fence that is not closed, for an artifact', async () => {
    expect((await judged('artifact login.html <form></form>')).details).toContain(
      'login.html: not in the prompt',
    );
    expect((await judged(prompt('<form></form>', 'p {}').replace('<<<END n1>>>', ''))).passed).toBe(
      false,
    );
  });

  it('reads system text and every message, and every fence of an artifact', async () => {
    const judge = readingJudge(rules);
    const system = fence('artifact app.css', 'p {}', 'n');
    const messages = [
      { role: 'user' as const, content: fence('artifact login.html', '<form></form>', 'n') },
    ];
    const whole = { ...ask(''), system, messages };
    expect(JSON.parse((await judge.generate(whole)).text)).toMatchObject({ passed: true });
    const twice = {
      ...whole,
      messages: [...messages, { role: 'user' as const, content: fence('login.html', 'cut', 'n') }],
    };
    expect(JSON.parse((await judge.generate(twice)).text)).toMatchObject({ passed: false });
    expect(judge.requests.length).toBe(2);
  });

  it('answers in any shape', async () => {
    const judge = readingJudge(rules, {
      id: 'strict',
      answer: ({ passed }) => ({ verdict: passed ? 'yes' : 'no' }),
    });
    expect((await judge.generate(ask('nothing'))).text).toBe('{"verdict":"no"}');
    expect(judge.id).toBe('strict');
  });

  it('needs a rule: a judge that demands nothing would pass everything', () => {
    expect(() => readingJudge({})).toThrow('at least one rule');
  });
});
