import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { globMatcher } from '../../node/glob.js';

const types: Readonly<Record<string, string>> = {
  ...spread('mockup', 'html htm xhtml'),
  ...spread('stylesheet', 'css scss sass less'),
  ...spread('document', 'md markdown txt rst adoc'),
  ...spread('data', 'json yaml yml toml csv tsv xml'),
  ...spread('image', 'svg'),
  ...spread(
    'code',
    'ts tsx mts cts js jsx mjs cjs py rb go rs java kt c h cc cpp hpp cs php swift scala ' +
      'sh bash sql vue svelte',
  ),
};

function spread(type: string, extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, type]));
}

/** A function that returns the type of an artifact by its path. */
export type TypeOf = (path: string) => string;

/**
 * Returns a function that infers types from paths. The last matching `GLOB=TYPE` rule wins; without
 * a match, the extension decides.
 *
 * @throws ReviewLoopError `usage`
 */
export function artifactTypes(rules: readonly string[]): TypeOf {
  const parsed = rules.map((rule) => {
    const at = rule.lastIndexOf('=');
    if (at < 1 || at === rule.length - 1)
      throw new ReviewLoopError(
        nodeErrors.usage,
        `--type expects GLOB=TYPE, got ${JSON.stringify(rule)}`,
        {
          value: rule,
        },
      );
    const glob = rule.slice(0, at);
    return {
      matches: globMatcher(glob.includes('/') ? glob : `**/${glob}`),
      type: rule.slice(at + 1),
    };
  });
  return (path) => {
    const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
    return (
      parsed.findLast(({ matches }) => matches(path.replace(/^(\.\.\/)+/, '')))?.type ??
      types[extension] ??
      'text'
    );
  };
}
