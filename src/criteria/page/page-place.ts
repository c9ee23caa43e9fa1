import * as z from 'zod';

/** A rectangle of the page, in CSS pixels from its upper left corner. */
export const BoxSchema = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
/** A rectangle of the page, in CSS pixels from its upper left corner. */
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
/** An element as the browser shows it. */
export type Place = z.infer<typeof PlaceSchema>;
