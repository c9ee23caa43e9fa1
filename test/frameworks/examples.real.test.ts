import { expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';
import { programs } from './run-cells.js';

/** An answer to an earlier version is told, and the question stays open. */
const stale =
  'question ID is about version ID, not of an earlier draft. Answer the current version: take runId, id and digest from the newest suspended outcome.';

/** What the example of each framework prints; ids differ each time. */
const printed: Readonly<Record<string, readonly string[]>> = {
  'ai-sdk': [
    'May the agent call the tool "price"? {"tool":"price","input":{"of":"tea"}}',
    'data-review',
    'data-gaps',
    'data-review',
    'data-gaps',
    'data-outcome',
    'false has-title: no title',
  ],
  mastra: [
    'data-review false',
    'data-gaps',
    'data-review true',
    'data-gaps',
    'data-request',
    'data-outcome',
    'suspended',
    'The reviewers approve: overall score 1.00 reaches 0.80, no critical or major gap is open. Do you?',
    stale,
    'approved: # Tea',
  ],
  langgraph: [
    'data-review false',
    'data-gaps',
    'data-review true',
    'data-gaps',
    'data-request',
    'data-outcome',
    'The reviewers approve: overall score 1.00 reaches 0.80, no critical or major gap is open. Do you?',
    stale,
    'data-outcome',
    'approved: # Tea',
  ],
  'openai-agents': ['has-title: no title', 'let through: # Tea', 'approved: # Tea after 2 reviews'],
};

for (const [name, example] of Object.entries(programs))
  describeFramework(name, ({ run, typeErrors }) => {
    const file = `examples/frameworks/${example}.ts`;

    it('its example prints what the page says', async () => {
      const { code, out, err } = await run(file);
      const lines = `${out}${err}`
        .trim()
        .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{16})\b/g, 'ID')
        .split('\n');
      expect(lines.map((line) => line.trimEnd())).toEqual(printed[example]);
      expect(code).toBe(0);
    });

    it('its example has types that fit its own', () => {
      expect(typeErrors([file])).toBe('');
    });
  });
