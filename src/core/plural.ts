/**
 * Returns a number with its noun: `1 gap`, `2 gaps`.
 *
 * @param many - The plural, if it is not the noun with an `s`.
 */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** Returns the first of some names, and how many more there are: `a, b and 3 more`. */
export function shortList(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
