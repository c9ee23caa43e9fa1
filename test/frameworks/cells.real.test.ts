import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';
import { type Cells, cellsOf, programs, type Seen } from './run-cells.js';

/** What the stream of a framework contains: a first review, a revision, a question, then the answer. */
const parts = [
  'data-review false',
  'data-gaps 1',
  'data-review true',
  'data-gaps 0',
  'data-request ',
  'data-outcome suspended',
  // the reviews are replayed after the answer, and not written again
  'data-outcome approved',
];
const turn = ['raw_model_stream_event', 'run_item_stream_event'];

const streams: Readonly<Record<string, readonly string[]>> = {
  mastra: parts,
  langgraph: parts,
  'openai-agents': [...turn, 'review-end revise', ...turn, 'review-end approve', 'approved 15 15'],
};

// the AI SDK has its stream of UI messages, which its example shows
for (const [name, program] of Object.entries(programs))
  describeFramework(name, (framework) => {
    let cells: Cells;
    /** The cells of the first process, and those of another one, which is given the questions of the first. */
    let first: Readonly<Record<string, Seen>>;
    let second: Readonly<Record<string, Seen>>;

    beforeAll(async () => {
      cells = await cellsOf(framework, program);
      const asked = ['approve', 'reject', 'stale'].map((run) => ({ cell: 'suspend', run }));
      const steps = [
        { cell: 'revise', run: 'revise' },
        { cell: 'cancel', run: 'cancel' },
        ...asked,
      ];
      first = named(steps, await cells.run(...steps));
      const request = (run: string) => first[`suspend ${run}`]?.requests?.[0];
      const more = [
        { cell: 'again', run: 'approve' },
        { cell: 'approve', run: 'approve', request: request('approve') },
        { cell: 'reject', run: 'reject', request: request('reject') },
        { cell: 'stale', run: 'stale', request: request('stale') },
        { cell: 'again', run: 'stale' },
      ];
      second = named(more, await cells.run(...more));
    });
    afterAll(() => cells.end());

    it('revises: the agent is told the gap, and its usage counts once', () => {
      const seen = first['revise revise'];
      expect(seen, seen?.error).toMatchObject({ status: 'approved', output: '# Tea', reviews: 2 });
      expect(seen?.counts).toMatchObject({ model: 2, tool: 0 });
      expect(seen?.used).toMatchObject({
        inputTokens: 20,
        outputTokens: 10,
        totalTokens: 30,
        cachedInputTokens: 8,
        reasoningTokens: 4,
      });
    });

    it('suspends at a tool call, and goes on in another process, where the tool runs once', () => {
      const asked = first['suspend approve'];
      expect(asked, asked?.error).toMatchObject({ status: 'suspended', reviews: 0 });
      expect(asked?.counts).toMatchObject({ model: 1, tool: 0 });
      expect(asked?.requests?.[0]).toMatchObject({
        from: 'produce',
        subject: { tool: 'publish', input: { price: 4 } },
      });
      // a run that is only continued still waits, and pays nothing
      expect(second['again approve']).toMatchObject({
        status: 'suspended',
        counts: { model: 0, tool: 0 },
      });
      const ended = second['approve approve'];
      expect(ended, ended?.error).toMatchObject({
        status: 'approved',
        output: '# Tea',
        reviews: 2,
        counts: { model: 2, tool: 1 },
      });
      expect(ended?.used).toMatchObject({ totalTokens: 45 });
    });

    it('tells the agent that a person rejected its tool call', () => {
      const ended = second['reject reject'];
      expect(ended, ended?.error).toMatchObject({
        status: 'approved',
        reviews: 2,
        counts: { model: 2, tool: 0 },
      });
    });

    it('refuses an answer about another call of the tool', () => {
      expect(second['stale stale']).toMatchObject({
        refused: 'request_stale',
        counts: { model: 0, tool: 0 },
      });
      expect(second['again stale']).toMatchObject({ status: 'suspended' });
    });

    it('aborts the call of its model when the run is cancelled', () => {
      expect(first['cancel cancel']).toMatchObject({
        status: 'cancelled',
        counts: { model: 1, aborted: true },
      });
    });

    if (program in streams)
      it('its stream contains what a review finds', async () => {
        const { code, out, err } = await framework.run(
          `test/frameworks/programs/stream-${program}.ts`,
        );
        const lines = `${out}${err}`.trimEnd().split('\n');
        const seen = lines.filter((line, at) => line !== lines[at - 1]);
        expect(seen).toEqual(streams[program]);
        expect(code).toBe(0);
      });

    it('has types that fit its own, also in its stream and its example', () => {
      const used = [
        program,
        'cells',
        'spans',
        ...(program in streams ? [`stream-${program}`, 'streamed-review'] : []),
      ];
      expect(
        framework.typeErrors([
          ...used.map((each) => `test/frameworks/programs/${each}.ts`),
          `examples/frameworks/${program}.ts`,
        ]),
      ).toBe('');
    });
  });

function named(
  steps: readonly { readonly cell: string; readonly run: string }[],
  seen: readonly Seen[],
): Readonly<Record<string, Seen>> {
  return Object.fromEntries(
    seen.flatMap((one, at) => {
      const { cell, run } = steps[at] ?? {};
      return [[`${cell} ${run}`, one]];
    }),
  );
}
