import * as z from 'zod';
import { PlaceSchema } from '../page-place.js';

/** Red, green, blue and opacity of a colour. */
const ColourSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

const ListedElementSchema = z.object({
  /** Its number. Elements keep it in every window. */
  kept: z.number(),
  /** The number of the element around it, or -1. */
  parent: z.number(),
  /** The kinds that it surely has, and those that it may have. */
  kinds: z.array(z.string()),
  maybe: z.array(z.string()),
  /** Its text, on one line; empty if it is too long. */
  text: z.string(),
  place: PlaceSchema,
});
export type ListedElement = z.infer<typeof ListedElementSchema>;

const PaintSchema = z.object({
  /** The colours of its letters; null for one that is not certain. */
  colours: z.array(ColourSchema.nullable()),
  /** The colour behind it; null if it is not one colour. */
  background: ColourSchema.nullable(),
  /** Whether it has a background of its own. */
  painted: z.boolean(),
  /** Whether text stands directly in it. */
  hasLetters: z.boolean(),
});
/** How an element is painted. */
export type Paint = z.infer<typeof PaintSchema>;
/** How some elements are painted. */
export const PaintsSchema = z.array(PaintSchema);

/** Whether a person sees an element. */
export const SightsSchema = z.array(z.enum(['yes', 'no', 'unclear']));

/** One element as it is shown in a window. */
export interface ShownElement extends ListedElement, Paint {
  /** Whether a person sees it. */
  readonly seen: z.infer<typeof SightsSchema>[number];
}

export const ListedWindowSchema = z.object({
  /** Whether all elements are here. */
  whole: z.boolean(),
  elements: z.array(ListedElementSchema),
  /** The width of the window. */
  window: z.number(),
  /** The width that the window scrolls over. */
  wide: z.number(),
  /** Whether the page hides what is wider than the window. */
  hides: z.boolean(),
});
/** The elements of a page in a window of one width. */
export type ListedWindow = z.infer<typeof ListedWindowSchema>;

/** What a page may show as text besides the text of its elements. */
export const OtherTextsSchema = z.object({
  attributes: z.string(),
  /** What styles write before and after elements. */
  generated: z.string(),
  /** Whether styles write numbers or attributes. */
  counted: z.boolean(),
  /** All text of the page, seen or not. */
  whole: z.string(),
  /** Whether there are pictures, which may show text. */
  pictures: z.boolean(),
  /** Whether there are scripts, which may show more later. */
  scripts: z.boolean(),
});
/** What a page may show as text besides the text of its elements. */
export type OtherTexts = z.infer<typeof OtherTextsSchema>;

/** A page as it is shown in a window of one width. */
export interface WindowFacts extends ListedWindow {
  readonly elements: ShownElement[];
  readonly others: OtherTexts;
}

/** A page as it is shown in a wide and in a narrow window. */
export interface PageFacts {
  /** Why nothing about the page is certain. */
  readonly unclear?: string | undefined;
  readonly wide: WindowFacts;
  readonly narrow: WindowFacts;
}
