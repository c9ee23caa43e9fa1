/** Returns the first three texts, and how many more there are. */
export function fewOf(texts: readonly string[], separator = '; '): string {
  return [...texts.slice(0, 3), ...(texts.length > 3 ? [`${texts.length - 3} more`] : [])].join(
    separator,
  );
}
