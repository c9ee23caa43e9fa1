/** The name of a preset of trust; docs/trust.md has the calls of each. */
export type TrustName = 'fast' | 'guarded' | 'autonomous';

/** The names of the presets, for schemas. */
export const trustNames = ['fast', 'guarded', 'autonomous'] as const satisfies readonly TrustName[];
