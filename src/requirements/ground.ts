import { isExplaining, type SectionKind } from './sections.js';

/** What the names of sections, labels, or lines above lists say about the text below them. */
export type Ground = 'leads' | 'labels' | 'sections';

export type Grounds = ReadonlySet<Ground>;

/** All grounds, the weakest first. */
export const allGrounds: readonly Ground[] = ['leads', 'labels', 'sections'];

export const noGrounds: Grounds = new Set();

/** Matches a name that says itself that its text is left out, and does not only name a topic. */
const firm =
  /\b(?:not?|non|out|won['’]?t|don['’]?t|never|exclu\w*|reject\w*|removed?|alternatives?|considered|prior art|done|completed|shipped|already)\b/i;

/**
 * Returns the kind of a section whose name is doubted. A name that says "out of scope" stays. A
 * topic such as "Backlog" or "History" no longer decides.
 */
export function doubtedKind(kind: SectionKind, name: string): SectionKind {
  return isExplaining(kind) && !firm.test(name) ? 'open' : kind;
}
