import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { invalid } from '../core/options.js';

/** A measured rate of 0 or 1 would make a single vote a proof. */
const openShare = () => z.number().gt(0).lt(1);

const JudgeRatesSchema = builtOnUse(() =>
  z.object({
    /** The share of good texts that pass. */
    tpr: openShare(),
    /** The share of bad texts that fail. */
    tnr: openShare(),
  }),
);

/** What is assumed about judges, texts and edits, as plain JSON. */
export const RiskModelSchema = builtOnUse(() =>
  z
    .object({
      /** The rates by judge: `provider model`, or `provider` for all its models. */
      rates: z.record(z.string(), JudgeRatesSchema),
      /** The rates of every other judge. Without them, a text with an unknown judge has risk 1. */
      otherwise: JudgeRatesSchema.optional(),
      /** How alike two judges vote on equal texts, from 0 to below 1. */
      betweenJudges: z.number().min(0).lt(1),
      /** How alike two calls of one judge vote; at least `betweenJudges`. */
      withinJudge: z.number().min(0).lt(1),
      /** The share of first texts that are wrong. */
      prior: openShare(),
      /** The share of wrong texts that an edit repairs. */
      fix: z.number().min(0).max(1),
      /** The share of right texts that an edit breaks. */
      damage: z.number().min(0).max(1),
    })
    .refine(({ betweenJudges, withinJudge }) => withinJudge >= betweenJudges, {
      path: ['withinJudge'],
      message: 'expected at least betweenJudges',
    }),
);
/** What is assumed about judges, texts and edits, as plain JSON. */
export interface RiskModel extends Readonly<z.infer<typeof RiskModelSchema>> {}

/** How reliable a judge is. */
export type JudgeRates = RiskModel['rates'][string];

/** @throws ReviewLoopError `invalid_options` */
export function checkedModel(given: unknown): RiskModel {
  const read = RiskModelSchema.safeParse(given);
  if (read.success) return read.data;
  throw invalid('model', `a model of risk: ${z.prettifyError(read.error)}`, given);
}
