import { describe, expect, it } from 'vitest';
import { readClaude } from '@/adapters/providers/cli/claude-command.js';
import type { CliOutput } from '@/adapters/providers/cli/cli-command.js';

const call = (schema?: object) =>
  ({
    request: { messages: [], signal: new AbortController().signal, ...(schema && { schema }) },
    folder: '',
    model: undefined,
  }) as Parameters<typeof readClaude>[1];
const output = (stdout: string, exitCode: number | null = 0): CliOutput => ({
  exitCode,
  stdout,
  stderr: '',
  place: { id: 'cli:claude', secrets: [] },
  file: async () => undefined,
});
const result = (more: object): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'fine', ...more });
const schema = { type: 'object' };

describe('readClaude', () => {
  const reads = (name: string, stdout: string, expected: object, wanted?: object) =>
    it(`reads ${name}`, async () => {
      expect(await readClaude(output(stdout), call(wanted))).toMatchObject(expected);
    });

  reads('the whole output', result({}), { text: 'fine', finish: 'stop' });
  const list = `[${result({ result: 'first' })}, ${result({})}, {"type": "system"}]`;
  reads('the last of a list', list, { text: 'fine' });
  reads('the last line that is one', `warning: x\n${result({})}\ndone`, { text: 'fine' });
  reads('no text', result({ result: null }), { text: '' });
  const structured_output = { verdict: 'pass' };
  const structure = { object: structured_output, text: '{"verdict":"pass"}' };
  reads('a structure', result({ structured_output }), structure, schema);
  const half = result({ stop_reason: 'max_tokens', structured_output });
  reads('a half answer', half, { finish: 'length', text: 'fine' }, schema);
  const exceeded = result({ is_error: true, result: 'exceeded the output token maximum' });
  reads('a half answer that is an error', exceeded, { finish: 'length', text: '' }, schema);
  const usage = { input_tokens: 4, output_tokens: 2, cache_read_input_tokens: 5 };
  reads('usage and model', result({ usage, total_cost_usd: 0.1, modelUsage: { 'model-x': {} } }), {
    usage: { inputTokens: 9, outputTokens: 2, cachedInputTokens: 5, costUsd: 0.1 },
    model: 'model-x',
  });

  const many = result({ is_error: true, subtype: 'error_max_structured_output_retries' });
  const dear = result({ is_error: true, subtype: 'error_max_budget_usd', result: null });
  const refusal = { stop_reason: 'refusal' };
  it.each<[string, code: string, again: boolean, string, exitCode?: number | null, object?]>([
    ['no result object', 'provider_malformed', true, 'Hello!'],
    ['no result object of a command that failed', 'process_failed', false, 'Hello!', 1],
    ['a success of a command that failed', 'process_failed', false, result({}), 1],
    ['a success of a command that was ended', 'process_failed', true, result({}), null],
    ['a refusal', 'answer_refused', false, result({ ...refusal, result: null })],
    ['an erroneous refusal', 'answer_refused', false, result({ ...refusal, is_error: true }), 1],
    ['no structure', 'answer_unreadable', true, result({}), 0, schema],
    ['a list', 'answer_unreadable', true, result({ structured_output: [] }), 0, schema],
    ['too many tries for a structure', 'answer_unreadable', true, many, 0, schema],
    ['too much money', 'budget_exceeded', false, dear],
  ])('D000-05: %s is no answer: %s, asked again: %s', async (_, code, retryable, ...said) => {
    const [stdout, exitCode, wanted] = said;
    const answer = readClaude(output(stdout, exitCode), call(wanted));
    await expect(answer).rejects.toMatchObject({ code, retryable });
  });

  it('D000-05: an error that says nothing is no answer', async () => {
    const said = output(result({ is_error: true, result: null, subtype: null }), 1);
    await expect(readClaude(said, call())).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringContaining('no reason given') as unknown,
    });
  });
});
