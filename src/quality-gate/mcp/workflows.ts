import { join } from 'node:path';
import * as z from 'zod';
import { configErrors } from '../../config/errors.js';
import { parseData } from '../../config/parse-data.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { makeFolder, readTextFile } from '../../node/files.js';
import { placeIn, rootOf } from '../../node/inside-root.js';
import type { HeldLock } from '../../node/lock.js';
import { readStored, writeStored } from '../../node/stored-file.js';
import { waitForLock } from '../../node/wait-for-lock.js';
import { systemClock } from '../../ports/clock.js';
import { systemRandom } from '../../ports/random.js';
import { GateJobSchema } from '../gate-job.js';
import { GateSession } from '../gate-session.js';
import type { GateSessionOptions } from '../gate-session-options.js';
import { gateStateFile, safeId } from '../payload/gate-files.js';
import type { QualityGate } from '../quality-gate.js';

/** How workflows are held to the gate. */
export interface WorkflowOptions
  extends Pick<
    GateSessionOptions,
    'mode' | 'verified' | 'maxAttempts' | 'audit' | 'clock' | 'random'
  > {
  readonly gate: QualityGate;
  /** The folder that keeps what is known of each session. */
  readonly folder: string;
}

const KeptJobSchema = z.object({
  schema: z.literal(1),
  session_id: z.string(),
  job: GateJobSchema,
});

interface Open {
  readonly session: GateSession;
  readonly lock: HeldLock;
}

interface InUse {
  readonly open: Promise<Open>;
  /** How many calls are under way. */
  calls: number;
}

const mostJobBytes = 5_000_000;

/** How long a call waits for one of another process on the same workflow. */
const waitMs = 10_000;

/** The workflows under way: each in a folder of its own, that is locked while a call is under way, so that any process can go on with it. */
export class Workflows {
  readonly #options: WorkflowOptions;
  readonly #inUse = new Map<string, InUse>();

  constructor(options: WorkflowOptions) {
    this.#options = options;
  }

  /**
   * Starts the workflow of a job file below the gate's root.
   *
   * @throws ReviewLoopError `config_invalid`, `file_unreadable`, `path_outside`
   */
  async start(jobFile: string): Promise<Awaited<ReturnType<GateSession['start']>>> {
    const job = await readJob(this.#options.gate.root, jobFile);
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
   * Works with the session of an id, also with one that another process started. Nothing of it is held afterwards.
   *
   * @throws ReviewLoopError `run_unknown`, `run_busy`, `file_unreadable`, and what the work throws
   */
  async use<Value>(id: string, work: (session: GateSession) => Promise<Value>): Promise<Value> {
    const used: InUse = this.#inUse.get(id) ?? { open: this.#open(id), calls: 0 };
    this.#inUse.set(id, used);
    used.calls += 1;
    try {
      return await work((await used.open).session);
    } finally {
      used.calls -= 1;
      if (used.calls === 0) await this.#leave(id, used);
    }
  }

  /** Lets other processes go on with the sessions that are in use. */
  async close(): Promise<void> {
    for (const [id, used] of this.#inUse) await this.#leave(id, used);
  }

  async #leave(id: string, used: InUse): Promise<void> {
    if (this.#inUse.get(id) === used) this.#inUse.delete(id);
    await used.open.then(({ lock }) => lock.release()).catch(() => undefined);
  }

  async #open(id: string): Promise<Open> {
    const folder = this.#folderOf(id);
    const kept = await readStored(join(folder, 'job.json'));
    if (kept === undefined)
      throw new ReviewLoopError('run_unknown', `there is no workflow ${JSON.stringify(id)}`, {
        value: id,
      });
    const { job } = keptJob(kept, join(folder, 'job.json'), id);
    const { clock = systemClock, random, gate, mode, verified, maxAttempts, audit } = this.#options;
    const lock = await waitForLock(folder, { clock, waitMs });
    if (lock === undefined)
      throw new ReviewLoopError('run_busy', `workflow ${id} is in use by another process`, {
        value: id,
      });
    const state = gateStateFile(join(folder, 'state.json'));
    try {
      return {
        session: new GateSession({
          gate,
          job,
          mode,
          verified,
          maxAttempts,
          audit,
          clock,
          random,
          sessionId: id,
          state,
        }),
        lock,
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  #folderOf(id: string): string {
    return join(this.#options.folder, safeId(id));
  }
}

function keptJob(text: string, path: string, id: string): z.infer<typeof KeptJobSchema> {
  const refused = (why: string): ReviewLoopError =>
    new ReviewLoopError(nodeErrors.file_unreadable, `${path} cannot be read: ${why}`, {
      value: path,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(messageOf(error));
  }
  const parsed = KeptJobSchema.safeParse(value);
  if (!parsed.success) throw refused(z.prettifyError(parsed.error));
  if (parsed.data.session_id !== id)
    throw refused(`it belongs to workflow ${parsed.data.session_id}`);
  return parsed.data;
}

/** The job of a YAML or JSON file, as it stands there. */
async function readJob(root: string, jobFile: string): Promise<unknown> {
  const { path } = placeIn(rootOf(root, false), jobFile);
  const content = await readTextFile(path, { shown: jobFile, maxBytes: mostJobBytes });
  if (content.kind !== 'text')
    throw new ReviewLoopError(nodeErrors.file_unreadable, `${jobFile} is not a text`, {
      value: jobFile,
    });
  const data = parseData(content.text, { shown: jobFile, json: jobFile.endsWith('.json') });
  const parsed = GateJobSchema.safeParse(data);
  if (!parsed.success)
    throw new ReviewLoopError(
      configErrors.config_invalid,
      `${jobFile}: ${z.prettifyError(parsed.error)}`,
      {
        cause: parsed.error,
        value: data,
      },
    );
  return data;
}
