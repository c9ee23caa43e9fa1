import { attribute, type ChildNode, type Element, type Page, type Turns } from '../dom.js';
import { type Answer, judgeEach } from '../judge-each.js';
import { foundInPage } from '../place.js';
import type { HtmlRule } from '../rule.js';

const tolerance = 1;
const description =
  'the text is turned by a quarter in one orientation only, which ties the page to the other';

/** A page is read in the way in which the device is held. */
export const orientation: HtmlRule = {
  id: 'orientation',
  name: 'Both ways of holding',
  description: 'No style turns text by a quarter in one orientation of the device only',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.3.4',
  act: ['b33eff'],
  things: 'texts that are turned by the orientation',
  suggestedFix: 'Remove the rotation, and lay the page out for both orientations',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, ({ page, exposure }) => (element) => {
      const turns = exposure.isShown(element) ? page.turns.get(element) : undefined;
      return turns === undefined || setsItself(element) || !holdsWords(element)
        ? undefined
        : answerFor(page, element, turns);
    }),
};

function answerFor(page: Page, element: Element, turns: Turns): Answer {
  const turned = difference(turns);
  if (turned === undefined) return { unchecked: 'how far it is turned is not known' };
  if (Math.abs(turned - 90) > tolerance) return [];
  // The parser adds `html` and `body` where a page leaves them out.
  return [element.sourceCodeLocation ? description : foundInPage(page, { description })];
}

/** The angle between the two, from 0 to 180. */
function difference({ portrait, landscape }: Turns): number | undefined {
  if (portrait === undefined || landscape === undefined) return undefined;
  const angle = Math.abs(portrait - landscape) % 360;
  return angle > 180 ? 360 - angle : angle;
}

/** A style attribute has the last word. */
function setsItself(element: Element): boolean {
  return /(?:^|;)\s*(?:transform|rotate)\s*:/i.test(
    (attribute(element, 'style') ?? '').slice(0, 20_000),
  );
}

/** An arrow or the picture of a phone may turn. */
function holdsWords(element: Element): boolean {
  const waiting: ChildNode[] = [element];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node && /\p{L}{2}|\p{Lo}/u.test(node.value))
      return true;
    if ('tagName' in node && !/^(?:script|style|svg|template|head)$/.test(node.tagName))
      waiting.push(...node.childNodes);
  }
  return false;
}
