/** Misspelt forms of a key: a letter less, a letter more, two swapped, another case, another number. */
export function misspelt(key: string): string[] {
  const at = Math.floor(key.length / 2);
  const forms = [
    key.slice(0, at) + key.slice(at + 1),
    key.slice(0, at) + (key[at] ?? '') + key.slice(at),
    key.slice(0, at - 1) + (key[at] ?? '') + (key[at - 1] ?? '') + key.slice(at + 1),
    key.toUpperCase(),
    key.slice(0, 1).toUpperCase() + key.slice(1),
    key.endsWith('s') ? key.slice(0, -1) : `${key}s`,
    `${key}_`,
    ` ${key}`,
  ];
  return [...new Set(forms)].filter((form) => form !== key && form !== '');
}

/** The data with another name of one key. */
export const renamed = (data: object, from: string, to: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key === from ? to : key, value as unknown]),
  );

/** The number of the first line that differs. */
export function firstDifference(text: string, other: string): number {
  const lines = other.split('\n');
  return text.split('\n').findIndex((line, index) => line !== lines[index]) + 1;
}
