import { attribute, type Element, type Page, parentOf } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isBound, isUnknown } from '../model/placeholders.js';
import { isInsecure, type Reference, referencesOf } from '../model/references.js';
import { foundAt } from '../place.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

const common = { severity: 'major', category: 'incorrect', version: 1, repairs: false } as const;
const field = /^(?:button|input|select|textarea)$/;

/** The rule for forms that send what others can read. */
export const secureForms: HtmlRule = {
  ...common,
  id: 'secure-forms',
  name: 'Forms send safely',
  description: 'No form sends over plain HTTP, or a password in an address',
  things: 'forms',
  suggestedFix: 'Send the form over https:// with method="post"',
  judge: ({ pages }) =>
    judgeEach(pages, (model) => {
      const fieldsOf = fieldsByForm(model.page);
      return (element) => {
        if (element.tagName === 'form')
          return answerTo(element, fieldsOf.get(element) ?? [], model);
        if (!field.test(element.tagName) || !isInsecure(attribute(element, 'formaction') ?? ''))
          return undefined;
        return ['the button sends the form over plain HTTP'];
      };
    }),
};

function answerTo(form: Element, fields: readonly Element[], model: PageModel): Answer {
  const problems: string[] = [];
  if (isInsecure(attribute(form, 'action') ?? ''))
    problems.push('the form is sent over plain HTTP');
  const hasPassword = fields.some(
    (each) =>
      each.tagName === 'input' &&
      attribute(each, 'type')?.trim().toLowerCase() === 'password' &&
      attribute(each, 'name') !== undefined,
  );
  const method = attribute(form, 'method')?.trim().toLowerCase();
  if (hasPassword && method !== 'post' && method !== 'dialog' && !isUnknown(form, 'method')) {
    if (method !== 'get' && sendsItself(form, model))
      return problems.length > 0 ? problems : { unchecked: 'a script may send the form' };
    problems.push('the password becomes a part of the address, because the method is get');
  }
  return problems;
}

/** Returns whether a script may send a form in place of the browser. */
function sendsItself(form: Element, { hasScripts }: PageModel): boolean {
  return (
    hasScripts ||
    isBound(form, 'action') ||
    form.attrs.some(({ name }) => /^(?:on|@|v-on:|x-on:|\(|ng-|hx-|data-|on:)/.test(name))
  );
}

/** Returns the fields of each form: those inside, and those that name it. */
function fieldsByForm(page: Page): ReadonlyMap<Element, readonly Element[]> {
  const fields = new Map<Element, Element[]>();
  for (const element of page.elements) {
    if (!field.test(element.tagName)) continue;
    const named = attribute(element, 'form');
    const form = named === undefined ? formAbove(element) : page.byId.get(named)?.[0];
    if (form === undefined) continue;
    const same = fields.get(form);
    if (same === undefined) fields.set(form, [element]);
    else same.push(element);
  }
  return fields;
}

function formAbove(element: Element): Element | undefined {
  let above = parentOf(element);
  while (above !== undefined && above.tagName !== 'form') above = parentOf(above);
  return above;
}

export const secureResources: HtmlRule = {
  ...common,
  id: 'secure-resources',
  name: 'Files are loaded safely',
  description: 'No script, style, frame, picture or other file is loaded over plain HTTP',
  things: 'files of pages',
  suggestedFix: 'Use https://, or a file of the site',
  judge: ({ pages }) => {
    const read = pages.map((page) => ({ page, references: referencesOf(page) }));
    return {
      judged: read.reduce((sum, { references }) => sum + references.length, 0),
      findings: read.flatMap(({ page, references }) =>
        references
          .filter(({ address }) => isInsecure(address))
          .map((reference) => insecure(page, reference)),
      ),
    };
  },
};

function insecure(page: Page, { element, kind, address }: Reference): ReturnType<typeof foundAt> {
  // browsers block what can change a page, and only warn about the rest
  const isPassive = /^(?:image|media file|icon|track)$/.test(kind);
  return foundAt(page, element, {
    description: `the ${kind} ${address.slice(0, 120)} is loaded over plain HTTP`,
    suggestedFix: 'Use https://, if the server answers there, or add the file to the site',
    ...(isPassive && { severity: 'minor' }),
  });
}
