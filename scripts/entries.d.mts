export declare const libraryEntries: Readonly<Record<string, string>>;
export declare const reservedEntries: readonly string[];
export declare const binEntries: Readonly<Record<string, string>>;
export declare function subpathOf(entry: string): string;
export declare const packageExports: Readonly<
  Record<string, string | { readonly types: string; readonly default: string }>
>;
export declare const sourcePaths: Readonly<Record<string, readonly string[]>>;
export declare const internalEntries: Readonly<Record<string, string>>;
export declare const packageImports: Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Entry points that may change in any version; all others are stable. */
export const experimentalEntries: readonly string[];
