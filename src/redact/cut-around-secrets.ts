import { findSecrets } from './secrets.js';

/** How far behind a cut a secret is searched for its end, in characters. */
const lookahead = 4000;

/**
 * Returns at most `most` characters of the beginning of a text. A secret that the cut would split
 * is left out: half of it has no format that {@link redactSecrets} knows.
 */
export function cutAroundSecrets(text: string, most: number): string {
  if (text.length <= most) return text;
  const split = findSecrets(text.slice(0, most + lookahead)).find(
    ({ start, end }) => start < most && end > most,
  );
  return text.slice(0, split === undefined ? most : split.start);
}
