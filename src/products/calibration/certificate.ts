import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { digestOf } from '../../core/json.js';
import { checkKeys, invalid } from '../../core/options.js';
import type { JudgeIdentity } from '../../core/policy.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import {
  type ApprovalLabel,
  checkedLabels,
  checkOpenShare,
  countOf,
  firstCount,
} from './approval-label.js';
import { mostLabels, shows, upperBoundOf, wealthForRisk } from './certified-test.js';

const openShare = () => z.number().gt(0).lt(1);

/** Shows that at most `alpha` of what an arrangement approves is wrong, as plain JSON. */
export const CertificateSchema = builtOnUse(() =>
  z.strictObject({
    schema: z.literal(1),
    /** ISO 8601, with its time zone. */
    at: z.iso.datetime({ offset: true }),
    /**
     * `fixed`: one sample, whose size was fixed before. `sequential`: tested after every label.
     */
    method: z.enum(['fixed', 'sequential']),
    /** How many approvals were labelled. */
    n: z.int().min(1).max(mostLabels),
    /** How many of them are wrong. */
    k: z.int().min(0),
    /** At most this share of the approvals is wrong. */
    alpha: openShare(),
    /** The greatest probability of a false certificate. */
    delta: openShare(),
    /** The upper bound of the share of wrong approvals, at confidence 1 - delta. */
    upperBound: z.number().min(0).max(1),
    arrangement: z.strictObject({
      digest: z.string().regex(/^[0-9a-f]{64}$/, 'expected the 64 digits of a digest'),
      /** Names what changed when another arrangement asks. */
      of: ArrangementSchema.optional(),
    }),
    /** Hash of the labels. */
    labels: z.string(),
    /** Why it no longer holds. */
    withdrawn: z
      .strictObject({
        at: z.iso.datetime({ offset: true }),
        /** How many audited approvals it took. */
        n: z.int().min(1),
        /** How many of them are wrong. */
        k: z.int().min(1),
      })
      .optional(),
  }),
);

/** Shows that at most `alpha` of what an arrangement approves is wrong, as plain JSON. */
export interface Certificate extends Readonly<z.infer<typeof CertificateSchema>> {}

/**
 * Also checks that the labels show what it says, and that the digest is that of its arrangement.
 */
export function checkedCertificate(name: string, given: unknown): Certificate {
  const read = CertificateSchema.safeParse(given);
  if (!read.success) throw invalid(name, `a certificate: ${z.prettifyError(read.error)}`, given);
  const { method, n, k, alpha, delta, upperBound, arrangement } = read.data;
  if (k > n || !shows(method, { n, k, alpha, delta }))
    throw invalid(name, `a certificate whose labels show alpha ${alpha}`, `${k} wrong of ${n}`);
  const bound = upperBoundOf(method, { n, k, delta });
  if (Math.abs(bound - upperBound) > 1e-6)
    throw invalid(`${name}.upperBound`, `${bound}, which follows from its labels`, upperBound);
  if (arrangement.of !== undefined && arrangementDigest(arrangement.of) !== arrangement.digest)
    throw invalid(
      `${name}.arrangement.digest`,
      'the digest of its arrangement',
      arrangement.digest,
    );
  return read.data;
}

export interface CertificateBars {
  readonly alpha: number;
  readonly delta: number;
}

interface Bound {
  readonly arrangement: Arrangement;
  readonly digest: string;
}

/**
 * A certificate counts if it is of this very arrangement, shows enough, and is newer than every
 * withdrawal.
 */
export function certificateProblem(
  certificates: readonly Certificate[],
  { arrangement, digest }: Bound,
  bars: CertificateBars,
): string | undefined {
  const own = certificates.filter((certificate) => certificate.arrangement.digest === digest);
  if (own.length === 0) return foreign(certificates, { arrangement, digest });
  const lastWithdrawal = Math.max(
    ...own.map(({ withdrawn }) =>
      withdrawn === undefined ? Number.NEGATIVE_INFINITY : Date.parse(withdrawn.at),
    ),
  );
  const valid = own.filter(
    ({ at, withdrawn }) => withdrawn === undefined && Date.parse(at) > lastWithdrawal,
  );
  if (valid.length === 0) return withdrawal(own);
  if (valid.some(({ alpha, delta }) => alpha <= bars.alpha && delta <= bars.delta))
    return undefined;
  const shown = valid.map(({ alpha, delta }) => `alpha ${alpha} and delta ${delta}`);
  return `the certificate shows ${shown.join(', or ')}; alpha ${bars.alpha} and delta ${bars.delta} are required`;
}

function withdrawal(own: readonly Certificate[]): string {
  const said = own
    .flatMap(({ withdrawn }) => withdrawn ?? [])
    .map(({ at, n, k }) => `at ${at}: ${k} of ${n} audited approvals are wrong`);
  return `the certificate was withdrawn ${said.join('; ')}`;
}

function foreign(certificates: readonly Certificate[], { arrangement, digest }: Bound): string {
  if (certificates.length === 0) return `no certificate of arrangement ${digest}`;
  const known = certificates.flatMap(({ arrangement: { of } }) => of ?? []);
  const fewest = known
    .map((other) => differences(other, arrangement))
    .sort((a, b) => a.length - b.length)[0];
  const why = fewest === undefined || fewest.length === 0 ? '' : `: ${fewest.join(', ')}`;
  return `the certificate is void, because it is of another arrangement than ${digest}${why}`;
}

function differences(certified: Arrangement, now: Arrangement): string[] {
  const before = new Map(certified.judges.map((judge) => [judge.id, judge]));
  const ids = new Set(now.judges.map(({ id }) => id));
  const judges = now.judges.flatMap(({ id, version, tier }) => {
    const known = before.get(id);
    if (known === undefined) return [`${id} is new`];
    if (known.version !== version) return [`${id} has another prompt, model or rule`];
    return known.tier === tier ? [] : [`${id} is in another tier`];
  });
  const gone = certified.judges.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is gone`);
  const rules =
    JSON.stringify(certified.rules) === JSON.stringify(now.rules)
      ? []
      : [`the policy was ${certified.rules.name}, and is ${now.rules.name} with other options`];
  const tasks =
    certified.tasks === now.tasks
      ? []
      : [`the tasks were ${named(certified.tasks)}, and are ${named(now.tasks)}`];
  return [...judges, ...gone, ...rules, ...tasks];
}

function named(tasks: string | undefined): string {
  return tasks === undefined ? 'not named' : JSON.stringify(tasks);
}

export interface AuditCertificateOptions {
  readonly certificate: Certificate;
  /** Labels of a random sample of later approvals, the oldest first. */
  readonly labels: readonly ApprovalLabel[];
  /** The greatest probability of a false withdrawal. @default `delta` of the certificate */
  readonly delta?: number | undefined;
  /** Source of time. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** What {@link auditCertificate} returns. */
export interface CertificateAudit {
  /** The certificate, which may be withdrawn now. */
  readonly certificate: Certificate;
  readonly withdrawn: boolean;
  /** How many approvals were audited. */
  readonly n: number;
  /** How many of them are wrong. */
  readonly k: number;
}

/**
 * Withdraws a certificate if audited approvals show that more than its `alpha` are wrong. It may be
 * called after every label, with all labels so far: a certificate that still holds is withdrawn
 * with a probability of at most `delta`, however often one looks.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const { certificate, withdrawn } = auditCertificate({ certificate: known, labels });
 * ```
 */
export function auditCertificate(options: AuditCertificateOptions): CertificateAudit {
  checkKeys('auditCertificate', options, ['certificate', 'labels', 'delta', 'clock']);
  const certificate = checkedCertificate('certificate', options.certificate);
  const { delta = certificate.delta, clock = systemClock } = options;
  checkOpenShare('delta', delta);
  const labels = checkedLabels(options.labels, certificate.arrangement.digest);
  const { alpha } = certificate;
  // the bets reach 1 / delta
  const crossed = firstCount(labels, ({ n, k }) => wealthForRisk(n, k, alpha) >= 1 / delta);
  const withdrawn =
    certificate.withdrawn ?? (crossed && { at: new Date(clock.now()).toISOString(), ...crossed });
  return {
    certificate: { ...certificate, ...(withdrawn !== undefined && { withdrawn }) },
    withdrawn: withdrawn !== undefined,
    ...countOf(labels),
  };
}

const RulesSchema = builtOnUse(() =>
  z.object({
    name: z.string().min(1),
    options: z.json().optional(),
  }),
);

/** The name of a policy with its options. Another name or option is another arrangement. */
export interface PolicyRules extends z.infer<typeof RulesSchema> {}

const ArrangementSchema = builtOnUse(() =>
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

/** The order of the reviewers does not matter; any other change yields another digest. */
export function arrangementDigest(arrangement: Arrangement): string {
  const checked = checkedArrangement('arrangement', arrangement);
  const judges = [...checked.judges].sort(byId);
  return digestOf({ ...checked, judges });
}

export function checkedArrangement(name: string, given: unknown): Arrangement {
  const read = ArrangementSchema.safeParse(given);
  if (!read.success)
    throw invalid(name, `{ judges, rules, tasks }: ${z.prettifyError(read.error)}`, given);
  const ids = read.data.judges.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(`${name}.judges`, 'reviewers with unique ids', twice);
  return read.data;
}

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
