/** The name of a trust preset; docs/trust.md lists the calls of each. */
export type TrustName = 'fast' | 'guarded' | 'autonomous';

/** The names of the trust presets, for schemas. */
export const trustNames = ['fast', 'guarded', 'autonomous'] as const satisfies readonly TrustName[];
