import { describe, expect, test } from 'vitest';
import { Progress } from '../../../src/cli-kit/show/progress.js';
import { definePipeline } from '../../../src/pipeline/define-pipeline.js';
import { criterion } from '../../../src/reviewers/criterion.js';
import type { AgentOutput, AgentRequest } from '../../../src/self-review/agent.js';
import { agentRequest, textOutput } from '../../../src/self-review/agent.js';

async function progressOf(
  errColumns: number | undefined,
): Promise<{ readonly text: string; readonly cancelled: boolean }> {
  let text = '';
  let cancelled = false;
  let tick = (): void => {};
  const clock = {
    now: () => 0,
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
  const progress = new Progress({ err: write, errColumns }, clock);
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
  test('is plain lines where there is no terminal', async () => {
    const { text, cancelled } = await progressOf(undefined);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('review 1: asked 0 of 4 checks, 0.0 s');
    expect(lines).toContain(
      'review 1: asked 0 of 4 checks, judging one, two, three and 1 more, 0.0 s',
    );
    expect(lines.at(-2)).toMatch(/^review 1: 3 passed, 1 failed, 1 gap, overall \d\.\d\d, 0\.0 s$/);
    expect(lines.at(-1)).toBe('review 1: addressing 1 gap');
    expect(text).not.toMatch(/\r/);
    expect(cancelled).toBe(true);
  });

  test('is one line that changes on a terminal, no wider than it', async () => {
    const { text } = await progressOf(60);
    const lines = text.replaceAll('\r\u001b[K', '\n').split('\n');
    expect(lines.some((line) => /^review 1: \[#{5}\.{15}\] asked 1 of 4 checks/.test(line))).toBe(
      true,
    );
    for (const line of lines) expect(line.length).toBeLessThan(60);
  });
});
