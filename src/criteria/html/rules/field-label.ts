import { modelOf } from '../model/page-model.js';
import { foundAt } from '../place.js';
import type { HtmlRule } from '../rule.js';
import { labelEdits, labelsBefore } from './label-edits.js';
import { fields } from './names.js';

/** A placeholder vanishes with the first character, and is no label. */
export const fieldLabel: HtmlRule = {
  id: 'field-label',
  name: 'Labels of fields',
  description: 'No field is named by its placeholder alone',
  severity: 'minor',
  category: 'quality',
  version: 1,
  wcag: '3.3.2',
  things: 'fields',
  suggestedFix: 'Add a label that stays; a placeholder vanishes with the first character',
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
        (element) => model.names.nameBefore(element) === '' && !model.names.mayBeNamed(element),
      );
      const before = bare.length === 0 ? undefined : labelsBefore(page);
      return bare.map((element) => {
        const label = before?.get(element);
        return foundAt(page, element, {
          description: `${element.tagName} is named by its placeholder alone`,
          suggestedFix: 'Add a label that stays',
          edits: label && labelEdits(page, element, label),
        });
      });
    });
    return { judged, findings };
  },
};
