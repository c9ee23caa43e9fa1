import * as z from 'zod';
import { type AllowedSecret, allowedSecretProblem } from '../redact/allowed-secrets.js';

export interface ConfiguredSecrets {
  /** Lines that look like secrets and are allowed, each with its reason. @default [] */
  readonly allow?: readonly AllowedSecret[] | undefined;
  /**
   * A file with further allowed lines, which `reviewloop secrets --baseline` writes. Its path is
   * relative to the folder of the configuration.
   *
   * @default none
   */
  readonly baseline?: string | undefined;
}

const allowedSecret = z
  .strictObject({
    path: z.unknown().optional(),
    line: z.unknown().optional(),
    fingerprint: z.unknown().optional(),
    reason: z.unknown().optional(),
  })
  .superRefine((entry, context) => {
    const message = allowedSecretProblem(entry);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** The schema of the `secrets` section. It refuses entries without a reason. */
export const SecretsConfigSchema = z.strictObject({
  allow: z.array(allowedSecret).optional(),
  baseline: z.string().trim().min(1).optional(),
});

/** The schema of the `honestWork` section. */
export const HonestWorkConfigSchema = SecretsConfigSchema.omit({ baseline: true });

/** The schema of a baseline file. */
export const SecretsBaselineSchema = z.strictObject({
  schemaVersion: z.literal(1),
  allow: z.array(allowedSecret),
});
