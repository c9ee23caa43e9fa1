import type { Found } from '../artifact-criterion.js';
import type { Element, Page } from './dom.js';
import { modelOf, type PageModel } from './model/page-model.js';
import { foundAt, uncheckedAt } from './place.js';
import type { HtmlJudgement } from './rule.js';

/**
 * The judgement of one element: its findings, or the reason why it is unchecked. `undefined` if the
 * rule does not apply.
 */
export type Answer = undefined | readonly (string | Found)[] | { readonly unchecked: string };

export function judgeEach(
  pages: readonly Page[],
  answerIn: (model: PageModel) => (element: Element) => Answer,
): HtmlJudgement {
  const findings: Found[] = [];
  const unchecked: string[] = [];
  let judged = 0;
  for (const page of pages) {
    const answer = answerIn(modelOf(page));
    for (const element of page.elements) {
      const said = answer(element);
      if (said === undefined) continue;
      if ('unchecked' in said) unchecked.push(uncheckedAt(page, element, said.unchecked));
      else {
        judged += 1;
        findings.push(
          ...said.map((problem) =>
            typeof problem === 'string'
              ? foundAt(page, element, { description: problem })
              : problem,
          ),
        );
      }
    }
  }
  return { judged, findings, unchecked };
}
