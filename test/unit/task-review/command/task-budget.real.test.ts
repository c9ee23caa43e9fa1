import { describe, expect, it } from 'vitest';
import { memoryAttempts } from '../../../../src/task-review/attempt-store.js';
import { TaskSpending } from '../../../../src/task-review/command/task-spending.js';
import { scriptedProvider } from '../../../../src/testing/index.js';
import { runCli } from '../../cli/harness.js';
import { project, reviewOf, task } from '../support.js';
import { reviewer, run, shop } from './task-shop.js';

const none = { budgetTokens: undefined, budgetUsd: undefined };

describe('the budget of a task review', () => {
  const answer = JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] });

  it('tokens that do not fit are not spent, and the task is not reviewed [R2-062, R2-129, P4-51]', async () => {
    const asked = async (tokens: number) => {
      const provider = scriptedProvider(() => ({
        text: answer,
        usage: { inputTokens: 900, outputTokens: 100 },
      }));
      const attempts = memoryAttempts();
      const { review } = reviewOf(project(), ['exports.value = 1;\n'], {
        provider,
        attempts,
        budget: { tokens },
      });
      return { result: await review.run(task), calls: provider.requests.length };
    };
    expect(await asked(100_000)).toMatchObject({ calls: 1, result: { success: true } });
    const short = await asked(50);
    expect(short.calls).toBe(0);
    expect(short.result).toMatchObject({
      success: false,
      code: 'REVIEW_NOT_RUN',
      run: { status: 'exhausted', code: 'budget_tokens' },
      error: expect.stringContaining('token budget 50 exceeded'),
    });
  });

  it('money that execute reports ends the attempts [R2-062]', async () => {
    const repository = project();
    const attempts: number[] = [];
    const { review } = reviewOf(repository, [], {
      budget: { costUsd: 1 },
      maxAttempts: 9,
      execute: async (_, { reportUsage, attempt }) => {
        attempts.push(attempt);
        reportUsage({ costUsd: 0.75 });
        repository.write('api.js', `exports.value = 0; // ${attempt}\n`);
      },
    });
    expect(await review.run(task)).toMatchObject({
      success: false,
      run: { status: 'exhausted', code: 'budget_cost' },
      error: expect.stringContaining('cost budget 1 USD exceeded'),
    });
    expect(attempts).toEqual([1, 2]);
  });

  it.each([
    [{ tokens: 0 }],
    [{ costUsd: -1 }],
    [{ tokens: '5' }],
    [{ dollars: 5 }],
    [{ reviews: 5 }],
  ])('%j is refused', (budget) => {
    expect(() => reviewOf(project(), [], { budget: budget as never })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});

describe('the budget of a command', () => {
  it('tasks after a used-up budget are not begun [R2-062, R2-129, P4-51]', async () => {
    const { cwd, git } = shop();
    const { server, flags } = await reviewer(() => 'passed');
    const limited = [...run, '--all', ...flags, '--budget-tokens', '10000'];
    const { out, code } = await runCli(cwd, limited);
    expect(code).toBe(50);
    expect(out).toContain('TASK-001: success (review: passed)');
    expect(out).toMatch(
      /TASK-003: not run\n {2}the budget of this command is used up \(--budget-tokens 10000\)/,
    );
    expect(server.seen).toHaveLength(1);
    expect(git('log', '--format=%s')).toContain('TASK-001: Add tea');
    const spent = await runCli(cwd, [...run, '--all', ...flags, '--budget-tokens', '500']);
    expect(spent.out).toMatch(/token budget 500 exceeded: 0 used, \d+ reserved/);
    expect(spent.code).toBe(50);
    const calls = server.seen.length;
    expect((await runCli(cwd, [...run, '--all', ...flags])).code).toBe(0);
    expect(server.seen.length).toBeGreaterThan(calls);
    await server.close();
  });

  it('is shared by what runs at a time, and never spent twice', () => {
    const spending = new TaskSpending({ ...none, budgetTokens: 1000 }, 2);
    const first = spending.allot({});
    const second = spending.allot({ totalTokens: 40 });
    expect(first.budget).toEqual({ tokens: 500 });
    expect(second.budget).toEqual({ tokens: 540 });
    expect(spending.exhausted).toBe('--budget-tokens 1000');
    first.settle({ totalTokens: 100 });
    expect(spending.exhausted).toBeUndefined();
    expect(spending.allot({}).budget).toEqual({ tokens: 400 });
    second.settle({ totalTokens: 540 });
    expect(spending.exhausted).toBe('--budget-tokens 1000');
  });

  it('counts money the same way, and is none without an option', () => {
    const spending = new TaskSpending({ ...none, budgetUsd: 2 }, 1);
    const first = spending.allot({ costUsd: 1 });
    expect(first.budget).toEqual({ costUsd: 3 });
    first.settle({ costUsd: 3 });
    expect(spending.exhausted).toBe('--budget-usd 2');
    expect(new TaskSpending(none, 1).allot({}).budget).toBeUndefined();
  });
});
