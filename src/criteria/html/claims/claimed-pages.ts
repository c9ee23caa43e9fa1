import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { ClaimPlace, PagePart } from '../../../requirements/claim/claim.js';
import { isText } from '../../files/file-kind.js';
import { attribute, type Element, type Page, parentOf } from '../dom.js';
import { explicitRole, semanticRole } from '../model/roles.js';
import { isHtml, pagesOf } from '../page.js';

/** The pages where a claim looks, and the other artifacts. */
export interface ClaimedPages {
  readonly pages: readonly Page[];
  readonly artifacts: readonly Artifact[];
}

/**
 * Returns the pages where a claim looks. Returns undefined without pages, if any of them cannot be
 * read, or if the claim may also be about texts that are not pages.
 */
export async function pagesFor(
  { files }: ClaimPlace,
  output: Artifacts,
  isOnlyHtml: boolean,
): Promise<ClaimedPages | undefined> {
  const artifacts = artifactsOf(output);
  if (files === 'all' || mayMeanOthers(files, artifacts, isOnlyHtml)) return undefined;
  const sources = artifacts.filter(isHtml);
  if (sources.some(({ content = '' }) => content.trim() === '')) return undefined;
  const { pages, unreadable } = await pagesOf(output);
  if (unreadable.length > 0 || !pages.every(isWhole)) return undefined;
  const chosen = typeof files === 'string' ? pages : pagesNamed(files.path, pages);
  return chosen.length === 0 ? undefined : { pages: chosen, artifacts };
}

/** Returns whether a claim may be about files that are not pages. */
function mayMeanOthers(
  files: ClaimPlace['files'],
  artifacts: readonly Artifact[],
  isOnlyHtml: boolean,
): boolean {
  if (files === 'any' && artifacts.some(({ path }) => isComponent(path))) return true;
  return (files === 'any' || files === 'documents') && !isOnlyHtml && artifacts.some(isTextFile);
}

function isTextFile(artifact: Artifact): boolean {
  return isText(artifact) && !isHtml(artifact);
}

function isComponent(path: string): boolean {
  return /\.(?:jsx|tsx|vue|svelte|astro|php|erb|ejs|hbs|njk|liquid|twig)$/i.test(path);
}

function pagesNamed(path: string, pages: readonly Page[]): readonly Page[] {
  const exact = pages.filter(({ file }) => file.replace(/^\.\//, '') === path);
  return exact.length === 1 ? exact : [];
}

/** Returns whether a page has elements, and no element that runs on to the end by mistake. */
function isWhole({ elements, source }: Page): boolean {
  const isCut = elements.some(
    ({ tagName, sourceCodeLocation: place }) =>
      /^(?:title|script|style|textarea|noscript|iframe|xmp|noembed|plaintext|select)$/.test(
        tagName,
      ) &&
      place !== undefined &&
      place !== null &&
      place.endTag === undefined,
  );
  const hasElements = elements.some(
    ({ tagName, sourceCodeLocation }) =>
      !/^(?:html|head|body)$/.test(tagName) && sourceCodeLocation?.startTag !== undefined,
  );
  return hasElements && !isCut && source.lastIndexOf('<!--') <= source.lastIndexOf('-->');
}

const partTests: Readonly<Record<PagePart, (element: Element) => boolean>> = {
  header: (element) => semanticRole(element) === 'banner',
  footer: (element) => semanticRole(element) === 'contentinfo',
  main: (element) => semanticRole(element) === 'main',
  nav: (element) => semanticRole(element) === 'navigation',
  aside: (element) => semanticRole(element) === 'complementary',
  form: (element) => element.tagName === 'form' && explicitRole(element) === undefined,
};

/** Returns the elements of a part of a page, outermost only. */
export function partsOf({ elements }: Page, part: PagePart): readonly Element[] {
  const found = new Set(elements.filter(partTests[part]));
  return [...found].filter((element) => {
    for (let above = parentOf(element); above !== undefined; above = parentOf(above))
      if (found.has(above)) return false;
    return true;
  });
}

/** Returns the elements below an element, with itself. */
export function elementsIn(root: Element): ReadonlySet<Element> {
  const found = new Set<Element>();
  const waiting: Element[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.add(next);
    for (const node of next.childNodes) if ('tagName' in node) waiting.push(node);
  }
  return found;
}

/** Returns the id and the classes of an element, for names such as "site-footer". */
export function namesOf(element: Element): string {
  return `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`;
}
