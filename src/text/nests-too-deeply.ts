/** The maximum depth of YAML and JSON. The parser of YAML recurses for each level. */
export const deepestData = 200;

/**
 * Returns whether an upper bound of the depth of YAML or JSON is too high: brackets and indentation,
 * even in quotes. It takes linear time, which the parser of YAML does not.
 */
export function nestsTooDeeply(source: string): boolean {
  let depth = 0;
  for (const [sign] of source.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1;
    if (depth < 0) depth = 0;
    if (depth > deepestData) return true;
  }
  return /^ {2000}|^ {0,2000}(?:[-?] ){200}/m.test(source);
}
