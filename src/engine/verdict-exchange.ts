import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { copyJson } from '../core/json.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  type VerdictStore,
  verdictKey,
} from '../ports/verdict-store.js';
import type { ReviewerReply } from './reviewer-reply.js';
import type { Run } from './run.js';
import { within } from './with-deadline.js';

/** Where a verdict is kept, and for which run it is wanted. */
export interface VerdictPlace {
  readonly store: VerdictStore;
  readonly key: string;
  readonly about: VerdictInputs;
  readonly run: Run;
}

/** No store is waited for longer than this, in milliseconds. */
const patience = 10_000;

/** What a store has, checked; whatever is wrong with it is logged, and as good as nothing. */
export async function takeVerdict(place: VerdictPlace): Promise<StoredVerdict | undefined> {
  const { store, key, run } = place;
  try {
    const found: unknown = await inTime(run, 'reading a kept verdict', () => store.get(key));
    return found === undefined ? undefined : checked(found, key);
  } catch (error) {
    complain(place, error, 'a kept verdict is not used; the reviewer is asked');
    return undefined;
  }
}

/** Keeps a verdict. A store that does not take it has lost it, and nothing else. */
export async function putVerdict(
  place: VerdictPlace,
  { assessments, usage }: ReviewerReply,
): Promise<void> {
  const { store, key, about, run } = place;
  try {
    const { data } = z.safeParse(StoredVerdictSchema, {
      schema: 1,
      about,
      assessments,
      usage,
      at: run.ports.clock.now(),
    });
    if (data === undefined) return;
    const verdict = copyJson(data, { freeze: true });
    await inTime(run, 'keeping a verdict', () => store.put(key, verdict));
  } catch (error) {
    complain(place, error, 'a verdict could not be kept; the run goes on');
  }
}

function inTime<Value>({ ports }: Run, what: string, work: () => Promise<Value>): Promise<Value> {
  return within(ports.clock, Math.min(patience, ports.timeouts.checkMs), what, work());
}

/** @throws ReviewLoopError `verdict_newer`, `verdict_corrupt` */
function checked(found: unknown, key: string): StoredVerdict {
  const parsed = z.safeParse(StoredVerdictSchema, found);
  if (!parsed.success) {
    const { schema } = z.safeParse(z.object({ schema: z.number() }), found).data ?? {};
    if (schema !== undefined && schema > 1)
      throw new ReviewLoopError('verdict_newer', `a kept verdict has schema ${schema}`);
    throw new ReviewLoopError(
      'verdict_corrupt',
      `a kept verdict was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: found },
    );
  }
  if (verdictKey(parsed.data.about) !== key)
    throw new ReviewLoopError(
      'verdict_corrupt',
      'a kept verdict is about something else than its key',
      { value: found },
    );
  return copyJson(parsed.data, { freeze: true });
}

function complain({ about, run }: VerdictPlace, error: unknown, message: string): void {
  const code = isReviewError(error) ? error.code : 'verdict_unavailable';
  run.ports.logger.warn(
    { run: run.id, reviewer: about.reviewer, code, error: messageOf(error) },
    message,
  );
}
