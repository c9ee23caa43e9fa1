import { join } from 'node:path';
import type { Io } from '@/faces/cli-kit/io.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { carryOut } from '@/faces/cli-kit/runs/carry-out.js';
import type { StoreHandle } from '@/faces/cli-kit/store-handle.js';
import { buildStage, loadReviewer } from '@/faces/commands/reviewer-stage/build-stage.js';
import type { StageRequest } from '@/faces/commands/reviewer-stage/stage-request.js';
import { stageRun } from '@/faces/commands/reviewer-stage/stage-run.js';
import { saveRequest } from '@/faces/reports/run-folder.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import { reviewerConfig } from '@/products/reviewer-stage/config.js';
import type { StageResult } from '@/products/reviewer-stage/stage-result.js';
import { streams } from '../../../../support/command-streams.js';
import { folderOf } from '../../cli/harness.js';
import { configWith, diffAgain } from './stage-place.js';

/** A folder without a repository, with a configuration. */
export interface StoredPlace {
  readonly cwd: string;
  readonly store: StoreHandle;
}

export async function storedPlace(config = configWith()): Promise<StoredPlace> {
  const cwd = await folderOf({ 'reviewloop.config.mjs': config });
  const store = folderStore(join(cwd, '.reviewloop'));
  await store.prepare();
  return { cwd, store };
}

let runs = 0;

export function requestOf({ cwd }: StoredPlace, more: Partial<StageRequest> = {}): StageRequest {
  runs += 1;
  const runId = `01920000-0000-7000-8000-${String(runs).padStart(12, '0')}`;
  return {
    ...{ kind: 'stage', schemaVersion: 2, runId, sessionId: `session-${runs}`, cwd },
    ...{ at: new Date().toISOString(), task: { source: 'TASK.md', text: 'Add a file' } },
    ...{ diff: { kind: 'working-tree', base: 'b' }, paths: [], own: [], base: 'b' },
    ...{ config: join(cwd, 'reviewloop.config.mjs'), verify: [], allowTruncated: [], again: false },
    ...{ human: undefined, provider: undefined, model: undefined, baseUrl: undefined },
    ...{ contextTokens: undefined, structured: undefined, providerEnv: [] },
    ...more,
  };
}

/** Work that adds one file. */
export const workWith = (
  request: StageRequest,
  code: string,
  more: Partial<CompletedWork> = {},
) => ({
  ...{ sessionId: request.sessionId, request: request.task.text, executionResults: [] },
  ...{ verificationResults: [], base: 'b', head: 'working-tree' },
  changedFiles: [{ path: 'a.js', status: 'new' as const, added: 1, removed: 0, content: code }],
  ...more,
});

interface Reviewed {
  readonly request: StageRequest;
  readonly result: StageResult;
  readonly out: string;
}

/** Reviews work, stores it, and shows its end, as a command does after git has told the changes. */
export async function storedReview(
  place: StoredPlace,
  code: string,
  {
    work = {},
    io: more = {},
    format = 'text',
    repeats = true,
    ...about
  }: Partial<StageRequest> & {
    readonly work?: Partial<CompletedWork>;
    readonly io?: Partial<Io>;
    readonly format?: 'text' | 'json';
    readonly repeats?: boolean;
  } = {},
): Promise<Reviewed> {
  const request = requestOf(place, about);
  const { io, written } = streams(place.cwd, more);
  const { config } = await loadReviewer(place.cwd, request.config);
  const { store } = place;
  await saveRequest(store.files, request);
  const stage = await buildStage(io, {
    ...{ request, config: reviewerConfig(config), provider: undefined, store, allowedSecrets: [] },
    say: async () => {},
  });
  const reviewed = stage.review(workWith(request, code, work), { runId: request.runId });
  const call = {
    io,
    store,
    watchdogEntry: undefined,
    cwd: place.cwd,
    format,
    quiet: true,
    report: [],
  };
  await carryOut(call, {
    times: 'diff',
    open: async () =>
      stageRun(call, {
        ...{ stage, request, model: true, again: repeats ? diffAgain : undefined },
        say: async () => {},
        act: async () => ({ result: await reviewed }),
        settle: async (result) => ({ result, shown: false }),
      }),
  });
  const result = await reviewed;
  return { request, result, out: written.out };
}
