import { attribute, type ChildNode, type Element, type Page, type Turns } from '../dom.js';
import { foundInPage } from '../place.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

const tolerance = 1;
const description =
  'the text is rotated by 90 degrees in one orientation, so the page works only in the other';

export const orientation: HtmlRule = {
  id: 'orientation',
  name: 'Both orientations',
  description: 'No style rotates text by 90 degrees in only one orientation of the device',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.3.4',
  act: ['b33eff'],
  things: 'texts that the orientation rotates',
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
  if (turned === undefined) return { unchecked: 'the angle of the rotation is unknown' };
  if (Math.abs(turned - 90) > tolerance) return [];
  // the parser adds missing `html` and `body` elements
  return [element.sourceCodeLocation ? description : foundInPage(page, { description })];
}

/** Returns the angle between both orientations, 0 to 180 degrees. */
function difference({ portrait, landscape }: Turns): number | undefined {
  if (portrait === undefined || landscape === undefined) return undefined;
  const angle = Math.abs(portrait - landscape) % 360;
  return angle > 180 ? 360 - angle : angle;
}

/** Returns whether a style attribute overrides the stylesheet. */
function setsItself(element: Element): boolean {
  return /(?:^|;)\s*(?:transform|rotate)\s*:/i.test(
    (attribute(element, 'style') ?? '').slice(0, 20_000),
  );
}

/** Returns whether an element contains words. An arrow or the picture of a phone may turn. */
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
