import { join } from 'node:path';
import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { checkedData, problemText } from '../../core/text/schema-problems.js';
import { truncateBytes } from '../../core/text/truncate.js';
import { engineErrors } from '../../engine/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { unreadableFile } from '../../node/files.js';
import { placeIn, rootOf } from '../../node/inside-root.js';
import { readStored, writeStored } from '../../node/store-file.js';
import { systemRandom } from '../../ports/random.js';
import type { FinishedStep } from '../../products/quality-gate/finished-step.js';
import { GateJobSchema } from '../../products/quality-gate/gate-job.js';
import { GateSession } from '../../products/quality-gate/gate-session.js';
import type { GateSessionOptions } from '../../products/quality-gate/gate-session-options.js';
import {
  type GateStateStore,
  gateStateFile,
  safeId,
} from '../../products/quality-gate/gate-state-store.js';
import type { QualityGate } from '../../products/quality-gate/quality-gate.js';
import { readJob } from '../commands/quality-gate/job-in.js';

export interface WorkflowOptions
  extends Pick<
    GateSessionOptions,
    'mode' | 'verified' | 'maxAttempts' | 'selfReviewInlineFiles' | 'audit' | 'clock' | 'random'
  > {
  readonly gate: QualityGate;
  /** The folder that contains a subfolder for each workflow, with its job and its state. */
  readonly folder: string;
}

const JobFileSchema = z.strictObject({
  schema: z.literal(1),
  session_id: z.string(),
  job: GateJobSchema,
});

/** Each has a folder with its job and its state, so that any process can continue it. */
export class Workflows {
  readonly #options: WorkflowOptions;
  /** One for each workflow, because calls of this process wait for each other as long as it takes. */
  readonly #states = new Map<string, GateStateStore>();

  constructor(options: WorkflowOptions) {
    this.#options = options;
  }

  /** `jobFile` is below the gate's root. Returns the first step. */
  async start(jobFile: string): Promise<Awaited<ReturnType<GateSession['start']>>> {
    const job = await readJob(placeOf(this.#options.gate.root, jobFile).path, jobFile);
    const id = (this.#options.random ?? systemRandom).id();
    await writeStored(
      join(this.#folderOf(id), 'job.json'),
      `${JSON.stringify({ schema: 1, session_id: id, job }, null, 2)}\n`,
    );
    return (await this.session(id)).start();
  }

  /** Even if another process started it. */
  async session(id: string): Promise<GateSession> {
    const folder = this.#folderOf(id);
    const file = join(folder, 'job.json');
    const text = await readStored(file);
    if (text === undefined)
      throw new ReviewLoopError(
        engineErrors.run_unknown,
        `workflow ${JSON.stringify(id)} does not exist; start one with start_workflow`,
        { value: id },
      );
    const { job } = parseJob(text, file, id);
    const state = this.#states.get(id) ?? gateStateFile(join(folder, 'state.json'));
    this.#states.set(id, state);
    const { folder: _, ...settings } = this.#options;
    return new GateSession({ ...settings, job, sessionId: id, state });
  }

  /** Takes the outputs that were handed in last. */
  async accept(
    id: string,
    { step, ...decision }: { readonly step: string; readonly reason: string; readonly by: string },
  ): Promise<FinishedStep> {
    const session = await this.session(id);
    const { steps } = await session.reviewStatus();
    return session.acceptStep({ stepId: step, outputs: steps[step]?.outputs ?? {}, ...decision });
  }

  #folderOf(id: string): string {
    return join(this.#options.folder, safeId(id));
  }
}

function parseJob(text: string, path: string, id: string): z.infer<typeof JobFileSchema> {
  const refused = (why: string): ReviewLoopError =>
    new ReviewLoopError(nodeErrors.file_unreadable, `cannot read ${path}: ${why}`, { value: path });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(messageOf(error));
  }
  const parsed = checkedData(JobFileSchema, value);
  if (!parsed.success) throw refused(problemText(parsed.problems));
  if (parsed.data.session_id !== id)
    throw refused(`it belongs to workflow ${parsed.data.session_id}`);
  return parsed.data;
}

function placeOf(root: string, jobFile: string): ReturnType<typeof placeIn> {
  try {
    return placeIn(rootOf(root, false), jobFile);
  } catch (error) {
    throw isReviewError(error) ? error : unreadableFile(truncateBytes(jobFile, 300), error);
  }
}
