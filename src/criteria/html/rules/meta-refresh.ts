import { attribute, type Element } from '../dom.js';
import { foundAt } from '../place.js';
import type { HtmlRule } from '../rule.js';

const twentyHours = 72_000;

/** The rule against delayed refreshes and redirects. */
export const metaRefresh: HtmlRule = {
  id: 'meta-refresh',
  name: 'No delayed refresh',
  description: 'No meta element reloads or redirects a page after a delay of up to 20 hours',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '2.2.1',
  act: ['bc659a'],
  things: 'refreshing meta elements',
  suggestedFix: 'Redirect at once or on the server, and let people reload the page themselves',
  repairs: false,
  judge: ({ pages }) => {
    const read = pages.flatMap((page) =>
      page.elements
        .flatMap((element) => ({ page, element, delay: delayOf(element) }))
        .filter(({ delay }) => delay !== undefined)
        .slice(0, 1),
    );
    const findings = read
      .filter(({ delay = 0 }) => delay > 0 && delay <= twentyHours)
      .map(({ page, element, delay }) =>
        foundAt(page, element, { description: `the page refreshes itself after ${delay} seconds` }),
      );
    return { judged: read.length, findings };
  },
};

/** Returns the delay of a valid refresh, in seconds. */
function delayOf(element: Element): number | undefined {
  if (
    element.tagName !== 'meta' ||
    attribute(element, 'http-equiv')?.trim().toLowerCase() !== 'refresh'
  )
    return undefined;
  const delay = /^\s*(\d{0,9})(?:\.[\d.]*)?\s*(?:$|[;,\s])/.exec(
    attribute(element, 'content') ?? '',
  );
  if (delay === null || (delay[1] === '' && !/^\s*\./.test(attribute(element, 'content') ?? '')))
    return undefined;
  return Number(delay[1]);
}
