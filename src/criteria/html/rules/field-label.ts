import { modelOf } from '../model/page-model.js';
import { mayBeNamed } from '../model/placeholders.js';
import { foundAt } from '../place.js';
import type { HtmlRule } from '../rule.js';
import { labelEdits, labelsBefore } from './label-edits.js';
import { fields } from './named-kinds.js';

/** The rule for labels of fields. A placeholder disappears with the first character. */
export const fieldLabel: HtmlRule = {
  id: 'field-label',
  name: 'Labels of fields',
  description: 'No field has only a placeholder as its name',
  severity: 'minor',
  category: 'quality',
  version: 1,
  wcag: '3.3.2',
  things: 'fields',
  suggestedFix: 'Add a lasting label; a placeholder disappears with the first character',
  repairs: true,
  judge: ({ pages }) => {
    let judged = 0;
    const findings = pages.flatMap((page) => {
      const model = modelOf(page);
      const named = page.elements.filter(
        (element) =>
          model.exposure.isExposed(element) &&
          fields.is(element, model) &&
          model.names.nameOf(element) !== '',
      );
      judged += named.length;
      const bare = named.filter(
        (element) => model.names.nameBefore(element) === '' && !mayBeNamed(element),
      );
      const before = bare.length === 0 ? undefined : labelsBefore(page);
      return bare.map((element) => {
        const label = before?.get(element);
        return foundAt(page, element, {
          description: `only the placeholder names the ${element.tagName}`,
          suggestedFix: 'Add a lasting label',
          edits: label && labelEdits(page, element, label),
        });
      });
    });
    return { judged, findings };
  },
};
