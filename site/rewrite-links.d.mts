export declare function rewriteLinks(
  path: string,
  markdown: string,
  pages?: readonly string[],
): { readonly text: string; readonly sources: string[] };
export declare function sourcePage(path: string): string;
export declare const sourceTarget: (path: string) => string;
