import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Framework } from '../support/frameworks.js';
import type { CellStep } from './programs/cells.js';

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

/** Cells of a program over one store. */
export interface Cells {
  /** Runs cells one after another, in one process of their own. */
  readonly run: (...steps: readonly CellStep[]) => Promise<readonly Seen[]>;
  /** What the processes share. */
  readonly folder: string;
  readonly end: () => Promise<void>;
}

export async function cellsOf(framework: Framework, program: string): Promise<Cells> {
  const folder = await mkdtemp(join(tmpdir(), 'reviewloop-cells-'));
  const file = `test/frameworks/programs/${program}.ts`;
  return {
    folder,
    run: async (...steps) => {
      const { code, out, err } = await framework.run(file, [JSON.stringify(steps), folder]);
      expect(code, `${out}${err}`).toBe(0);
      return JSON.parse(out.trim().split('\n').at(-1) ?? '');
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
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
