import { type FileState, stateOfFile } from '../../files/known-files.js';
import { attribute, closest, type Element, keyword, type Page, wordsIn } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import {
  isExternal,
  isInsecure,
  type Reference,
  type ReferenceKind,
  referencesOf,
} from '../model/references.js';
import { isBound, isPlaceholder, isUnknown } from '../model/roles.js';
import type { FoundAt } from '../page.js';
import { type Answer, type HtmlRule, type HtmlSubject, htmlRule, type Problem } from '../rule.js';

export const linkRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'link-target',
    name: 'Links lead somewhere, safely',
    description: 'Links lead to places, over HTTPS, and give other sites no hold on the window',
    severity: 'minor',
    things: 'links',
    suggestedFix: 'Correct the address of the link',
    everywhere: true,
    judge: (model) => {
      const frames = new Set(model.page.elements.flatMap(namesOfFrames));
      return (element) => {
        const address = /^(?:a|area)$/.test(element.tagName)
          ? attribute(element, 'href')?.trim()
          : undefined;
        if (address === undefined || isPlaceholder(address) || isBound(element, 'href'))
          return undefined;
        return address === '#'
          ? answerToEmpty(model, element)
          : problemsOfLink(element, address, frames);
      };
    },
  }),
  htmlRule({
    id: 'secure-forms',
    name: 'Forms send safely',
    description: 'No form sends over plain HTTP, or a password in an address',
    things: 'forms',
    suggestedFix: 'Send the form over https:// with method="post"',
    everywhere: true,
    judge: (model) => {
      const withPasswords = new Set(
        model.page.elements.filter(isSentPassword).map((element) => formOf(element, model.page)),
      );
      return (element) => {
        if (element.tagName === 'form')
          return judgeForm(element, withPasswords.has(element), model);
        return field.test(element.tagName) && isInsecure(attribute(element, 'formaction') ?? '')
          ? ['the button sends the form over plain HTTP']
          : undefined;
      };
    },
  }),
  htmlRule({
    id: 'secure-resources',
    name: 'Files are loaded safely',
    description: 'No script, style, frame, picture or other file is loaded over plain HTTP',
    things: 'files of pages',
    suggestedFix: 'Use https://, or a file of the site',
    everywhere: true,
    judge: () => (element) => {
      const references = referencesOf(element);
      const wrong = references.filter(({ address }) => isInsecure(address));
      return { judged: references.length, problems: wrong.map(insecure) };
    },
  }),
  htmlRule({
    id: 'resources-exist',
    name: 'Files of pages exist',
    description: 'The pictures, media, scripts, styles and frames of a page exist',
    category: 'missing',
    things: 'local files',
    suggestedFix: 'Add the file, or correct its address',
    readsFiles: true,
    everywhere: true,
    judge: ({ page }, subject) => {
      // addresses of a fragment are relative to a page that is not known
      const isElsewhere =
        !page.isDocument ||
        page.elements.some(
          (element) => element.tagName === 'base' && attribute(element, 'href') !== undefined,
        );
      return (element) => judgeFiles(page, referencesOf(element), { ...subject, isElsewhere });
    },
  }),
];

/** Names of links to the top of a page, which `#` is. */
const toTop =
  /\b(?:top|up|start|home|begin(?:ning)?|oben|anfang|haut|arriba|inicio|cima|topo|su)\b|[↑⬆▲⇧△⌃]/iu;
const field = /^(?:button|input|select|textarea)$/;

function problemsOfLink(element: Element, address: string, frames: ReadonlySet<string>): FoundAt[] {
  if (/^javascript:/i.test(address))
    return [
      {
        description: 'the link runs a script, and leads nowhere without it',
        suggestedFix: 'Use a button for an action, or the address of a page for a link',
      },
    ];
  const problems: FoundAt[] = [];
  if (isInsecure(address))
    problems.push({
      description: 'the link leads to a page over plain HTTP',
      suggestedFix: 'Use https://, if the site answers there',
    });
  if (isExternal(address) && keepsOpener(element, frames))
    problems.push({
      description: 'the page behind the link can change the address of this window',
      suggestedFix: 'Use target="_blank" without rel="opener", or add rel="noopener"',
    });
  return problems;
}

function answerToEmpty({ names, hasScripts }: PageModel, element: Element): Answer {
  if (toTop.test(names.nameOf(element))) return [];
  const isHandled =
    hasScripts ||
    element.attrs.some(({ name }) => /^(?:on|@|v-on:|x-on:|ng-|\(|data-|aria-|role$)/.test(name));
  const problem = {
    description: 'the link leads nowhere',
    suggestedFix: 'Name the page or the id that it leads to',
  };
  return isHandled ? { unchecked: 'a script may give the link its target' } : [problem];
}

/**
 * Returns whether the other page gets a hold on this window. Browsers give none to `_blank`, unless
 * the link asks for it.
 */
function keepsOpener(element: Element, frames: ReadonlySet<string>): boolean {
  const target = keyword(element, 'target');
  const rel = wordsIn(element, 'rel').map((word) => word.toLowerCase());
  if (rel.includes('noopener') || rel.includes('noreferrer')) return false;
  if (target === '_blank') return rel.includes('opener');
  return target !== '' && !target.startsWith('_') && !isPlaceholder(target) && !frames.has(target);
}

function namesOfFrames(element: Element): string[] {
  const name = /^i?frame$/.test(element.tagName) ? attribute(element, 'name') : undefined;
  return name === undefined ? [] : [name.toLowerCase()];
}

function judgeForm(form: Element, hasPassword: boolean, model: PageModel): Answer {
  const problems: string[] = [];
  if (isInsecure(attribute(form, 'action') ?? ''))
    problems.push('the form is sent over plain HTTP');
  const method = keyword(form, 'method');
  if (hasPassword && method !== 'post' && method !== 'dialog' && !isUnknown(form, 'method')) {
    if (method !== 'get' && sendsItself(form, model))
      return problems.length > 0 ? problems : { unchecked: 'a script may send the form' };
    problems.push('the password becomes a part of the address, because the method is get');
  }
  return problems;
}

function sendsItself(form: Element, { hasScripts }: PageModel): boolean {
  return (
    hasScripts ||
    isBound(form, 'action') ||
    form.attrs.some(({ name }) => /^(?:on|@|v-on:|x-on:|\(|ng-|hx-|data-|on:)/.test(name))
  );
}

function isSentPassword(element: Element): boolean {
  return (
    element.tagName === 'input' &&
    keyword(element, 'type') === 'password' &&
    attribute(element, 'name') !== undefined
  );
}

function formOf(element: Element, { byId }: Page): Element | undefined {
  const named = attribute(element, 'form');
  return named === undefined
    ? closest(element, ({ tagName }) => tagName === 'form')
    : byId.get(named)?.[0];
}

function insecure({ kind, address }: Reference): Problem {
  // browsers block what can change a page, and only warn about the rest
  const isPassive = /^(?:image|media file|icon|track)$/.test(kind);
  return {
    description: `the ${kind} ${address.slice(0, 120)} is loaded over plain HTTP`,
    suggestedFix: 'Use https://, if the server answers there, or add the file to the site',
    ...(isPassive && { severity: 'minor' }),
  };
}

/** What the criterion for links of texts judges, too, if files of the kind were given. */
const linked = /^(?:script|stylesheet|icon|linked file|frame)$/;

function judgeFiles(
  page: Page,
  references: readonly Reference[],
  { artifacts, files, isElsewhere }: HtmlSubject & { readonly isElsewhere: boolean },
): Answer {
  let judged = 0;
  const problems: Problem[] = [];
  for (const { address, kind } of references) {
    const state = stateOfFile(address, { from: page.file, artifacts, files });
    if (state.is === 'elsewhere') continue;
    const open = isElsewhere && state.is === 'missing' ? 'was not given' : openAbout(kind, state);
    judged += open === undefined ? 1 : 0;
    if (open !== undefined) problems.push({ unchecked: `${address.slice(0, 120)} ${open}` });
    else if (state.is === 'missing') {
      const path = state.path.slice(0, 200);
      problems.push({
        description: `the ${kind} ${path} is missing`,
        suggestedFix: `Add ${path} to the output, or correct the address`,
      });
    }
  }
  return { judged, problems };
}

function openAbout(kind: ReferenceKind, state: FileState): string | undefined {
  if (state.is === 'unknown') return 'was not given';
  return state.is === 'missing' && state.because === 'given' && linked.test(kind)
    ? 'is judged by text-links'
    : undefined;
}
