/** Replaces the portable hash under the import condition `node`: Node has its own hash. */
export const portableHash: ((text: string) => string) | undefined = undefined;
