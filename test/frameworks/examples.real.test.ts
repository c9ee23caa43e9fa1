import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeFramework } from '../support/frameworks.js';
import type { KeptSpan } from './programs/spans.js';
import { cellsOf, programs } from './run-cells.js';

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
  describeFramework(name, ({ run }) => {
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
  });

/** The outermost span that each framework makes of a call. LangGraph makes none: it is that of its model. */
const callSpan: Readonly<Record<string, string>> = {
  'ai-6': 'ai.generateText',
  'ai-7': 'invoke_agent mock-model-id',
  mastra: 'invoke_agent writer',
  langgraph: 'scripted model',
  'langgraph-0': 'scripted model',
  'openai-agents': 'task Agent workflow',
  'openai-agents-0.8': 'invoke_agent writer',
};

async function spansOf(folder: string, cell: string): Promise<KeptSpan[]> {
  const text = await readFile(join(folder, `${cell}.spans`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function pathOf(span: KeptSpan, all: readonly KeptSpan[]): string[] {
  const parent = all.find(({ id }) => id === span.parent);
  return [...(parent === undefined ? [] : pathOf(parent, all)), span.name];
}

function calls(all: readonly KeptSpan[]): string[] {
  const ours = new Set(all.filter(({ scope }) => scope === 'reviewloop').map(({ id }) => id));
  return all
    .filter(({ scope, parent }) => scope !== 'reviewloop' && (!parent || ours.has(parent)))
    .map((span) => pathOf(span, all).join(' > '))
    .sort();
}

function placeOf(path: string): string {
  return path.slice(0, path.lastIndexOf(' > '));
}

for (const [name, program] of Object.entries(programs)) {
  const call = callSpan[name];
  if (call !== undefined)
    describeFramework(name, (framework) => {
      it('its spans lie in those of the run, in two processes, and the second trace links to the first', async () => {
        const cells = await cellsOf(framework, program);
        onTestFinished(cells.end);
        const [asked] = await cells.run({ cell: 'traced-suspend' });
        expect(asked, asked?.error).toMatchObject({ status: 'suspended' });
        const first = await spansOf(cells.folder, 'traced-suspend');
        expect(calls(first)).toEqual([`invoke_workflow article > invoke_agent article > ${call}`]);

        const [ended] = await cells.run({
          cell: 'traced-approve',
          request: asked?.requests?.[0],
        });
        expect(ended, ended?.error).toMatchObject({ status: 'approved', reviews: 2 });
        const second = await spansOf(cells.folder, 'traced-approve');
        const run = 'invoke_workflow article';
        expect(new Set(calls(second).map(placeOf))).toEqual(
          new Set([
            `${run} > invoke_agent article`,
            `${run} > review 1 > evaluation judged`,
            `${run} > review 2 > evaluation judged`,
          ]),
        );
        expect(calls(second).filter((path) => path.endsWith(` > ${call}`)).length).toBeGreaterThan(
          2,
        );
        // the approved tool runs in the work too
        const [tool] = second.filter(
          ({ name: of }) => of.includes('publish') || of === 'ai.toolCall',
        );
        expect(tool && pathOf(tool, second).slice(0, 2)).toEqual([run, 'invoke_agent article']);
        const [trace] = first.map((span) => span.trace);
        expect(new Set(first.map((span) => span.trace)).size).toBe(1);
        expect(new Set(second.map((span) => span.trace)).size).toBe(1);
        expect(second.find((span) => span.name === run)?.links).toEqual([trace]);
      });
    });
}
