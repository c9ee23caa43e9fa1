/** Stands in for the portable hash where the platform has its own: the import condition `node`. */
export const portableHash: ((text: string) => string) | undefined = undefined;
