/** A page of the list in docs/README.md. */
export interface BookPage {
  readonly title: string;
  /** The file, from the root of the repository. */
  readonly path: string;
  readonly about: string;
}
export interface BookSection {
  readonly title: string;
  readonly pages: readonly BookPage[];
}
export declare const root: string;
export declare const readText: (path: string) => string;
export declare const docPages: () => string[];
export declare const sitePages: () => string[];
export declare const targetOf: (path: string) => string;
export declare function readBook(markdown?: string): BookSection[];
