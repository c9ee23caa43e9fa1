/** The fewest columns that rows are laid out for. */
const fewest = 20;

/**
 * Returns the columns of a terminal; `undefined` if it does not tell them, as in a container, or if
 * they are too few for anything but plain lines.
 */
export function knownColumns(stream: {
  readonly columns?: number | undefined;
}): number | undefined {
  const { columns = 0 } = stream;
  return Number.isInteger(columns) && columns >= fewest ? columns : undefined;
}
