import * as z from 'zod';
import { JournalRecordSchema } from '../ports/store.js';

const knownTypes = new Set<unknown>(
  JournalRecordSchema.options.map((option) => option.shape.type.value),
);
const LabelSchema = z.object({ type: z.string(), schema: z.number().optional() });

/**
 * Returns which part of a record this version does not know; `undefined` if the record is only
 * wrong.
 */
export function newerThanKnown(record: unknown): string | undefined {
  const { data } = LabelSchema.safeParse(record);
  if (data === undefined) return undefined;
  if (data.type === 'run' && data.schema !== undefined && data.schema > 1)
    return `schema ${data.schema}`;
  return knownTypes.has(data.type) ? undefined : `a record of type ${data.type}`;
}
