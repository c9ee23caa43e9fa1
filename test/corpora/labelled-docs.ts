import { readFileSync } from 'node:fs';

/** A document of ours without its first column, and what the column said of each line. */
export interface LabelledDoc {
  readonly name: string;
  readonly text: string;
  readonly required: readonly number[];
  readonly optional: readonly number[];
  readonly forbidden: readonly number[];
}

export function labelledDocs(set: 'fresh' | 'mixed' | 'ordinary' | 'synthetic'): LabelledDoc[] {
  const [, ...parts] = readFileSync(`test/corpora/labelled/${set}.txt`, 'utf8').split(/^=== /m);
  return parts.map((part) => {
    const [name = '', ...lines] = part.split('\n');
    const marked = (mark: string): number[] =>
      lines.flatMap((line, index) => (line.startsWith(mark) ? [index + 1] : []));
    return {
      name,
      text: lines.map((line) => line.slice(1)).join('\n'),
      required: marked('+'),
      optional: [],
      forbidden: marked('-'),
    };
  });
}
