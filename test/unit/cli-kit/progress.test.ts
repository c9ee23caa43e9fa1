import { describe, expect, test } from 'vitest';
import { Progress } from '../../../src/cli-kit/show/progress.js';
import { definePipeline } from '../../../src/pipeline/define-pipeline.js';
import { criterion } from '../../../src/reviewers/criterion.js';
import type { AgentOutput, AgentRequest } from '../../../src/self-review/agent.js';
import { agentRequest, textOutput } from '../../../src/self-review/agent.js';
import { fakeClock } from '../../../src/testing/index.js';

const clockAtZero = { now: () => 0, after: () => () => {} };

async function progressOf(
  errColumns: number | undefined,
  stepMs = 0,
): Promise<{ readonly text: string; readonly cancelled: boolean }> {
  let text = '';
  let cancelled = false;
  let now = 0;
  let tick = (): void => {};
  const clock = {
    now: () => {
      now += stepMs;
      return now;
    },
    after: (_: number, callback: () => void) => {
      tick = callback;
      return () => {
        cancelled = true;
      };
    },
  };
  const write = (more: string): void => {
    text += more;
  };
  const status = (line: string): void => write(`\n${line}`);
  const io = { err: write, errColumns, ...(errColumns !== undefined && { status }) };
  const progress = new Progress(io, clock);
  const names = ['one', 'two', 'three', 'four'];
  const pipeline = definePipeline<AgentRequest, AgentOutput>({
    produce: async () => textOutput('x'),
    address: async (output) => output,
    reviewers: names.map((name) =>
      criterion(name, async () => {
        tick();
        return name !== 'two';
      }),
    ),
  });
  progress.follow(pipeline);
  await pipeline.run(agentRequest('task'));
  progress.stop();
  return { text, cancelled };
}

describe('progress', () => {
  test.each([
    [
      'a terminal',
      80,
      ['0.0 s, the reviewer reads', '0.2 s, the reviewer reads', '0.4 s, the reviewer reads'],
    ],
    ['a log', undefined, ['5.0 s, the reviewer reads', '10.0 s, the reviewer reads']],
  ])('tells %s what a command waits for [R2-082]', async (_, errColumns, lines) => {
    const clock = fakeClock();
    const shown: string[] = [];
    const show = (line: string): void => void (line !== '' && shown.push(line.trim()));
    const io = { err: show, errColumns, ...(errColumns !== undefined && { status: show }) };
    const progress = new Progress(io, clock);
    progress.waitFor('the reviewer reads');
    await clock.advanceAsync(errColumns === undefined ? 10_000 : 400);
    progress.stop();
    await clock.advanceAsync(60_000);
    expect(shown).toEqual(lines);
  });

  test('is plain lines where there is no terminal', async () => {
    const { text, cancelled } = await progressOf(undefined);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('0.0 s review 1: asked 0 of 4 checks');
    expect(lines).toContain(
      '0.0 s review 1: asked 0 of 4 checks, judging one, two, three and 1 more',
    );
    expect(lines.at(-2)).toMatch(/^review 1: 3 passed, 1 failed, 1 gap, overall \d\.\d\d, 0\.0 s$/);
    expect(lines.at(-1)).toBe('review 1: addressing 1 gap');
    expect(text).not.toMatch(/\r/);
    expect(cancelled).toBe(true);
  });

  test.each([
    [200, /^\d\.\d s review 1: \[#{5}\.{15}\] asked 1 of 4 checks/],
    [80, /^\d\.\d s review 1: \[#{5}\.{15}\] asked 1 of 4 checks/],
    [60, /^\d\.\d s review 1: asked 1 of 4 checks/],
  ])(
    'is a line of a terminal of %d columns that begins with the time [R2-084]',
    async (columns, line) => {
      const { text } = await progressOf(columns, 250);
      expect(text.split('\n').some((one) => line.test(one))).toBe(true);
    },
  );

  test('is shown by events too, because timers do not fire while checks compute [R2-083]', async () => {
    let now = 0;
    const shown: string[] = [];
    const io = { err: () => {}, errColumns: 80, status: (line: string) => void shown.push(line) };
    const progress = new Progress(io, { now: () => now, after: () => () => {} });
    const pipeline = definePipeline<AgentRequest, AgentOutput>({
      produce: async () => textOutput('x'),
      reviewers: ['one', 'two', 'three'].map((name) =>
        criterion(name, async () => {
          now += 300;
          return true;
        }),
      ),
    });
    progress.follow(pipeline);
    await pipeline.run(agentRequest('task'));
    progress.stop();
    expect(shown.filter((line) => /asked [123] of 3 checks/.test(line)).length).toBeGreaterThan(0);
  });

  test('shows nothing after its end, when an answer replays earlier events [R2-072]', async () => {
    let text = '';
    const write = (more: string): void => {
      text += more;
    };
    const progress = new Progress({ err: write, errColumns: 80, status: write }, clockAtZero);
    const pipeline = definePipeline<AgentRequest, AgentOutput>({
      produce: async () => textOutput('x'),
      reviewers: [criterion('one', async () => true)],
    });
    progress.follow(pipeline);
    progress.stop();
    text = '';
    await pipeline.run(agentRequest('task'));
    expect(text).toBe('');
  });
});
