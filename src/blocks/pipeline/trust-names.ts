/** The name of a trust preset; docs/trust.md lists the calls of each. */
export type TrustName = 'fast' | 'guarded' | 'autonomous';

export const trustNames = ['fast', 'guarded', 'autonomous'] as const satisfies readonly TrustName[];
