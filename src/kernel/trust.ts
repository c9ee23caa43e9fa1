import * as z from 'zod';

/** The presets of trust. */
export const TrustSchema = z.enum(['fast', 'guarded', 'autonomous']);

/** How far the verdicts of a pipeline are to be trusted, and what that may cost; docs/trust.md has the calls of each. */
export type Trust = z.infer<typeof TrustSchema>;
