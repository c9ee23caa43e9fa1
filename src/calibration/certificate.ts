import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { invalid } from '../core/options.js';
import { ArrangementSchema, arrangementDigest } from './arrangement.js';
import { mostLabels, shows, upperBoundOf } from './certified-test.js';

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
 * Reads a certificate, and checks that its figures fit: the labels show what it says, and the
 * digest is that of its arrangement.
 *
 * @throws ReviewLoopError `invalid_options`
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
