import type { Edit } from '../../artifact-criterion.js';
import { attribute, type Element, type Page } from '../dom.js';
import { isUnknown } from '../model/placeholders.js';
import { foundAt, foundInPage } from '../place.js';
import type { HtmlRule } from '../rule.js';
import { isViewport } from './viewport-zoom.js';

const tag = '<meta name="viewport" content="width=device-width, initial-scale=1">';

export const viewport: HtmlRule = {
  id: 'viewport',
  name: 'Viewport',
  description: 'Every document sets its width to the width of the device',
  severity: 'major',
  category: 'missing',
  version: 2,
  wcag: '1.4.10',
  things: 'documents',
  suggestedFix: `Add ${tag} to the head`,
  repairs: true,
  judge: ({ pages }) => {
    const documents = pages.filter((page) => page.isDocument);
    return { judged: documents.length, findings: documents.flatMap(judgePage) };
  },
};

function judgePage(page: Page): ReturnType<typeof foundAt>[] {
  const meta = page.elements.find(isViewport);
  if (meta === undefined)
    return [
      foundInPage(page, {
        description: 'the page has no viewport meta element',
        edits: insertion(page),
      }),
    ];
  if (isUnknown(meta, 'content')) return [];
  const content = (attribute(meta, 'content') ?? '').toLowerCase().replaceAll(/\s/g, '');
  if (/(?:^|[,;])(?:width=device-width|initial-scale=)/.test(content)) return [];
  return [
    foundAt(page, meta, {
      description: 'the viewport does not follow the width of the device',
      suggestedFix: 'Set content="width=device-width, initial-scale=1"',
    }),
  ];
}

/** Returns the offset after the charset, or at the beginning of the head or of the html element. */
function insertion(page: Page): readonly Edit[] | undefined {
  const charset = page.elements.find(
    (element) => element.tagName === 'meta' && attribute(element, 'charset') !== undefined,
  );
  const anchor = charset ?? started(page, 'head') ?? started(page, 'html');
  const at =
    (anchor?.sourceCodeLocation?.startTag ?? anchor?.sourceCodeLocation)?.endOffset ??
    page.doctypeEnd;
  if (at === undefined) return undefined;
  const lineEnd = /^[ \t]{0,20}(\r?\n)/.exec(page.source.slice(at, at + 22))?.[1];
  return [
    {
      start: at,
      end: at,
      text:
        lineEnd === undefined
          ? tag
          : `${lineEnd}${indentAt(page.source, at, anchor === charset)}${tag}`,
    },
  ];
}

function started(page: Page, name: string): Element | undefined {
  return page.elements.find(
    (element) => element.tagName === name && element.sourceCodeLocation?.startTag !== undefined,
  );
}

/** Returns the indentation of the line of an offset, or of the next line. */
function indentAt(source: string, at: number, sameLine: boolean): string {
  const start = sameLine ? source.lastIndexOf('\n', at - 1) + 1 : source.indexOf('\n', at) + 1;
  return /^[ \t]{0,40}/.exec(source.slice(start, start + 40))?.[0] ?? '';
}
