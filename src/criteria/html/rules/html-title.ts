import { foundAt, foundInPage } from '../place.js';
import type { HtmlRule } from '../rule.js';

export const htmlTitle: HtmlRule = {
  id: 'html-title',
  name: 'Page title',
  description: 'Every document has a non-empty <title>',
  severity: 'major',
  category: 'missing',
  version: 1,
  wcag: '2.4.2',
  act: ['2779a5'],
  things: 'documents',
  suggestedFix: 'Add a <title> that says what the page is for',
  repairs: false,
  judge: ({ pages }) => {
    const documents = pages.filter((page) => page.isDocument);
    const findings = documents.flatMap((page) => {
      const title = page.elements.find(
        (element) =>
          element.tagName === 'title' && element.namespaceURI === 'http://www.w3.org/1999/xhtml',
      );
      if (title === undefined) return [foundInPage(page, { description: 'the page has no title' })];
      const text = title.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
      return text.trim() === ''
        ? [foundAt(page, title, { description: 'the title is empty' })]
        : [];
    });
    return { judged: documents.length, findings };
  },
};
