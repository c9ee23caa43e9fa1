import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Framework } from '../support/frameworks.js';

/** What a program of test/frameworks/programs prints. */
export interface Seen {
  readonly status?: string;
  readonly refused?: string;
  readonly output?: string;
  readonly reviews?: number;
  readonly used?: Readonly<Record<string, unknown>>;
  readonly requests?: readonly Readonly<Record<string, unknown>>[];
  readonly error?: string;
  readonly counts: { readonly model: number; readonly tool: number; readonly aborted: boolean };
}

/** Runs a cell in a process of its own; `request` is the question that an earlier one was asked. */
export interface RunCell {
  (cell: string, request?: unknown): Promise<Seen>;
  /** What the processes share. */
  readonly folder: string;
}

/** Runs cells of a program in processes of their own, over one store. */
export async function cellsOf({ run }: Framework, program: string): Promise<RunCell> {
  const folder = await mkdtemp(join(tmpdir(), 'reviewloop-cells-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const cell = async (name: string, request?: unknown): Promise<Seen> => {
    const given = request === undefined ? [] : [JSON.stringify(request)];
    const { code, out, err } = await run(`test/frameworks/programs/${program}.ts`, [
      name,
      folder,
      ...given,
    ]);
    expect(code, `${out}${err}`).toBe(0);
    return JSON.parse(out.trim().split('\n').at(-1) ?? '');
  };
  return Object.assign(cell, { folder });
}

/** The program of each set. */
export const programs = {
  'ai-6': 'ai-sdk',
  'ai-7': 'ai-sdk',
  mastra: 'mastra',
  langgraph: 'langgraph',
  'openai-agents': 'openai-agents',
  'openai-agents-0.8': 'openai-agents',
  'langgraph-0': 'langgraph',
};
