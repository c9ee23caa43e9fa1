import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const CasesSchema = z.array(
  z.object({
    rule: z.string(),
    ruleName: z.string(),
    kind: z.enum(['passed', 'failed', 'inapplicable']),
    n: z.number(),
    html: z.string(),
  }),
);

/** A published example of a rule of the W3C. */
export type ActCase = z.infer<typeof CasesSchema>[number];

/** What a check says of a case. */
export type ActVerdict = 'passed' | 'failed' | 'undecided';

export function readActCases(folder: string): readonly ActCase[] {
  return ['cases.json', 'more-cases.json'].flatMap((file) =>
    CasesSchema.parse(JSON.parse(readFileSync(join(folder, 'act-rules', file), 'utf8'))),
  );
}

/** How many cases of a rule a check judges as they are labelled, and how it fails. */
export interface ActTally {
  cases: number;
  right: number;
  missed: number;
  falseAlarms: number;
  undecided: number;
}

/** Returns a tally without cases. */
export function emptyTally(): ActTally {
  return { cases: 0, right: 0, missed: 0, falseAlarms: 0, undecided: 0 };
}

export function addVerdict(tally: ActTally, { kind }: ActCase, verdict: ActVerdict): void {
  tally.cases += 1;
  if (verdict === 'undecided') tally.undecided += 1;
  else if ((verdict === 'failed') === (kind === 'failed')) tally.right += 1;
  else if (kind === 'failed') tally.missed += 1;
  else tally.falseAlarms += 1;
}
