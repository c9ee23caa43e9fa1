import type { CssNode, ParseOptions } from 'css-tree';

export interface CssParser extends Pick<typeof import('css-tree'), 'walk' | 'generate'> {
  readonly parse: (css: string, options?: ParseOptions) => CssNode;
}

/** The parser copies the source for each of its errors. */
const mostCopied = 200_000_000;

/**
 * The whole package also loads its lexer, which triples the time and needs a JSON file of the
 * package at run time. A source with too many errors for its length makes the parser throw.
 */
export async function loadCssParser(): Promise<CssParser> {
  const [parser, walker, generator] = await Promise.all([
    import('css-tree/parser'),
    import('css-tree/walker'),
    import('css-tree/generator'),
  ]);
  const parse: CssParser['parse'] = (css, options = {}) => {
    let copied = 0;
    return parser.default(css, {
      ...options,
      onParseError: (error, fallback) => {
        copied += css.length;
        if (copied > mostCopied) throw error;
        options.onParseError?.(error, fallback);
      },
    });
  };
  return { parse, walk: walker.default, generate: generator.default };
}
