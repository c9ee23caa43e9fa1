/** The parts of css-tree that criteria use. */
export type CssParser = Pick<typeof import('css-tree'), 'parse' | 'walk' | 'generate'>;

/**
 * Loads the parser, the walker and the generator of css-tree. The whole package also loads its
 * lexer, which triples the time and needs a JSON file of the package at run time.
 */
export async function loadCssParser(): Promise<CssParser> {
  const [parser, walker, generator] = await Promise.all([
    import('css-tree/parser'),
    import('css-tree/walker'),
    import('css-tree/generator'),
  ]);
  return { parse: parser.default, walk: walker.default, generate: generator.default };
}
