import type { Nodes, Root } from 'mdast';

/** The parser of Markdown with GitHub's tables and task lists, and what gives a node's words. */
export interface Markdown {
  readonly parse: (text: string) => Root;
  readonly textOf: (node: Nodes) => string;
}

let loaded: Markdown | undefined;

/** Loads the parser, once. It is not loaded with the package because most users of the package never read Markdown. */
export async function loadMarkdown(): Promise<Markdown> {
  if (loaded !== undefined) return loaded;
  const [{ fromMarkdown }, { gfm }, { gfmFromMarkdown }, { toString: wordsOf }] = await Promise.all(
    [
      import('mdast-util-from-markdown'),
      import('micromark-extension-gfm'),
      import('mdast-util-gfm'),
      import('mdast-util-to-string'),
    ],
  );
  loaded ??= {
    parse: (text) =>
      fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
    textOf: (node) => wordsOf(node),
  };
  return loaded;
}

/** The parser if it was loaded before. */
export function loadedMarkdown(): Markdown | undefined {
  return loaded;
}
