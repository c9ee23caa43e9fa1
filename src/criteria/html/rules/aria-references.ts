import { attribute, type Element } from '../dom.js';
import { isPlaceholder } from '../model/placeholders.js';
import { semanticRole } from '../model/roles.js';
import { type HtmlRule, judgeEach } from '../rule.js';

export const ariaReferences: HtmlRule = {
  id: 'aria-references',
  name: 'Existing references',
  description: 'Every label or description that an id refers to exists',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.3.1, 4.1.2',
  act: ['in6db8'],
  things: 'references',
  suggestedFix: 'Correct the id, or add the element that it names',
  repairs: false,
  judge: ({ pages, others }) =>
    judgeEach(pages, (model) => {
      const mayMake = (id: string): boolean =>
        isPlaceholder(id) ||
        model.scripts.includes(id) ||
        others.some(({ content = '' }) => content.includes(id));
      return (element) => {
        const references = model.exposure.isExposed(element) ? referencesOf(element) : [];
        if (references.length === 0) return undefined;
        const lost = references.filter(({ ids }) => !ids.some((id) => model.page.byId.has(id)));
        if (lost.some(({ ids }) => ids.some(mayMake)))
          return { unchecked: 'a script may create the element that it refers to' };
        return lost.map(
          ({ name, ids }) => `${name}="${ids.join(' ').slice(0, 80)}" refers to nothing`,
        );
      };
    }),
};

function referencesOf(
  element: Element,
): { readonly name: string; readonly ids: readonly string[] }[] {
  const names = [
    'aria-labelledby',
    'aria-describedby',
    ...(needsControls(element) ? ['aria-controls'] : []),
    ...(element.tagName === 'label' ? ['for'] : []),
  ];
  return names.flatMap((name) => {
    const ids = (attribute(element, name) ?? '').split(/\s+/, 50).filter((id) => id !== '');
    return ids.length === 0 ? [] : [{ name, ids }];
  });
}

/** Returns whether the role of an element requires its `aria-controls`. */
function needsControls(element: Element): boolean {
  const role = attribute(element, 'aria-controls') === undefined ? '' : semanticRole(element);
  return (
    role === 'scrollbar' ||
    (role === 'combobox' && attribute(element, 'aria-expanded')?.trim() === 'true')
  );
}
