/**
 * Returns a number with its noun: `1 gap`, `2 gaps`.
 *
 * @param many - The plural, if it is not the noun with an `s`.
 */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
