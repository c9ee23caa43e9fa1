import type { ArtifactCriterion } from '../artifact-criterion.js';
import { emptyContent, emptyFile } from '../files/empty-content.js';
import { isPage } from '../files/file-kind.js';
import { type Element, keyword, type Page, rawText } from './dom.js';
import { Exposure } from './model/exposure.js';
import { isHtml, pagesOf } from './page.js';

/** Elements that people see without a text. */
const visible =
  /^(?:img|svg|picture|video|audio|canvas|iframe|object|embed|input|select|textarea|meter|progress|hr|math|frame)$/;

/** Creates the criterion that no page is empty, or without anything to see. */
export function emptyPage(): ArtifactCriterion {
  return emptyContent(
    'html',
    (artifact) => isPage(artifact) || isHtml(artifact),
    async ({ file, type, source }) => {
      const { pages, unreadable } = await pagesOf({
        artifacts: [{ path: file, type, content: source }],
      });
      return [
        ...pages
          .filter((page) => !hasContent(page))
          .map((page) => emptyFile(page.file, 'shows neither text nor elements')),
        // no other check judges it, so it must not pass
        ...unreadable.map(({ reason }) => ({
          ...emptyFile(file, `cannot be checked: it has ${reason}`),
          suggestedFix: 'Nest elements less deeply, or split the page',
        })),
      ];
    },
  );
}

/** Returns whether a page shows something, or may show something once its scripts have run. */
function hasContent(page: Page): boolean {
  const exposure = new Exposure(page);
  return page.elements.some(
    (element) =>
      mayWrite(element) ||
      (exposure.isShown(element) &&
        (visible.test(element.tagName) ||
          /\S/.test(rawText(element)) ||
          page.styles.get(element)?.generated === true)),
  );
}

/** Returns whether an element brings content that markup alone does not show. */
function mayWrite(element: Element): boolean {
  if (element.tagName === 'template') return true;
  if (element.tagName === 'meta') return keyword(element, 'http-equiv') === 'refresh';
  return element.tagName === 'script' && !keyword(element, 'type').includes('json');
}
