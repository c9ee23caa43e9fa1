/** How far the verdicts of a pipeline are to be trusted, and what that may cost; docs/trust.md has the calls of each. */
export type Trust = 'fast' | 'guarded' | 'autonomous';

/** The presets by name, for schemas. */
export const trusts = ['fast', 'guarded', 'autonomous'] as const satisfies readonly Trust[];
