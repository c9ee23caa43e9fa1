import { expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';
import { programs } from './run-cells.js';

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
