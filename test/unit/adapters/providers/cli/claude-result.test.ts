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
  it.each([
    ['the whole output', result({}), undefined, { text: 'fine', finish: 'stop' }],
    [
      'the last of a list',
      `[${result({ result: 'first' })}, ${result({})}, {"type": "system"}]`,
      undefined,
      { text: 'fine' },
    ],
    ['the last line that is one', `warning: x\n${result({})}\ndone`, undefined, { text: 'fine' }],
    [
      'a structure',
      result({ structured_output: { verdict: 'pass' } }),
      schema,
      { object: { verdict: 'pass' }, text: '{"verdict":"pass"}' },
    ],
    [
      'a half answer',
      result({ stop_reason: 'max_tokens', structured_output: { verdict: 'pass' } }),
      schema,
      { finish: 'length', text: 'fine' },
    ],
    [
      'a half answer that is an error',
      result({ is_error: true, result: 'exceeded the output token maximum' }),
      schema,
      { finish: 'length', text: '' },
    ],
    ['no text', result({ result: null }), undefined, { text: '' }],
    [
      'usage and model',
      result({
        usage: { input_tokens: 4, output_tokens: 2, cache_read_input_tokens: 5 },
        total_cost_usd: 0.1,
        modelUsage: { 'model-x': {} },
      }),
      undefined,
      {
        usage: { inputTokens: 9, outputTokens: 2, cachedInputTokens: 5, costUsd: 0.1 },
        model: 'model-x',
      },
    ],
  ])('reads %s', async (_, stdout, wanted, expected) => {
    expect(await readClaude(output(stdout), call(wanted))).toMatchObject(expected);
  });

  it.each([
    ['no result object', 'Hello!', 0, undefined, { code: 'provider_malformed' }],
    [
      'no result object of a command that failed',
      'Hello!',
      1,
      undefined,
      { code: 'process_failed', retryable: false },
    ],
    ['a success of a command that failed', result({}), 1, undefined, { code: 'process_failed' }],
    [
      'a success of a command that was ended',
      result({}),
      null,
      undefined,
      { code: 'process_failed', retryable: true },
    ],
    [
      'a refusal',
      result({ stop_reason: 'refusal', result: null }),
      0,
      undefined,
      { code: 'answer_refused' },
    ],
    [
      'a refusal that is an error',
      result({ is_error: true, stop_reason: 'refusal' }),
      1,
      undefined,
      { code: 'answer_refused' },
    ],
    ['no structure', result({}), 0, schema, { code: 'answer_unreadable', retryable: true }],
    [
      'a list for a structure',
      result({ structured_output: [] }),
      0,
      schema,
      { code: 'answer_unreadable' },
    ],
    [
      'too many tries for a structure',
      result({ is_error: true, subtype: 'error_max_structured_output_retries' }),
      0,
      schema,
      { code: 'answer_unreadable' },
    ],
    [
      'too much money',
      result({ is_error: true, subtype: 'error_max_budget_usd', result: null }),
      0,
      undefined,
      { code: 'budget_exceeded' },
    ],
    [
      'an error that says nothing',
      result({ is_error: true, result: null, subtype: null }),
      1,
      undefined,
      {
        code: 'provider_unavailable',
        message: expect.stringContaining('no reason given') as unknown,
      },
    ],
  ])('D000-05: %s is no answer', async (_, stdout, exitCode, wanted, expected) => {
    await expect(readClaude(output(stdout, exitCode), call(wanted))).rejects.toMatchObject(
      expected,
    );
  });
});
