import type { Found } from '../../artifact-criterion.js';
import type { Element, Page } from '../dom.js';
import { mayBeNamed } from '../model/placeholders.js';
import { foundAt } from '../place.js';
import { type HtmlJudgement, judgeEach } from '../rule.js';
import { labelEdits, labelsBefore } from './label-edits.js';
import { fields, type NamedKind } from './named-kinds.js';

/** Finds elements of some kinds without a name. With `strict`, a placeholder is not a name. */
export function judgeNames(
  pages: readonly Page[],
  kinds: readonly NamedKind[],
  { strict = false }: { readonly strict?: boolean } = {},
): HtmlJudgement {
  return judgeEach(pages, (model) => {
    let before: ReadonlyMap<Element, Element> | undefined;
    const nameOf = (element: Element): string =>
      strict ? model.names.nameBefore(element) : model.names.nameOf(element);
    return (element) => {
      const kind = model.exposure.isExposed(element)
        ? kinds.find(({ is }) => is(element, model))
        : undefined;
      if (kind === undefined || nameOf(element) !== '') return kind && [];
      const reason = unknownName(element, kind);
      if (reason !== undefined) return { unchecked: reason };
      before ??= labelsBefore(model.page);
      return [nameless(model.page, element, kind, before.get(element))];
    };
  });
}

function unknownName(element: Element, { unknown }: NamedKind): string | undefined {
  return unknown?.(element) ?? (mayBeNamed(element) ? 'its name comes from a template' : undefined);
}

function nameless(
  page: Page,
  element: Element,
  kind: NamedKind,
  label: Element | undefined,
): Found {
  const edits =
    kind === fields && label !== undefined ? labelEdits(page, element, label) : undefined;
  return foundAt(page, element, {
    description: `${element.tagName} has no ${kind === fields ? 'label' : 'accessible name'}`,
    suggestedFix: kind.advice,
    edits,
  });
}
