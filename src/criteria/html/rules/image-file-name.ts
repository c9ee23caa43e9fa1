import { attribute, type Element, parentOf } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isPlaceholder } from '../model/placeholders.js';
import { semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

const fileName = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico|tiff?|heic)$/i;
/**
 * Matches file names from cameras, phones and tools: `IMG_2041`, `DSC01234`, `94251e110d24a4c2`.
 */
const numbered =
  /^(?:(?:img|image|dsc[nf]?|pxl|p|screenshot|unnamed|untitled)[-_ ]?\d{3}[-_\d]*|(?=.{0,40}\d)[\da-f]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** The rule against file names as text of images. */
export const imageFileName: HtmlRule = {
  id: 'image-file-name',
  name: 'Text for images, not file names',
  description: 'No image has its file name as text',
  severity: 'major',
  category: 'quality',
  version: 2,
  wcag: '1.1.1',
  act: ['9eb3f6'],
  things: 'images with a name',
  suggestedFix: 'Say what the image shows, or alt="" if it is decorative',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => (element) => {
      const name = imageName(element, model);
      if (name === '') return undefined;
      return isPlaceholder(name)
        ? { unchecked: 'its name comes from a template' }
        : judgeName(name, element);
    }),
};

function judgeName(name: string, element: Element): Answer {
  if (standsForFile(name, element)) return [];
  if (isFileName(name, element))
    return [`the text of the image is a file name: ${name.slice(0, 100)}`];
  return repeatsSource(name, element)
    ? { unchecked: 'its text repeats its file name, which may still describe it' }
    : [];
}

function imageName(element: Element, { exposure, names }: PageModel): string {
  return exposure.isExposed(element) && isImage(element) ? names.nameOf(element) : '';
}

function isImage(element: Element): boolean {
  if (element.tagName === 'input')
    return attribute(element, 'type')?.trim().toLowerCase() === 'image';
  return element.tagName === 'img' && semanticRole(element) === 'img';
}

/** Returns whether a name is a file name that a source of the image has too. */
function isFileName(name: string, element: Element): boolean {
  const given = name.toLowerCase();
  if (fileName.test(given) && (!/\s/.test(given) || sourceNames(element).includes(given)))
    return true;
  return (
    numbered.test(given) &&
    sourceNames(element).some(
      (source) => source === given || source.replace(fileName, '') === given,
    )
  );
}

function repeatsSource(name: string, element: Element): boolean {
  const given = name.toLowerCase();
  return sourceNames(element).some((source) => source.replace(fileName, '') === given);
}

/**
 * Returns whether an image may have a file name as text: in a list of files, or in a link to the
 * file.
 */
function standsForFile(name: string, element: Element): boolean {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) {
    if (above.tagName !== 'a') continue;
    return (
      attribute(above, 'download') !== undefined ||
      baseName(attribute(above, 'href') ?? '') === name.toLowerCase()
    );
  }
  return false;
}

function sourceNames(element: Element): string[] {
  const parent = parentOf(element);
  const siblings =
    parent?.tagName === 'picture'
      ? parent.childNodes.filter(
          (node): node is Element => 'tagName' in node && node.tagName === 'source',
        )
      : [];
  const choices = [element, ...siblings].flatMap((each) =>
    (attribute(each, 'srcset') ?? '')
      .split(',', 50)
      .map((choice) => choice.trim().split(/\s/, 1)[0] ?? ''),
  );
  return [attribute(element, 'src') ?? '', ...choices].map(baseName).filter((name) => name !== '');
}

/** Returns the decoded last part of a URL. */
function baseName(address: string): string {
  const last =
    address
      .slice(0, 2000)
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(last).toLowerCase();
  } catch {
    return last.toLowerCase();
  }
}
