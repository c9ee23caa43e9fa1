import type { Artifact } from '../../../core/artifact.js';

type Named = Pick<Artifact, 'path' | 'type'>;

const markdown = /\.(?:md|markdown|mdx)$/i;
const prose = /\.(?:md|markdown|mdx|txt|text|rst|adoc|asciidoc)$/i;
const html = /\.(?:x?html?)$/i;
const data =
  /(?:\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|conf|properties|xml|csv|tsv)|(?:^|\/)\.(?:env|npmrc|pypirc|netrc)(?:\.[\w.-]+)?)$/i;

const families = {
  c: 'ts tsx mts cts js jsx mjs cjs java kt kts c h cc cpp hpp cxx cs go rs swift scala dart groovy proto css scss less php',
  hash: 'py rb sh bash zsh pl r ex exs tf',
  dashes: 'sql lua hs',
  markup: 'vue svelte astro',
} as const;

export type CommentFamily = keyof typeof families;

const familyOf = new Map(
  Object.entries(families).flatMap(([family, extensions]) =>
    extensions
      .split(' ')
      .map((extension): [string, CommentFamily] => [extension, family as CommentFamily]),
  ),
);

/** `undefined` unless the path is that of code. */
export function languageOf(
  path: string,
): { readonly extension: string; readonly family: CommentFamily } | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = /^(?:dockerfile|makefile|jenkinsfile)$/.test(name)
    ? 'sh'
    : (/\.([a-z0-9]+)$/.exec(name)?.[1] ?? '');
  const family = familyOf.get(extension);
  return family && { extension, family };
}

export function isPage({ path, type }: Named): boolean {
  return html.test(path) || (/^(?:mockup|html)$/.test(type) && !isKnown(path));
}

/** By its name, or because it is a text without another form. */
export function isMarkdown(artifact: Named): boolean {
  return markdown.test(artifact.path) || (isText(artifact) && !prose.test(artifact.path));
}

/** Markdown, plain text, or text without another form. */
export function isText({ path, type }: Named): boolean {
  return (
    prose.test(path) ||
    (/^(?:document|markdown|text)$/.test(type) &&
      !isKnown(path) &&
      !/\.[a-z0-9]{1,10}$|(?:^|\/)\.[^/]+$/i.test(path))
  );
}

export function isSource({ path, type }: Named): boolean {
  return (
    languageOf(path) !== undefined ||
    (type === 'code' && !prose.test(path) && !html.test(path) && !data.test(path))
  );
}

export function isData({ path, type }: Named): boolean {
  return (
    data.test(path) ||
    (type === 'data' && !isText({ path, type }) && languageOf(path) === undefined)
  );
}

function isKnown(path: string): boolean {
  return languageOf(path) !== undefined || data.test(path) || html.test(path);
}
