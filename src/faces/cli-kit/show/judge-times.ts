import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import type { ReviewEvents } from '../../../core/event.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { type Clock, elapsedOn, systemClock } from '../../../ports/clock.js';

const fileName = 'times.json';

const mostTimes = 5;
const mostJudges = 500;

/** A judge that never took this long is not stored. */
const leastMs = 1000;

const TimesSchema = builtOnUse(() =>
  z.object({
    schemaVersion: z.literal(1),
    /** The latest times of each judge, in milliseconds; the judge used last is last. */
    times: z.record(z.string(), z.array(z.number().min(0))),
  }),
);

type Times = ReadonlyMap<string, readonly number[]>;

/** How long each judge usually takes, in milliseconds. */
export type ExpectedTimes = Pick<ReadonlyMap<string, number>, 'get'>;

interface EventSource {
  readonly on: <Name extends 'reviewer-start' | 'reviewer-end'>(
    name: Name,
    listener: ReviewEvents[Name],
  ) => unknown;
}

export interface JudgeTimesOptions {
  /** Returns the name under which a judge is compared. @default its id */
  readonly nameOf?: ((judge: string) => string) | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/**
 * Every command stores them in `times.json` of its store, and shows with them how long a judge will
 * take. They are a hint only: what cannot be read or written is left out.
 */
export class JudgeTimes {
  readonly #files: StoreFiles;
  readonly #command: string;
  readonly #nameOf: (judge: string) => string;
  readonly #clock: Clock;
  readonly #measured: [judge: string, ms: number][] = [];

  constructor(files: StoreFiles, command: string, options: JudgeTimesOptions = {}) {
    const { nameOf = (judge) => judge, clock = systemClock } = options;
    this.#files = files;
    this.#command = command;
    this.#nameOf = nameOf;
    this.#clock = clock;
  }

  /** The median of their latest answers. */
  async expected(): Promise<ExpectedTimes> {
    const times = await this.#read();
    return { get: (judge) => medianOf(times.get(this.#keyOf(judge)) ?? []) };
  }

  /** Cached and replayed answers, and failures, tell nothing. */
  follow(pipeline: EventSource): void {
    const began = new Map<string, number>();
    pipeline.on('reviewer-start', ({ reviewer }) => {
      began.set(reviewer, elapsedOn(this.#clock));
    });
    pipeline.on('reviewer-end', ({ reviewer, reused, replayed, assessments }) => {
      const since = began.get(reviewer);
      const isBroken = assessments.some(({ verdict }) => verdict === 'errored');
      if (since === undefined || reused || replayed === true || isBroken) return;
      this.add(reviewer, elapsedOn(this.#clock) - since);
    });
  }

  add(judge: string, ms: number): void {
    this.#measured.push([this.#keyOf(judge), Math.round(ms)]);
  }

  /** Never rejects. */
  async save(): Promise<void> {
    if (this.#measured.length === 0) return;
    const times = new Map(await this.#read());
    let isChanged = false;
    for (const [key, ms] of this.#measured.splice(0)) {
      const known = times.get(key);
      if (known === undefined && ms < leastMs) continue;
      times.delete(key);
      times.set(key, [...(known ?? []), ms].slice(-mostTimes));
      isChanged = true;
    }
    if (!isChanged) return;
    const data = { schemaVersion: 1, times: Object.fromEntries([...times].slice(-mostJudges)) };
    const text = `${JSON.stringify(data)}\n`;
    await this.#files.write(fileName, text).catch(() => {});
  }

  #keyOf(judge: string): string {
    return `${this.#command}/${this.#nameOf(judge)}`;
  }

  async #read(): Promise<Times> {
    try {
      const parsed = TimesSchema.safeParse(JSON.parse(await this.#files.read(fileName)));
      return new Map(parsed.success ? Object.entries(parsed.data.times) : []);
    } catch {
      return new Map();
    }
  }
}

function medianOf(all: readonly number[]): number | undefined {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
