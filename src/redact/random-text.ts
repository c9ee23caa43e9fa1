/**
 * Returns whether a text mixes letters and digits like a secret. Digests of git and lock files do
 * not count.
 */
export function looksRandom(value: string): boolean {
  if (/^[0-9a-f]+$/i.test(value))
    return (
      value.length >= 32 &&
      ![40, 64, 128].includes(value.length) &&
      /\d/.test(value) &&
      /[a-f]/i.test(value) &&
      entropy(value) >= 3
    );
  return isMixed(value);
}

/** Returns whether a text mixes small letters, capitals and digits, and does not consist of words. */
export function isMixed(value: string): boolean {
  if (
    /^sha\d{1,3}-/.test(value) ||
    !/\d/.test(value) ||
    !/[a-z]/.test(value) ||
    !/[A-Z]/.test(value) ||
    entropy(value) < 4
  )
    return false;
  // a name consists of words, which rarely occur by chance
  const words = value.match(/[A-Z]?[a-z]{2,}/g) ?? [];
  return words.join('').length < 0.65 * value.length;
}

/** Returns the entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
