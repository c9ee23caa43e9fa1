import type { Found } from '../../artifact-criterion.js';
import { attribute, type Element, type Page } from '../dom.js';
import { modelOf } from '../model/page-model.js';
import { semanticRole } from '../model/roles.js';
import { foundAt } from '../place.js';
import type { HtmlRule } from '../rule.js';

export const headingOrder: HtmlRule = {
  id: 'heading-order',
  name: 'Heading order',
  description: 'Headings skip no level',
  severity: 'minor',
  category: 'quality',
  version: 2,
  wcag: '1.3.1',
  things: 'headings',
  suggestedFix: 'Use the next heading level',
  repairs: false,
  judge: ({ pages }) => {
    const read = pages.map(judgePage);
    return {
      judged: read.reduce((sum, { judged }) => sum + judged, 0),
      findings: read.flatMap(({ findings }) => findings),
    };
  },
};

function judgePage(page: Page): { readonly judged: number; readonly findings: readonly Found[] } {
  const { exposure } = modelOf(page);
  const findings: Found[] = [];
  let judged = 0;
  let before: number | undefined;
  for (const element of page.elements) {
    const level = exposure.isExposed(element) ? levelOf(element) : undefined;
    if (level === undefined) continue;
    judged += 1;
    if (before !== undefined && level > before + 1)
      findings.push(
        foundAt(page, element, {
          description: `a heading of level ${level} follows one of level ${before}`,
          suggestedFix: `Use level ${before + 1}`,
        }),
      );
    before = level;
  }
  return { judged, findings };
}

function levelOf(element: Element): number | undefined {
  if (semanticRole(element) !== 'heading') return undefined;
  const stated = Number(attribute(element, 'aria-level'));
  const native = /^h([1-6])$/.exec(element.tagName)?.[1];
  return Number.isInteger(stated) && stated > 0 ? stated : Number(native ?? 2);
}
