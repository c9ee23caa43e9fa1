import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

export const GradeSchema = builtOnUse(() => {
  const whole = z.int().min(1);
  return z.object({
    /** The grade; more is better. */
    given: whole,
    of: whole,
    passFrom: whole,
  });
});
export interface Grade extends z.infer<typeof GradeSchema> {}

export function reachesBar({ given, passFrom }: Grade): boolean {
  return given >= passFrom;
}

/**
 * 1 from the bar on, so that no threshold of a policy is a second bar; below, its share of the bar.
 */
export function scoreOfGrade({ given, passFrom }: Grade): number {
  return Math.min(1, given / passFrom);
}

/** The bar is left out: it may be another one later. */
export function gradeText({ given, of }: Omit<Grade, 'passFrom'>): string {
  return `grade ${given} of ${of}`;
}

export function shareOfScale({ given, of }: Omit<Grade, 'passFrom'>): number {
  return given / of;
}
