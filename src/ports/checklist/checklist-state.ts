import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { GapSchema } from '../../core/gap.js';
import { PersonNameSchema } from '../../core/human.js';
import { UsageSchema } from '../../core/usage.js';

/** They are of the QR checklist format; each has one state file, `qr-{phase}.json`. */
export const ChecklistPhaseSchema = builtOnUse(() =>
  z.enum(['plan-structure', 'plan-code', 'plan-docs', 'impl-code', 'impl-docs']),
);
/** A phase of the QR checklist format. */
export type ChecklistPhase = z.infer<typeof ChecklistPhaseSchema>;

/** The matching gaps are `critical`, `major` and `minor`. */
export const ChecklistSeveritySchema = builtOnUse(() => z.enum(['MUST', 'SHOULD', 'MAY']));
/** The severity of a failed item. The matching gaps are `critical`, `major` and `minor`. */
export type ChecklistSeverity = z.infer<typeof ChecklistSeveritySchema>;

export const ChecklistStatusSchema = builtOnUse(() => z.enum(['TODO', 'PASS', 'FAIL']));

/** Characters that could forge lines of a prompt: controls, line separators and direction marks. */
const unsafeCharacter = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u;
export const oneLine = builtOnUse(() =>
  z
    .string()
    .min(1)
    .max(500)
    .refine(
      (text) => text.trim() === text && !unsafeCharacter.test(text),
      'must be one line without control characters, and without blanks at the start or end',
    ),
);

const ItemInputsSchema = builtOnUse(() =>
  z.object({
    version: z.string(),
    task: z.string(),
    view: z.string(),
    history: z.string().optional(),
  }),
);
/** The members of a verdict that its item does not contain elsewhere. */
const ItemJudgementSchema = builtOnUse(() =>
  z.looseObject({
    score: z.number().optional(),
    explanation: z.string().optional(),
    usage: UsageSchema.optional(),
    /** Milliseconds since 1970. */
    at: z.number().optional(),
  }),
);

/** Unknown members are preserved. */
const ChecklistItemSchema = builtOnUse(() =>
  z
    .looseObject({
      /** The id, unique in its phase. The gate creates `{phase}-{seq:003}`. */
      id: oneLine,
      /**
       * The part of the work that the item covers: `*`, `milestone:M1`, `file:path` or
       * `file:path:45-52`.
       */
      scope: oneLine,
      /** The statement or question to verify. */
      check: z.string().min(1),
      status: ChecklistStatusSchema,
      /** The reason for a FAIL; `null` for TODO and PASS. */
      finding: z.string().min(1).nullable(),
      severity: ChecklistSeveritySchema,
      /** The iteration that last created, reset or verified the item. */
      iteration: z.int().min(1),
      /** The number of changes, from 1. */
      version: z.int().min(1),
      /** The id of the rule that verifies the item by code. */
      rule: z.string().optional(),
      /**
       * The problems in detail: fix, quote and place. Absent if the finding contains everything.
       */
      gaps: z.array(GapSchema).readonly().optional(),
      /** Digests of the content that the PASS or FAIL is about. Absent in files of schema 1.0. */
      about: ItemInputsSchema.optional(),
      judged: ItemJudgementSchema.optional(),
      /** The person who accepted the failure, and the reason. */
      accepted: z.object({ by: PersonNameSchema, reason: z.string().min(1) }).optional(),
    })
    .refine(
      ({ status, finding }) => status === 'FAIL' || finding === null,
      'only FAIL has a finding',
    ),
);
/** One item of a checklist. */
export interface ChecklistItem extends z.infer<typeof ChecklistItemSchema> {}

/** The state of a phase. It contains no counts, because they can be computed. */
export const ChecklistStateSchema = builtOnUse(() =>
  z
    .looseObject({
      schema_version: z.literal('1.1'),
      phase: ChecklistPhaseSchema,
      /** The cycle of verification, from 1; each fix begins the next one. */
      iteration: z.int().min(1),
      /** How many iterations began without a change of content: they make the gate no milder. */
      unchanged: z.int().min(0).optional(),
      items: z.array(ChecklistItemSchema),
      /** Verdicts on earlier content of the items. */
      verdicts: z
        .array(z.looseObject({ about: z.looseObject({ reviewer: z.string() }) }))
        .optional(),
      /** The current run of the phase, and the iteration in which it began. */
      run: z.object({ id: z.string(), from: z.int().min(1) }).optional(),
      /** The paths under review, for the command line. */
      inputs: z.array(z.string()).optional(),
    })
    .refine(
      ({ items }) => new Set(items.map(({ id }) => id)).size === items.length,
      'two items have the same id',
    ),
);
/** The state of a phase. */
export interface ChecklistState extends z.infer<typeof ChecklistStateSchema> {}

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

/**
 * Returns the severity for a word in any case, `undefined` for an unknown word. COULD means MAY;
 * BLOCKER and CRITICAL mean MUST.
 */
export function checklistSeverity(word: unknown): ChecklistSeverity | undefined {
  const known = typeof word === 'string' ? word.trim().toUpperCase() : '';
  return Object.hasOwn(aliases, known) ? aliases[known] : undefined;
}
