import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { ReviewLoopError } from '../core/errors.js';
import { isVisible } from '../core/human.js';
import { canonicalJson, digestJson } from '../core/json.js';
import { redactSecrets } from '../core/redact/secrets.js';

const text = builtOnUse(() => z.string().min(1));

/** One entry of an audit log. */
export const AuditEntrySchema = builtOnUse(() =>
  z.strictObject({
    /**
     * What was done. Pipelines write `answer` and `override`; other programs choose other words.
     */
    kind: z.string().regex(/^[\w.-]{1,60}$/),
    /** Who did it. */
    who: text.refine(isVisible, 'expected a name: it shows no character'),
    runId: text.optional(),
    /** The digest of the version that it is about. */
    version: text.optional(),
    /** The question that was answered. */
    request: text.optional(),
    /** What the pipeline had decided. */
    verdict: text.optional(),
    /** What the person decided. */
    decision: text.optional(),
    reason: text.optional(),
    /** Further texts, by name. */
    details: z.record(z.string(), z.string()).optional(),
  }),
);

/** One entry of an audit log. */
export interface AuditEntry extends z.infer<typeof AuditEntrySchema> {}

const digest = builtOnUse(() => z.string().regex(/^[0-9a-f]{64}$/));

/** One record of an audit log: an entry with its place in the chain. */
export const AuditRecordSchema = builtOnUse(() =>
  AuditEntrySchema.extend({
    schema: z.literal(1),
    /** The number of the record, counted from 1. */
    seq: z.int().min(1),
    /** When, as ISO 8601. */
    at: text,
    /** The hash of the record before it; zeros for the first record. */
    previous: digest,
    /** SHA-256 over the canonical JSON of everything else in the record. */
    hash: digest,
  }),
);

/** One record of an audit log: an entry with its place in the chain. */
export interface AuditRecord extends z.infer<typeof AuditRecordSchema> {}

export const AuditMarkSchema = builtOnUse(() =>
  z.strictObject({ seq: z.int().min(1), hash: digest }),
);

/**
 * Identifies one record of a log. Store it elsewhere to prove later that the log was not truncated.
 */
export interface AuditMark extends z.infer<typeof AuditMarkSchema> {}

const beginning = '0'.repeat(64);

export function checkedEntry(entry: AuditEntry): AuditEntry {
  const parsed = AuditEntrySchema.safeParse(entry);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'invalid_options',
    `the audit log refused an entry: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: entry },
  );
}

/** Secrets are removed from texts that people wrote. */
export function nextRecord(
  entry: AuditEntry,
  { last, at }: { readonly last: AuditMark | undefined; readonly at: string },
): AuditRecord {
  const { who, verdict, decision, reason, details, ...exact } = entry;
  const said = Object.fromEntries(
    Object.entries({ who, verdict, decision, reason }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, redactSecrets(value)]],
    ),
  );
  const more =
    details === undefined
      ? {}
      : {
          details: Object.fromEntries(
            Object.entries(details).map(([name, value]) => [name, redactSecrets(value)]),
          ),
        };
  const body = {
    ...exact,
    ...said,
    ...more,
    schema: 1,
    seq: (last?.seq ?? 0) + 1,
    at,
    previous: last?.hash ?? beginning,
  };
  return { ...body, hash: digestJson(body) } as AuditRecord;
}

/** Without the line feed. Equal records have equal bytes. */
export function auditLine(record: AuditRecord): string {
  return canonicalJson(record);
}

export interface AuditProblem {
  /** The line, counted from 1; 0 for the whole log. */
  readonly line: number;
  readonly problem: 'unreadable' | 'changed' | 'out_of_order' | 'unlinked' | 'missing';
  readonly what: string;
}

export class AuditChain {
  #line = 0;
  #last: AuditMark | undefined;

  /** The last record that was readable. */
  get head(): AuditMark | undefined {
    return this.#last;
  }

  next(line: string): {
    readonly record: AuditRecord | undefined;
    readonly problems: readonly AuditProblem[];
  } {
    this.#line += 1;
    const record = recordOf(line);
    if (record === undefined)
      return { record, problems: [this.#problem('unreadable', 'the line is not an audit record')] };
    const { hash, ...body } = record;
    const problems: AuditProblem[] = [];
    if (auditLine(record) !== line || digestJson(body) !== hash)
      problems.push(
        this.#problem('changed', `record ${record.seq} was changed after it was written`),
      );
    const due = (this.#last?.seq ?? 0) + 1;
    if (record.seq !== due)
      problems.push(
        this.#problem('out_of_order', `the record has number ${record.seq} instead of ${due}`),
      );
    else if (record.previous !== (this.#last?.hash ?? beginning))
      problems.push(
        this.#problem('unlinked', `record ${record.seq} does not follow from the record before it`),
      );
    this.#last = { seq: record.seq, hash };
    return { record, problems };
  }

  #problem(problem: AuditProblem['problem'], what: string): AuditProblem {
    return { line: this.#line, problem, what };
  }
}

function recordOf(line: string): AuditRecord | undefined {
  try {
    return AuditRecordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Records the decisions of people permanently. */
export interface AuditSink {
  /**
   * Resolves when the record is durable. A decision counts only after that. If the promise rejects,
   * nothing was decided.
   */
  readonly record: (entry: AuditEntry) => Promise<AuditMark>;
}
