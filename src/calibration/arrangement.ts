import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { digestOf } from '../core/json.js';
import { invalid } from '../core/options.js';
import type { JudgeIdentity } from '../core/policy.js';

/** The name of a policy with its options. */
const RulesSchema = builtOnUse(() =>
  z.object({
    name: z.string().min(1),
    options: z.json().optional(),
  }),
);
/** The name of a policy with its options. Another name or option is another arrangement. */
export interface PolicyRules extends z.infer<typeof RulesSchema> {}

/** What approves: the reviewers, the policy, and the kind of tasks. */
export const ArrangementSchema = builtOnUse(() =>
  z.object({
    /** Every reviewer. Its version covers prompt, model, passes and rules. */
    judges: z
      .array(
        z.object({
          id: z.string().min(1),
          version: z.string(),
          tier: z.enum(['code', 'model', 'confirm']),
        }),
      )
      .min(1)
      .readonly(),
    rules: RulesSchema,
    /** What the tasks are about, and who makes the outputs, in your words. */
    tasks: z.string().min(1).optional(),
  }),
);
/** What approves: the reviewers, the policy, and the kind of tasks. */
export interface Arrangement extends Readonly<z.infer<typeof ArrangementSchema>> {}

/**
 * Returns the digest of an arrangement. The order of the reviewers does not matter. Another
 * reviewer, version, tier, policy, option or kind of tasks yields another digest.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function arrangementDigest(arrangement: Arrangement): string {
  const checked = checkedArrangement('arrangement', arrangement);
  const judges = [...checked.judges].sort(byId);
  return digestOf({ ...checked, judges });
}

/** @throws ReviewLoopError `invalid_options` */
export function checkedArrangement(name: string, given: unknown): Arrangement {
  const read = ArrangementSchema.safeParse(given);
  if (!read.success)
    throw invalid(name, `{ judges, rules, tasks }: ${z.prettifyError(read.error)}`, given);
  const ids = read.data.judges.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(`${name}.judges`, 'reviewers with unique ids', twice);
  return read.data;
}

/** @throws ReviewLoopError `invalid_options` */
export function checkedRules(given: unknown): PolicyRules {
  const read = RulesSchema.safeParse(given);
  if (!read.success)
    throw invalid('rules', '{ name, options }, which identifies the `policy`', given);
  return read.data;
}

function byId(a: JudgeIdentity, b: JudgeIdentity): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
