import { join } from 'node:path';
import {
  definePipeline,
  type HumanRequest,
  type Outcome,
  type Pipeline,
  type Usage,
} from 'reviewloop';
import type { AgentMaker } from 'reviewloop/ai-sdk';
import { traceRuns } from 'reviewloop/otel';
import { fileStore } from 'reviewloop/stores/file';
import { keepSpans } from './spans.js';

/** What a scripted agent counts. */
export interface Counts {
  model: number;
  tool: number;
  /** Whether a call of the model was aborted. */
  aborted: boolean;
  /** Called by a model that hangs. */
  onHang?: () => void;
}

/** How a cell wants its agent. */
export interface AgentWish {
  readonly counts: Counts;
  /** Whether it calls the tool `publish` with `{ price: 4 }`, which needs approval, before it ends. */
  readonly tool: boolean;
  /** Whether the model never answers, until it is aborted. */
  readonly hangs: boolean;
  /** Whether the framework makes spans of OpenTelemetry. */
  readonly traced: boolean;
}

/** A scripted agent as a producer, and what a reviewer of the cells of traces calls. */
export interface ScriptedAgent extends AgentMaker<string, string> {
  /** Calls the framework, as a judge that somebody wrote with it does. */
  readonly judge: (text: string) => Promise<unknown>;
}

/** Makes an agent of a framework whose model follows {@link reply}, and has 10 and 5 tokens a call. */
export type MakeAgent = (wish: AgentWish) => ScriptedAgent | Promise<ScriptedAgent>;

/** What the scripted model says: a title only if it was told that it is missing. */
export function reply(prompt: string): string {
  return prompt.includes('no title') ? '# Tea' : 'tea';
}

/** Whether the model calls the tool: before it knows the result, and not when it revises. */
export function callsTool({ tool }: AgentWish, prompt: string, resultMark: string): boolean {
  return tool && !prompt.includes(resultMark) && !prompt.includes('no title');
}

/** Never settles, until the signal is aborted. */
export function hang(signal: AbortSignal | undefined, counts: Counts): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => {
      counts.aborted = true;
      reject(signal.reason);
    });
    counts.onHang?.();
  });
}

/** A cell to run: its name, the run that it is about, and the question that an earlier process was asked. */
export interface CellStep {
  readonly cell: string;
  readonly run?: string;
  readonly request?: unknown;
}

export async function runCells(make: MakeAgent): Promise<void> {
  const [steps = '[]', folder = ''] = process.argv.slice(2);
  const seen: object[] = [];
  for (const step of JSON.parse(steps)) seen.push(await runCell(make, folder, step));
  console.log(JSON.stringify(seen));
}

async function runCell(make: MakeAgent, folder: string, step: CellStep): Promise<object> {
  const { cell, run = 'tea', request } = step;
  const counts: Counts = { model: 0, tool: 0, aborted: false };
  const traced = cell.startsWith('traced');
  const wish = {
    counts,
    tool: cell !== 'revise' && cell !== 'cancel',
    hangs: cell === 'cancel',
    traced,
  };
  if (traced) keepSpans(join(folder, `${cell}.spans`));
  const { judge, ...maker } = await make(wish);
  const pipeline = definePipeline<string, string>({
    name: 'article',
    ...maker,
    criteria: {
      'has-title': (text) => text.startsWith('# ') || 'no title',
      ...(traced && { judged: async (text: string) => (await judge(text)) !== undefined }),
    },
    failFast: false,
    store: fileStore(folder),
    ...(traced && { around: traceRuns() }),
  });
  const seen = await cells[cell]?.({ pipeline, runId: `${run}-1`, request, counts });
  return { ...seen, counts };
}

interface CellInput {
  readonly pipeline: Pipeline<string, string>;
  readonly runId: string;
  /** The question that an earlier process was asked, out of its JSON. */
  readonly request: unknown;
  readonly counts: Counts;
}

const task = 'Write about tea';

const begun = async ({ pipeline, runId }: CellInput) => shown(await pipeline.run(task, { runId }));
const approved = async ({ pipeline, request }: CellInput) =>
  shown(await pipeline.answer(request as HumanRequest, { kind: 'approve', by: 'ann' }));

const cells: Readonly<Record<string, (input: CellInput) => Promise<object>>> = {
  revise: begun,
  suspend: begun,
  again: begun,
  'traced-suspend': begun,
  approve: approved,
  'traced-approve': approved,
  reject: async ({ pipeline, request }) =>
    shown(
      await pipeline.answer(request as HumanRequest, {
        kind: 'reject',
        by: 'ann',
        reason: 'later',
      }),
    ),
  stale: async (input) => {
    const request = { ...Object(input.request), digest: '0'.repeat(64) };
    return approved({ ...input, request }).catch((error) => ({ refused: error.code }));
  },
  cancel: async ({ pipeline, runId, counts }) => {
    const stop = new AbortController();
    counts.onHang = () => stop.abort();
    return shown(await pipeline.run(task, { runId, signal: stop.signal }));
  },
};

function addUsage(sum: Usage, more: Usage): Usage {
  const counts = { ...sum };
  for (const [name, count] of Object.entries(more) as [keyof Usage, number][])
    counts[name] = (counts[name] ?? 0) + count;
  return counts;
}

function shown(outcome: Outcome<string>): object {
  const { status, code, output, reviews, usage } = outcome;
  const requests = outcome.status === 'suspended' ? outcome.requests : [];
  const error = outcome.status === 'failed' ? String(outcome.error?.stack) : undefined;
  const used = Object.values(usage).reduce(addUsage, {});
  return { status, code, output, reviews: reviews.length, used, requests, error };
}
