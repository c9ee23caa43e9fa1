import type { Io } from '../io.js';
import type { JudgeTimes } from './judge-times.js';
import { type Followed, Progress } from './progress.js';

/** What is shown while a gate reviews. */
export interface FollowedGate {
  /** The times of its judges, which are stored in the end. */
  readonly times: JudgeTimes;
  readonly quiet: boolean;
  /** What it does until the first judge is asked, and the judge that does it. */
  readonly begins: readonly [what: string, judge?: string];
  /** What is reviewed. @default nothing */
  readonly title?: string | undefined;
  /** Returns the name of a judge. @default its id */
  readonly nameOf?: ((judge: string) => string) | undefined;
  /** Sends the events of its judges. @default nobody is followed */
  readonly gate?: Followed | undefined;
}

/** Shows the judges of a gate while it reviews, and stores how long they took. */
export async function followGate<Value>(
  io: Io,
  { times, quiet, begins, title, nameOf, gate }: FollowedGate,
  review: (progress: Progress | undefined) => Promise<Value>,
): Promise<Value> {
  const progress = quiet ? undefined : new Progress(io, { lines: false, title, nameOf });
  progress?.expect(times.expected());
  if (gate !== undefined) {
    progress?.follow(gate);
    times.follow(gate);
  }
  progress?.waitFor(...begins);
  try {
    return await review(progress);
  } finally {
    progress?.stop();
    await times.save();
  }
}
