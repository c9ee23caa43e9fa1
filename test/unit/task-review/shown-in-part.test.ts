import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { modelErrors } from '../../../src/model/errors.js';
import { answerAbout, answersOf } from '../../../src/task-review/answers-of.js';
import { reviewCode } from '../../../src/task-review/review-code.js';
import { CheckOutputs } from '../../../src/task-review/task-checks.js';
import { hang, scriptedProvider } from '../../../src/testing/index.js';
import { task } from './support.js';

const verdict = (name: string): string =>
  JSON.stringify({ verdict: name, reason: 'r', issues: [] });
const file = {
  ...{ path: 'a.js', status: 'modified' as const, added: 1, removed: 0, binary: false },
  ...{ submodule: false, header: 'diff --git a/a.js b/a.js\n', omitted: false, hunks: [] },
};
const text = 'diff --git a/a.js b/a.js\n+new\n';

describe('a code review of a change that was shown in part', () => {
  const change = { text, files: [file, { ...file, path: 'logo.png', binary: true }] };
  const reviewed = (answer: string, allowUnseen?: readonly string[]) =>
    reviewCode(task, { provider: scriptedProvider([answer]), allowUnseen }, { change });

  it.each(['passed', 'fixed'])('is no review if it says %s', async (name) => {
    const { verdict: said, error, reason } = await reviewed(verdict(name));
    expect(said).toBe('not_run');
    expect(error).toContain('logo.png');
    expect(reason).toBe(error);
  });

  it('still fails, and passes if the rest is left out on purpose', async () => {
    expect(await reviewed(verdict('failed'))).toMatchObject({
      ...{ verdict: 'failed', error: 'Review found issues' },
    });
    expect(await reviewed(verdict('passed'), ['.png'])).toMatchObject({
      ...{ verdict: 'passed', error: undefined },
    });
    expect(await reviewed(verdict('passed'), ['.png'])).not.toHaveProperty('part');
  });

  it('takes a change that was measured before as it is', async () => {
    const measured = {
      ...{ base: 'b', digest: 'd', leftOut: 0, diff: '+one\n', parts: ['+first\n', '+second\n'] },
      files: [file],
    };
    const provider = scriptedProvider([verdict('passed'), verdict('passed')]);
    expect((await reviewCode(task, { provider }, { change: measured })).verdict).toBe('passed');
    const prompts = provider.requests.map(({ messages }) => messages[0]?.content ?? '');
    expect(prompts.map((prompt) => /^\+(.*)$/m.exec(prompt)?.[1])).toEqual(['first', 'second']);
  });
});

describe('parts of one review', () => {
  const change = {
    ...{ base: 'b', digest: 'd', leftOut: 0, diff: '', parts: ['+1\n', '+2\n', '+3\n'] },
    files: [file],
  };
  const combined = (...answers: Parameters<typeof scriptedProvider>[0] & readonly unknown[]) =>
    reviewCode(task, { provider: scriptedProvider(answers as string[]), reasks: 0 }, { change });

  it('name those that decide, and all texts', async () => {
    const issue = { severity: 'major', text: 'thin' };
    const failed = JSON.stringify({ verdict: 'failed', reason: 'bad', issues: [issue] });
    expect(await combined(verdict('passed'), failed, verdict('passed'))).toMatchObject({
      ...{ verdict: 'failed', reason: 'part 2: bad', issues: [issue] },
      output:
        'part 1:\nREVIEW_PASSED: r\n\npart 2:\nMAJOR: thin\nREVIEW_FAILED: bad\n\npart 3:\nREVIEW_PASSED: r',
    });
    expect(await combined(verdict('passed'), verdict('passed'), verdict('passed'))).toMatchObject({
      ...{ verdict: 'passed', reason: 'part 1: r; part 2: r; part 3: r' },
    });
  });

  it('are no review where one is missing, which may come later', async () => {
    const down = new ReviewLoopError(modelErrors.provider_rate_limited, 'slow', {
      retryable: true,
    });
    const {
      verdict: said,
      reason,
      retryable,
      output,
    } = await combined(...([verdict('passed'), down, verdict('passed')] as unknown as string[]));
    expect([said, retryable]).toEqual(['error', true]);
    expect(reason).toMatch(/^part 2: API error: .*slow/);
    expect(output).toContain('part 2:\nAPI error');
  });
});

it('a review without a change is shown none', async () => {
  const provider = scriptedProvider([verdict('passed')]);
  expect((await reviewCode(task, { provider })).verdict).toBe('passed');
  expect(provider.requests[0]?.messages[0]?.content).not.toContain('Code Changes');
});

it('a review that is late says what failed before', async () => {
  const provider = scriptedProvider(() => hang);
  expect((await reviewCode(task, { provider, timeoutMs: 50 })).reason).toBe(
    'Review timed out: no answer within 0.05 s',
  );
});

it('outputs of checks are those of one run and one review, until they are forgotten', () => {
  const outputs = new CheckOutputs();
  outputs.put('r', 1, { test: 'one' });
  outputs.put('r', 2, { test: 'two' });
  outputs.put('s', 1, { lint: 'clean' });
  expect([outputs.get('r', 1), outputs.get('r', 2), outputs.get('r', 3)]).toEqual([
    ...[{ test: 'one' }, { test: 'two' }, {}],
  ]);
  outputs.forget('r');
  expect([outputs.get('r', 1), outputs.get('s', 1), outputs.get('t', 1)]).toEqual([
    ...[{}, { lint: 'clean' }, {}],
  ]);
});

it('the answer of a person to a version has a name and a reason, which may be a note', async () => {
  const answer = (digest: string, given: object) => ({ type: 'answer', digest, answer: given });
  const records = [
    { type: 'step', digest: 'c' },
    answer('a', { kind: 'revise', by: 'Ada', note: 'more milk' }),
    answer('b', { kind: 'approve', by: 'Bo', reason: 'seen' }),
    answer('d', { kind: 'approve', by: 'Bo' }),
  ];
  const store = { read: async (id: string) => (id === 'r' ? records : undefined) };
  const answers = await answersOf(store as never, 'r');
  const about = (version: string) => answerAbout({ version } as never, answers);
  expect(about('a')).toEqual({ decidedBy: 'Ada', decisionReason: 'more milk' });
  expect(about('b')).toEqual({ decidedBy: 'Bo', decisionReason: 'seen' });
  expect(about('d')).toEqual({ decidedBy: 'Bo', decisionReason: null });
  expect(about('c')).toEqual({ decidedBy: null, decisionReason: null });
  expect((await answersOf(store as never, 'none')).size).toBe(0);
});
