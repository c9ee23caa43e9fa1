import * as z from 'zod';

/** A rectangle of the page, in CSS pixels from its upper left corner. */
export const BoxSchema = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type Box = z.infer<typeof BoxSchema>;

/** An element as the browser shows it. */
export const PlaceSchema = z.object({
  selector: z.string(),
  /** The indexes among the child elements, from `html` down. `null` inside a shadow tree. */
  path: z.array(z.number()).nullable(),
  tag: z.string(),
  /** The beginning of its markup. */
  html: z.string(),
  box: BoxSchema,
});
export type Place = z.infer<typeof PlaceSchema>;

/** One thing that is wrong with a page. */
export interface Fault {
  readonly description: string;
  readonly suggestedFix: string;
  readonly severity?: 'major' | 'minor' | undefined;
  readonly place?: Place | undefined;
  /** The criteria over the source that follow the same rule. */
  readonly same?: readonly string[] | undefined;
  /** A screenshot of the place, as a `data:` address. */
  readonly picture?: string | undefined;
}

/** What one criterion learns from a visit. */
export interface Look {
  /** How many things it judged. */
  readonly judged: number;
  readonly faults: readonly Fault[];
  /** What it could not tell, with the reasons. */
  readonly unsure?: readonly string[] | undefined;
  /** What it left out, with the reasons. It does not decide. */
  readonly aside?: readonly string[] | undefined;
}

/** What all criteria read: one visit of a page. */
export interface PageVisit {
  /** The browser and its version. */
  readonly browser: string;
  /** The looks by the ids of the criteria. */
  readonly looks: Readonly<Record<string, Look>>;
}
