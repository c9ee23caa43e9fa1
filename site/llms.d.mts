import type { BookSection } from './book.mjs';

export declare function llmsTxt(
  book: readonly BookSection[],
  referencePages: readonly { readonly title: string; readonly target: string }[],
): string;
export declare function llmsFullTxt(
  book: readonly BookSection[],
  staged: ReadonlyMap<string, string>,
): string;
export declare const plainMarkdown: (target: string, text: string) => string;
