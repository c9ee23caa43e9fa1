import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { GapSchema } from '../core/gap.js';
import type { Severity } from '../core/severity.js';
import { UsageSchema } from '../core/usage.js';

/** The phases of seed 001; each has one state file, `qr-{phase}.json`. */
export const ChecklistPhaseSchema = builtOnUse(() =>
  z.enum(['plan-structure', 'plan-code', 'plan-docs', 'impl-code', 'impl-docs']),
);
/** A phase of seed 001. */
export type ChecklistPhase = z.infer<typeof ChecklistPhaseSchema>;

/** How bad it is when an item fails: `critical`, `major` and `minor` in the words of seed 001. */
export const ChecklistSeveritySchema = builtOnUse(() => z.enum(['MUST', 'SHOULD', 'MAY']));
/** How bad it is when an item fails. */
export type ChecklistSeverity = z.infer<typeof ChecklistSeveritySchema>;

/** What is known of an item: nothing yet, or what a verifier said. */
export const ChecklistStatusSchema = builtOnUse(() => z.enum(['TODO', 'PASS', 'FAIL']));
/** What is known of an item. */
export type ChecklistStatus = z.infer<typeof ChecklistStatusSchema>;

/** Characters that would forge lines of a prompt or deceive a reader: controls, line separators, marks of direction. */
const deceiving = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u;
const oneLine = builtOnUse(() =>
  z
    .string()
    .min(1)
    .max(500)
    .refine(
      (text) => text.trim() === text && !deceiving.test(text),
      'control characters, line breaks and outer blanks are refused',
    ),
);

const ChecklistAboutSchema = builtOnUse(() =>
  z.object({
    version: z.string(),
    task: z.string(),
    view: z.string(),
    history: z.string().optional(),
  }),
);
/** The rest of a verdict: what no other member of its item tells. */
const ChecklistJudgedSchema = builtOnUse(() =>
  z.looseObject({
    score: z.number().optional(),
    /** Where it is not the finding. */
    explanation: z.string().optional(),
    usage: UsageSchema.optional(),
    /** Milliseconds since 1970. */
    at: z.number().optional(),
  }),
);

/** One item of a checklist. Members that are not known are kept as they are. */
export const ChecklistItemSchema = builtOnUse(() =>
  z
    .looseObject({
      /** Unique in its phase; `{phase}-{seq:003}` where the gate makes it. */
      id: oneLine,
      /** What it is about: `*` for everything, else `milestone:M1`, `file:path` or `file:path:45-52`. */
      scope: oneLine,
      /** What to verify. */
      check: z.string().min(1),
      status: ChecklistStatusSchema,
      /** Why it failed; `null` otherwise. */
      finding: z.string().min(1).nullable(),
      severity: ChecklistSeveritySchema,
      /** In which iteration it was made, reset or verified last. */
      iteration: z.int().min(1),
      /** Counts its changes. */
      version: z.int().min(1),
      /** The rule that verifies it by code; none for items that a model or somebody else verifies. */
      rule: z.string().optional(),
      /** What is wrong in detail: each with what repairs it, and the quote and place where it was found. None where the finding says it all. */
      gaps: z.array(GapSchema).readonly().optional(),
      /** What its PASS or FAIL is about; a PASS without it was given by who does not tell. */
      about: ChecklistAboutSchema.optional(),
      judged: ChecklistJudgedSchema.optional(),
      /** Who let its failure through, and why. */
      accepted: z.object({ by: z.string().min(1), reason: z.string().min(1) }).optional(),
    })
    .refine(
      ({ status, finding }) => status === 'FAIL' || finding === null,
      'only FAIL has a finding',
    ),
);
/** One item of a checklist. */
export type ChecklistItem = z.infer<typeof ChecklistItemSchema>;

/** The state of a phase: only what nobody could compute from something else. */
export const ChecklistStateSchema = builtOnUse(() =>
  z
    .looseObject({
      schema_version: z.literal('1.1'),
      phase: ChecklistPhaseSchema,
      /** The cycle of verification, counted from 1; one more with each fix. */
      iteration: z.int().min(1),
      items: z.array(ChecklistItemSchema),
      /** Verdicts that no item stands for now: on content that it no longer is about. */
      verdicts: z
        .array(z.looseObject({ about: z.looseObject({ reviewer: z.string() }) }))
        .optional(),
      /** The run that works on it, and the iteration that it began in. */
      run: z.object({ id: z.string(), from: z.int().min(1) }).optional(),
      /** The paths of what is reviewed, for the command line. */
      inputs: z.array(z.string()).optional(),
    })
    .refine(
      ({ items }) => new Set(items.map(({ id }) => id)).size === items.length,
      'two items have the same id',
    ),
);
/** The state of a phase. */
export type ChecklistState = z.infer<typeof ChecklistStateSchema>;

/** An item before it has an id. */
export const ChecklistDraftSchema = builtOnUse(() =>
  z.strictObject({
    scope: oneLine,
    check: z.string().trim().min(1),
    /** @default 'MUST' */
    severity: ChecklistSeveritySchema.optional(),
    rule: z.string().min(1).optional(),
  }),
);
/** An item before it has an id. */
export type ChecklistDraft = z.infer<typeof ChecklistDraftSchema>;

const aliases: Readonly<Record<string, ChecklistSeverity>> = {
  MUST: 'MUST',
  BLOCKER: 'MUST',
  CRITICAL: 'MUST',
  SHOULD: 'SHOULD',
  MAJOR: 'SHOULD',
  MAY: 'MAY',
  COULD: 'MAY',
  MINOR: 'MAY',
};

/** The severity that a word means, in any case; COULD is MAY, BLOCKER is MUST. `undefined` for other words. */
export function checklistSeverity(word: unknown): ChecklistSeverity | undefined {
  const known = typeof word === 'string' ? word.trim().toUpperCase() : '';
  return Object.hasOwn(aliases, known) ? aliases[known] : undefined;
}

const severities: Readonly<Record<ChecklistSeverity, Severity>> = {
  MUST: 'critical',
  SHOULD: 'major',
  MAY: 'minor',
};

/** The severity of the gap that a failed item is. */
export function gapSeverityOf(severity: ChecklistSeverity): Severity {
  return severities[severity];
}

/** Whether an item is about everything; such items are verified one after another. */
export function isMacro({ scope }: Pick<ChecklistItem, 'scope'>): boolean {
  return scope === '*';
}
