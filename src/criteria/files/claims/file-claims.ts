import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CoverageEvidence } from '../../../core/coverage.js';
import type { PropertyClaim } from '../../../requirements/claim/claim.js';
import { isCheckedData } from '../../code/data-validity.js';
import type { DataTree } from '../../data/data-node.js';
import { readJson } from '../../data/json-tree.js';
import { readYaml } from '../../data/yaml-tree.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, propertyDecision, type SeenProperty } from '../../deciders/decision.js';
import { sourceLines } from '../../source-lines.js';

/** Decides whether a file exists. An empty file, and one in another folder, decide nothing. */
export const fileExists: ClaimCheck = {
  id: 'files',
  version: 1,
  decide: (claim, output) => {
    if (claim.about !== 'number' || claim.kind !== 'file' || claim.text === undefined)
      return undefined;
    if (claim.place.files !== 'any' && claim.place.files !== 'all') return undefined;
    const wanted = claim.text;
    const artifacts = artifactsOf(output);
    const exact = artifacts.filter(
      ({ path, content }) => pathOf(path) === wanted && (content ?? '').trim() !== '',
    );
    const near = artifacts.filter(({ path }) => {
      const given = pathOf(path).toLowerCase();
      const name = wanted.toLowerCase();
      return given === name || given.endsWith(`/${name}`) || name.endsWith(`/${given}`);
    });
    return numberDecision(claim, [
      {
        where: 'the output',
        least: exact.length,
        most: near.length,
        evidence: exact.map((artifact) => firstLineOf(artifact)),
      },
    ]);
  },
};

export const dataIsValid: ClaimCheck = {
  id: 'code-data',
  version: 1,
  decide: async (claim, output) => {
    if (claim.about !== 'property' || (claim.property !== 'json' && claim.property !== 'yaml'))
      return undefined;
    const files = dataFiles(claim, output);
    const seen = await Promise.all(files.map((file) => validity(file, claim.property)));
    return propertyDecision(`valid ${claim.property.toUpperCase()}`, seen);
  },
};

function dataFiles({ kind, property, place }: PropertyClaim, output: Artifacts): Artifact[] {
  const artifacts = artifactsOf(output);
  if (kind !== 'file')
    return artifacts.filter(
      ({ path }) => isCheckedData(path) && isYaml(path) === (property === 'yaml'),
    );
  const { files } = place;
  if (typeof files === 'object') {
    const found = artifacts.filter(({ path }) => pathOf(path) === files.path);
    return found.length === 1 ? found : [];
  }
  return files === 'any' && artifacts.length === 1 ? [...artifacts] : [];
}

async function validity(
  { path, content }: Artifact,
  property: PropertyClaim['property'],
): Promise<SeenProperty> {
  const unclear: SeenProperty = { having: 0, shown: [], lacking: [], unclear: 1 };
  if (content === undefined || content.trim() === '' || /\{\{|\{%|<%/.test(content)) return unclear;
  const trees =
    property === 'json' ? [readJson(content, { relaxed: false })] : await readYaml(content);
  const error = errorIn(trees);
  if (error === undefined)
    return { having: 1, shown: [firstLineOf({ path, content })], lacking: [], unclear: 0 };
  // with comments or trailing commas, it is valid for some programs only
  if (property === 'json' && errorIn([readJson(content, { relaxed: true })]) === undefined)
    return unclear;
  const { lineAt, quoteAt } = sourceLines(content);
  const at = Math.min(error, Math.max(0, content.length - 1));
  const place = { file: path, line: lineAt(at), quote: quoteAt(at), share: 1 };
  return { having: 0, shown: [], lacking: [place], unclear: 0 };
}

function errorIn(trees: readonly DataTree[]): number | undefined {
  for (const tree of trees) if ('error' in tree) return tree.error.offset;
  return undefined;
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

function pathOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

function firstLineOf({ path, content = '' }: Pick<Artifact, 'path' | 'content'>): CoverageEvidence {
  const { lineAt, quoteAt } = sourceLines(content);
  const at = content.length - content.trimStart().length;
  return { file: path, line: lineAt(at), quote: quoteAt(at), share: 1 };
}
