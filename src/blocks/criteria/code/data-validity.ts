import type { Found } from '../artifact-criterion.js';
import { type DataTree, readJson, readYaml } from '../data/data-tree.js';
import { foundAt, type TextFile } from '../files/file-rule.js';

/** Matches files that may contain comments although their names end in .json. */
const relaxed =
  /\.(?:jsonc|code-workspace)$|(?:^|\/)(?:[tj]sconfig[\w.-]*|\.eslintrc|\.babelrc|\.swcrc|api-extractor|devcontainer|deno|typedoc|tsdoc|biome|turbo|nx|rush|wrangler)\.json$|(?:^|\/)\.vscode\/[^/]+\.json$/i;

export function isCheckedData(path: string): boolean {
  return /\.(?:jsonc?|ya?ml|code-workspace)$/i.test(path);
}

/** Templates are not checked. */
export async function brokenData(file: TextFile): Promise<Found[]> {
  const isJson = !/\.ya?ml$/i.test(file.file);
  if (!isJson && isTemplate(file.source)) return [];
  if (file.source.trim() === '')
    return isJson ? [problem(file, 'JSON', { message: 'the file is empty', offset: 0 })] : [];
  const trees: DataTree[] = isJson
    ? [await readJson(file.source, { relaxed: relaxed.test(file.file) })]
    : await readYaml(file.source);
  const broken = trees.find((tree) => 'error' in tree);
  if (broken === undefined) return [];
  const found = problem(file, isJson ? 'JSON' : 'YAML', broken.error);
  const isRead = isJson && 'root' in (await readJson(file.source, { relaxed: true }));
  if (!isRead) return [found];
  // many programs accept comments and trailing commas
  const description = 'comments or trailing commas: not every program reads this JSON';
  return [{ ...found, description, severity: 'minor' }];
}

export async function brokenFrontMatter(
  file: TextFile,
  place: { readonly start: number; readonly end: number },
): Promise<Found[]> {
  const text = file.source.slice(place.start, place.end);
  if (isTemplate(text)) return [];
  const broken = (await readYaml(text)).find((tree) => 'error' in tree);
  return broken !== undefined && 'error' in broken
    ? [problem(file, 'YAML', { ...broken.error, offset: broken.error.offset + place.start })]
    : [];
}

function problem(
  file: TextFile,
  form: string,
  { message, offset }: { readonly message: string; readonly offset: number },
): Found {
  const start = Math.min(offset, Math.max(0, file.source.length - 1));
  return foundAt(
    file,
    { start },
    {
      description: `not valid ${form}: ${message.slice(0, 200)}`,
      suggestedFix: `Make it valid ${form}`,
    },
  );
}

function isTemplate(text: string): boolean {
  return /\{\{[-\s]|\{%/.test(text);
}
