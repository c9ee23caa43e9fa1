import * as z from 'zod';
import { likelyKey } from '../../text/schema-problems.js';

/** Returns a schema of arguments. It refuses unknown ones, and names the one that is meant. */
export function strictInput<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownText(key, known)).join('; ')
        : undefined,
  });
}

function unknownText(key: string, known: readonly string[]): string {
  const near = likelyKey(key, known);
  const advice = near === undefined ? '' : `; the nearest is ${near}`;
  return `unknown argument \`${key}\`${advice}; the arguments are ${known.join(', ')}`;
}
