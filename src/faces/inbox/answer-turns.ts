import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswer, isExpired } from '../../core/human.js';
import { type Mutex, mutex } from '../../core/mutex.js';
import { engineErrors } from '../../engine/errors.js';
import {
  checkedAnswer,
  type RequestReference,
  recordInAudit,
  refuseExpired,
} from '../../engine/human-answers.js';
import { expiredIn, RunJournal } from '../../engine/journal.js';
import { isRunId } from '../../ports/run-id.js';
import type { JournalRecord } from '../../ports/store.js';
import { waitingRun } from '../../ports/waiting-runs.js';
import type { ChangeStreams } from './change-streams.js';
import type { AnsweredRun, InboxSettings } from './inbox-options.js';
import { Refusal, refusalOf } from './inbox-response.js';
import { otherQuestions } from './show-run.js';

/** How long a response waits for its run to go on. */
const patienceMs = 8_000;

/** Answers to one run go one after the other, so that the second one sees the first. */
export class AnswerTurns {
  readonly #settings: InboxSettings;
  readonly #streams: ChangeStreams;
  readonly #turns = new Map<string, { readonly inTurn: Mutex; waiting: number }>();
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<unknown>>();

  constructor(settings: InboxSettings, streams: ChangeStreams) {
    this.#settings = settings;
    this.#streams = streams;
  }

  /** `running` if the run takes long to go on. */
  async take(sent: SentAnswer, by: string): Promise<AnsweredRun> {
    const { settings, clock } = { settings: this.#settings, clock: this.#settings.clock };
    const { runId, id } = sent.reference;
    let state: 'waits' | 'works' | 'late' | 'left' = 'waits';
    const work = this.#inTurn(runId, async () => {
      if (state === 'left') throw busy(runId);
      state = 'works';
      return takeAnswer(sent, by, { settings, signal: this.#stop.signal });
    });
    this.#working.add(work);
    const told = work
      .catch((error: unknown) => {
        if (state === 'late') this.#tellRefusal(id, error);
      })
      .finally(() => {
        this.#working.delete(work);
        this.#streams.tell({ kind: 'list' });
      });
    let stopClock: () => void = () => {};
    const patience = new Promise<AnsweredRun>((resolve, reject) => {
      stopClock = clock.after(patienceMs, () => {
        const works = state === 'works';
        state = works ? 'late' : 'left';
        if (works) resolve({ status: 'running' });
        else reject(busy(runId));
      });
    });
    try {
      return await Promise.race([work, patience]);
    } finally {
      stopClock();
      void told;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the inbox was closed'));
    await Promise.allSettled(this.#working);
  }

  async #inTurn<Value>(runId: string, work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turns.get(runId) ?? { inTurn: mutex(), waiting: 0 };
    this.#turns.set(runId, turn);
    turn.waiting += 1;
    try {
      return await turn.inTurn(work);
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.#turns.delete(runId);
    }
  }

  #tellRefusal(id: string, error: unknown): void {
    const { code, message } = refusalOf(error);
    this.#settings.logger.error({ request: id, error: messageOf(error) }, 'an answer was refused');
    this.#streams.tell({ kind: 'refused', id, error: code, message });
  }
}

function busy(runId: string): Refusal {
  return new Refusal(
    423,
    'run_busy',
    `run ${runId} goes on after another answer; look again in a while`,
  );
}

const BodySchema = z.object({
  runId: z.string(),
  digest: z.string(),
  answer: z.object({
    kind: z.string(),
    reason: z.string().optional(),
    note: z.string().optional(),
    decisions: z.record(z.string(), z.string()).optional(),
    missing: z.record(z.string(), z.string()).optional(),
    approve: z.boolean().optional(),
    value: z.unknown().optional(),
  }),
});

interface SentAnswer {
  readonly reference: RequestReference;
  readonly given: z.infer<typeof BodySchema>['answer'];
}

/** Who answers is not in it. */
export function sentAnswer(id: string, body: unknown): SentAnswer {
  const parsed = BodySchema.safeParse(body);
  if (!parsed.success) throw new Refusal(422, 'answer_invalid', z.prettifyError(parsed.error));
  const { runId, digest, answer } = parsed.data;
  if (!isRunId(runId)) throw new Refusal(404, 'run_unknown', 'there is no such run');
  return { reference: { runId, id, digest }, given: answer };
}

async function takeAnswer(
  { reference, given }: SentAnswer,
  by: string,
  { settings, signal }: { readonly settings: InboxSettings; readonly signal: AbortSignal },
): Promise<AnsweredRun> {
  const { clock, audit } = settings;
  const journal = await journalOf(reference, settings);
  const now = clock.now();
  await journal.expire(now);
  const answer = checkedAnswer(journal, reference, {
    // an answer of another shape is refused there
    given: { ...given, by } as HumanAnswer,
    now,
  });
  journal.requireOpen();
  const where = await journal.elsewhere();
  if (where !== undefined) throw new Refusal(409, 'run_elsewhere', where);
  await recordInAudit(
    { audit },
    { journal, over: (_, work) => work },
    {
      kind: answer.kind === 'override' ? 'override' : 'answer',
      reference,
      answer,
    },
  );
  return settings.answer(reference, answer, { signal });
}

async function journalOf(
  { runId, id }: RequestReference,
  settings: Pick<InboxSettings, 'store' | 'others' | 'elsewhere'>,
) {
  const other = await otherQuestions(runId, settings);
  if (other?.questions.some(({ request }) => request.id === id))
    return {
      ...indexed(other.questions),
      expire: async () => {},
      requireOpen: () => {},
      elsewhere: async () => undefined,
    };
  const records = await settings.store.read(runId);
  if (records === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${runId}`, {
      value: runId,
    });
  const journal = indexed(records);
  // a question that is not in the record was one of the others
  if (settings.others !== undefined && !journal.requests.has(id))
    requireOpen(records, { runId, id });
  const pipeline = records.find((record) => record.type === 'run')?.pipeline ?? '';
  return {
    ...journal,
    expire: async (now: number) => {
      const request = journal.requests.get(id);
      if (request !== undefined && isExpired(request, now))
        await recordExpiry(settings.store, { runId, id }, now);
    },
    requireOpen: () => requireOpen(records, { runId, id }),
    elsewhere: async () => settings.elsewhere?.({ runId, pipeline }),
  };
}

/** Does nothing if the store cannot write. */
async function recordExpiry(
  store: InboxSettings['store'],
  { runId, id }: Pick<RequestReference, 'runId' | 'id'>,
  now: number,
): Promise<void> {
  if (store.open === undefined) return;
  const journal = new RunJournal(await store.open(runId, true));
  try {
    await refuseExpired(journal, now, (request) => request.id === id);
  } finally {
    await journal.close();
  }
}

function requireOpen(
  records: readonly JournalRecord[],
  { runId, id }: Pick<RequestReference, 'runId' | 'id'>,
): void {
  const last = records.at(-1);
  if (last?.type === 'end' && last.status !== 'suspended')
    throw new ReviewLoopError(engineErrors.request_answered, `run ${runId} is ${last.status} now`, {
      value: runId,
    });
  const open = waitingRun(runId, records)?.questions ?? [];
  if (!open.some(({ request }) => request.id === id))
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `question ${id} is about an earlier version`,
      {
        value: id,
      },
    );
}

function indexed(records: readonly JournalRecord[]) {
  const requests = new Map(
    records.flatMap((record) =>
      record.type === 'request' ? [[record.request.id, record.request]] : [],
    ),
  );
  const answers = new Map(
    records.flatMap((record) => (record.type === 'answer' ? [[record.id, record.answer]] : [])),
  );
  const ended = records.findLast((record) => record.type === 'end');
  return { requests, answers, ended, expired: new Set(expiredIn(ended, { requests, answers })) };
}
