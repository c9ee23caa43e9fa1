import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

const score = builtOnUse(() => z.number().min(0).max(1));

export const AskRuleSchema = builtOnUse(() =>
  z
    .strictObject({
      criterion: z.string().min(1),
      /** Passes with at least this score count; null: a person is asked about every pass. */
      passFrom: score.nullable().optional(),
      /** Fails with at most this score count; null: a person is asked about every fail. */
      failTo: score.nullable().optional(),
    })
    .refine(
      ({ passFrom, failTo }) => passFrom !== undefined || failTo !== undefined,
      'expected `passFrom` or `failTo`',
    ),
);
export interface AskRule extends z.infer<typeof AskRuleSchema> {}

/** Returns whether a rule lets a verdict count. */
export function counts(
  { passFrom, failTo }: Pick<AskRule, 'passFrom' | 'failTo'>,
  {
    verdict,
    score: given,
  }: { readonly verdict: 'pass' | 'fail'; readonly score?: number | undefined },
): boolean {
  const bound = verdict === 'pass' ? passFrom : failTo;
  if (bound === undefined) return true;
  if (bound === null || given === undefined) return false;
  return verdict === 'pass' ? given >= bound : given <= bound;
}
