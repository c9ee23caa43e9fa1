import { expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';
import { cellsOf, programs } from './run-cells.js';

for (const [name, program] of Object.entries(programs))
  describeFramework(name, (framework) => {
    it('revises: the agent is told the gap, and its usage counts once', async () => {
      const cell = await cellsOf(framework, program);
      const seen = await cell('revise');
      expect(seen, seen.error).toMatchObject({ status: 'approved', output: '# Tea', reviews: 2 });
      expect(seen.counts).toMatchObject({ model: 2, tool: 0 });
      expect(seen.used).toMatchObject({
        inputTokens: 20,
        outputTokens: 10,
        totalTokens: 30,
        cachedInputTokens: 8,
        reasoningTokens: 4,
      });
    });

    it('suspends at a tool call, and goes on in another process, where the tool runs once', async () => {
      const cell = await cellsOf(framework, program);
      const asked = await cell('suspend');
      expect(asked, asked.error).toMatchObject({ status: 'suspended', reviews: 0 });
      expect(asked.counts).toMatchObject({ model: 1, tool: 0 });
      const [request] = asked.requests ?? [];
      expect(request).toMatchObject({
        from: 'produce',
        subject: { tool: 'publish', input: { price: 4 } },
      });
      // a run that is only continued still waits, and pays nothing
      const again = await cell('again');
      expect(again).toMatchObject({ status: 'suspended', counts: { model: 0, tool: 0 } });
      const ended = await cell('approve', request);
      expect(ended, ended.error).toMatchObject({
        status: 'approved',
        output: '# Tea',
        reviews: 2,
        counts: { model: 2, tool: 1 },
      });
      expect(ended.used).toMatchObject({ totalTokens: 45 });
    });

    it('tells the agent that a person rejected its tool call', async () => {
      const cell = await cellsOf(framework, program);
      const { requests } = await cell('suspend');
      const ended = await cell('reject', requests?.[0]);
      expect(ended, ended.error).toMatchObject({
        status: 'approved',
        reviews: 2,
        counts: { model: 2, tool: 0 },
      });
    });

    it('refuses an answer about another call of the tool', async () => {
      const cell = await cellsOf(framework, program);
      const { requests } = await cell('suspend');
      expect(await cell('stale', requests?.[0])).toMatchObject({
        refused: 'request_stale',
        counts: { model: 0, tool: 0 },
      });
      expect(await cell('again')).toMatchObject({ status: 'suspended' });
    });

    it('aborts the call of its model when the run is cancelled', async () => {
      const cell = await cellsOf(framework, program);
      expect(await cell('cancel')).toMatchObject({
        status: 'cancelled',
        counts: { model: 1, aborted: true },
      });
    });

    it('has types that fit its own', () => {
      expect(
        framework.typeErrors([
          `test/frameworks/programs/${program}.ts`,
          'test/frameworks/programs/cells.ts',
          'test/frameworks/programs/spans.ts',
        ]),
      ).toBe('');
    });
  });

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
for (const [name, program] of Object.entries(programs).filter(([, each]) => each in streams))
  describeFramework(name, ({ run, typeErrors }) => {
    const file = `test/frameworks/programs/stream-${program}.ts`;

    it('its stream contains what a review finds', async () => {
      const { code, out, err } = await run(file);
      const lines = `${out}${err}`.trimEnd().split('\n');
      const seen = lines.filter((line, at) => line !== lines[at - 1]);
      expect(seen).toEqual(streams[program]);
      expect(code).toBe(0);
    });

    it('its stream has types that fit its own', () => {
      const shared = ['streamed-review', 'cells', 'spans'].map(
        (each) => `test/frameworks/programs/${each}.ts`,
      );
      expect(typeErrors([file, ...shared])).toBe('');
    });
  });
