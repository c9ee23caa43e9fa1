import { plural } from '../../core/plural.js';

/** Returns what to do about requirements that were read from plain sentences, where rules err most. */
export function proseNote(prose: number, of: number): string {
  return (
    `${prose} of ${plural(of, 'requirement')} were read from plain ` +
    'sentences, where an explanation looks like a demand: look through the list'
  );
}
