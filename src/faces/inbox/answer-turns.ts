import { messageOf } from '../../core/errors.js';
import { type Mutex, mutex } from '../../core/mutex.js';
import type { ChangeStreams } from './change-streams.js';
import type { AnsweredRun, InboxSettings } from './inbox-options.js';
import { Refusal, refusalOf } from './inbox-response.js';
import { type SentAnswer, takeAnswer } from './take-answer.js';

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
  return new Refusal(423, 'run_busy', {
    message: `run ${runId} goes on after another answer; look again in a while`,
  });
}
