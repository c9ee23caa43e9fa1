/** A document of ours without its first column, and what the column said of each line. */
export interface SyntheticDoc {
  readonly text: string;
  readonly required: readonly number[];
  readonly forbidden: readonly number[];
}

/** Takes the first column off. */
export function readSynthetic(source: string): SyntheticDoc {
  const lines = source.replace(/^\n/, '').split('\n');
  const marked = (mark: string): number[] =>
    lines.flatMap((line, index) => (line.startsWith(mark) ? [index + 1] : []));
  return {
    text: lines.map((line) => line.slice(1)).join('\n'),
    required: marked('+'),
    forbidden: marked('-'),
  };
}
