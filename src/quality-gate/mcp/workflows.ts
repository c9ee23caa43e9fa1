import { join } from 'node:path';
import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { unreadableFile } from '../../node/file-errors.js';
import { makeFolder } from '../../node/files.js';
import { placeIn, rootOf } from '../../node/inside-root.js';
import type { HeldLock } from '../../node/lock.js';
import { readStored, writeStored } from '../../node/stored-file.js';
import { waitForLock } from '../../node/wait-for-lock.js';
import { systemClock } from '../../ports/clock.js';
import { systemRandom } from '../../ports/random.js';
import { checkedData, problemText } from '../../text/schema-problems.js';
import { truncateBytes } from '../../text/truncate.js';
import { readJob } from '../command/job-in.js';
import type { FinishedStep } from '../finished-step.js';
import { GateJobSchema } from '../gate-job.js';
import { GateSession } from '../gate-session.js';
import type { GateSessionOptions } from '../gate-session-options.js';
import { gateStateFile, safeId } from '../gate-state-store.js';
import type { QualityGate } from '../quality-gate.js';

/** Options of the workflows of a gate server. */
export interface WorkflowOptions
  extends Pick<
    GateSessionOptions,
    'mode' | 'verified' | 'maxAttempts' | 'selfReviewInlineFiles' | 'audit' | 'clock' | 'random'
  > {
  /** The gate that reviews the steps. */
  readonly gate: QualityGate;
  /** The folder that contains a subfolder for each workflow, with its job and its state. */
  readonly folder: string;
}

const JobFileSchema = z.strictObject({
  schema: z.literal(1),
  session_id: z.string(),
  job: GateJobSchema,
});

interface LockedSession {
  readonly session: GateSession;
  readonly lock: HeldLock;
}

interface SharedSession {
  readonly opened: Promise<LockedSession>;
  /** The number of running calls. */
  calls: number;
}

/** The longest wait for another process that uses the workflow, in milliseconds. */
const waitMs = 10_000;

/**
 * The workflows of a gate server. Each has a folder, which is locked only during calls. Any process
 * can therefore continue a workflow.
 */
export class Workflows {
  readonly #options: WorkflowOptions;
  readonly #sessions = new Map<string, SharedSession>();

  constructor(options: WorkflowOptions) {
    this.#options = options;
  }

  /**
   * Starts the workflow of a job file below the gate's root, and returns its first step.
   *
   * @throws ReviewLoopError `config_invalid`, `file_unreadable`, `path_outside`
   */
  async start(jobFile: string): Promise<Awaited<ReturnType<GateSession['start']>>> {
    const job = await readJob(placeOf(this.#options.gate.root, jobFile).path, jobFile);
    const id = (this.#options.random ?? systemRandom).id();
    const folder = this.#folderOf(id);
    await makeFolder(folder);
    await writeStored(
      join(folder, 'job.json'),
      `${JSON.stringify({ schema: 1, session_id: id, job }, null, 2)}\n`,
    );
    return this.use(id, (session) => session.start());
  }

  /**
   * Runs work on a session, even if another process started it. The folder is locked meanwhile.
   *
   * @throws ReviewLoopError `run_unknown`, `run_busy`, `file_unreadable`, and those of the work
   */
  async use<Value>(id: string, work: (session: GateSession) => Promise<Value>): Promise<Value> {
    const shared: SharedSession = this.#sessions.get(id) ?? {
      opened: this.#open(id),
      calls: 0,
    };
    this.#sessions.set(id, shared);
    shared.calls += 1;
    try {
      return await work((await shared.opened).session);
    } finally {
      shared.calls -= 1;
      if (shared.calls === 0) await this.#release(id, shared);
    }
  }

  /**
   * Reads a session. It waits for no call that runs, because each state is saved whole.
   *
   * @throws ReviewLoopError `run_unknown`, `file_unreadable`, and those of the work
   */
  async read<Value>(id: string, work: (session: GateSession) => Promise<Value>): Promise<Value> {
    return work(await this.#sessionOf(id));
  }

  /**
   * Accepts a step for a person's reason, with the outputs that were handed in last.
   *
   * @throws ReviewLoopError `run_unknown`, `run_busy`, `file_unreadable`, `gate_step_unknown`,
   * `gate_output_invalid`, `gate_verdict_refused`, `audit_unwritable`
   */
  async accept(
    id: string,
    { step, ...decision }: { readonly step: string; readonly reason: string; readonly by: string },
  ): Promise<FinishedStep> {
    return this.use(id, async (session) => {
      const { steps } = await session.reviewStatus();
      const outputs = steps[step]?.outputs ?? {};
      return session.acceptStep({ stepId: step, outputs, ...decision });
    });
  }

  /** Releases the sessions in use, so that other processes can continue them. */
  async close(): Promise<void> {
    for (const [id, shared] of this.#sessions) await this.#release(id, shared);
  }

  async #release(id: string, shared: SharedSession): Promise<void> {
    if (this.#sessions.get(id) === shared) this.#sessions.delete(id);
    await shared.opened.then(({ lock }) => lock.release()).catch(() => undefined);
  }

  async #open(id: string): Promise<LockedSession> {
    const folder = await this.#existing(id);
    const { clock = systemClock } = this.#options;
    const lock = await waitForLock(folder, { clock, waitMs });
    if (lock === undefined)
      throw new ReviewLoopError(
        'run_busy',
        `another process uses workflow ${id}; it was locked for ${waitMs} ms`,
        {
          value: id,
        },
      );
    try {
      return { session: await this.#sessionOf(id), lock };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async #existing(id: string): Promise<string> {
    const folder = this.#folderOf(id);
    if ((await readStored(join(folder, 'job.json'))) === undefined)
      throw new ReviewLoopError(
        engineErrors.run_unknown,
        `workflow ${JSON.stringify(id)} does not exist; start one with start_workflow`,
        {
          value: id,
        },
      );
    return folder;
  }

  async #sessionOf(id: string): Promise<GateSession> {
    const folder = await this.#existing(id);
    const file = join(folder, 'job.json');
    const { job } = parseJob((await readStored(file)) ?? '', file, id);
    const { clock, random, gate, mode, verified, maxAttempts, audit } = this.#options;
    const { selfReviewInlineFiles } = this.#options;
    return new GateSession({
      gate,
      job,
      mode,
      verified,
      maxAttempts,
      selfReviewInlineFiles,
      audit,
      clock,
      random,
      sessionId: id,
      state: gateStateFile(join(folder, 'state.json')),
    });
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

/** @throws ReviewLoopError `path_outside`, `file_unreadable` */
function placeOf(root: string, jobFile: string): ReturnType<typeof placeIn> {
  try {
    return placeIn(rootOf(root, false), jobFile);
  } catch (error) {
    throw isReviewError(error) ? error : unreadableFile(truncateBytes(jobFile, 300), error);
  }
}
