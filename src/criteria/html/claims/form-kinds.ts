import type { Kind } from '../../../requirements/claim/kinds.js';
import { attribute, type Element } from '../dom.js';
import { semanticRole } from '../model/roles.js';
import type { ElementKind } from './element-kind.js';
import {
  containsTag,
  type ElementTest,
  has,
  inputs,
  isInside,
  named,
  oneOf,
  roles,
  shortTextOf,
  tags,
  typeOf,
} from './element-tests.js';

const submitting =
  /^\s*(?:submit|send|save|sign (?:up|in)|log ?in|register|subscribe|order|buy|book|apply|join|reserve)\b/i;
const anyInput = tags('input');
const written = /^(?!(?:hidden|submit|button|reset|image)$)/;
const typed = inputs(written);
const otherField = roles(
  /^(?:textbox|searchbox|combobox|listbox|spinbutton|slider|switch|checkbox|radio)$/,
);
const isEditable: ElementTest = (element) => attribute(element, 'contenteditable') !== undefined;
const field = oneOf(typed, tags('textarea|select'));
const maybeField = oneOf(anyInput, tags('textarea|select|output|meter'), otherField, isEditable);
const isClickable: ElementTest = (element) => has(element, 'onclick');
const maybeButton = oneOf(
  tags('button|summary'),
  inputs(/^(?:submit|button|reset|image)$/),
  roles(/^(?:button|switch|tab|menuitem)$/),
  named(/btn|button|cta/i),
  isClickable,
);
function inputKind(type: RegExp): ElementKind {
  return { sure: inputs(type), maybe: maybeField };
}

/** How buttons, fields and forms are recognised. */
export const formKinds: Readonly<Partial<Record<Kind, ElementKind>>> = {
  button: {
    sure: oneOf(
      (element) => element.tagName === 'button' && semanticRole(element) === 'button',
      inputs(/^(?:submit|button|reset)$/),
    ),
    maybe: maybeButton,
  },
  'submit-button': { sure: isSubmit, maybe: oneOf(maybeButton, roles(/^link$/)) },
  form: {
    sure: (element) =>
      element.tagName === 'form' && containsTag(element, /^(?:input|select|textarea|button)$/),
    maybe: oneOf(
      tags('form'),
      roles(/^(?:form|search)$/),
      (element) =>
        (maybeField(element) || element.tagName === 'fieldset') && !isInside(element, /^form$/),
    ),
  },
  input: { sure: typed, maybe: maybeField },
  field: { sure: field, maybe: maybeField },
  'email-field': inputKind(/^email$/),
  'password-field': inputKind(/^password$/),
  'search-field': inputKind(/^search$/),
  'date-field': inputKind(/^date$/),
  checkbox: {
    sure: inputs(/^checkbox$/),
    maybe: oneOf(
      inputs(/^checkbox$/),
      roles(/^(?:checkbox|switch|menuitemcheckbox)$/),
      named(/check|toggle|switch/i),
    ),
  },
  'radio-button': {
    sure: inputs(/^radio$/),
    maybe: oneOf(inputs(/^radio$/), roles(/radio/), named(/radio/i)),
  },
  select: {
    sure: (element) =>
      element.tagName === 'select' &&
      !(Number(attribute(element, 'size') ?? 1) > 1) &&
      attribute(element, 'multiple') === undefined,
    maybe: oneOf(
      tags('select|details|datalist'),
      roles(/^(?:combobox|listbox|menu)$/),
      named(/drop-?down|select|menu/i),
      (element) => has(element, 'list') || has(element, 'aria-haspopup'),
    ),
  },
  textarea: {
    sure: tags('textarea'),
    maybe: oneOf(tags('textarea'), isEditable, roles(/^textbox$/)),
  },
};

/** Returns whether a button surely submits a form. */
function isSubmit(element: Element): boolean {
  if (attribute(element, 'disabled') !== undefined) return false;
  if (!isInside(element, /^form$/) && !has(element, 'form')) return false;
  if (typeOf(element) === 'submit') return /^(?:button|input)$/.test(element.tagName);
  // a button without a type submits; its text shows whether anybody calls it so
  return (
    element.tagName === 'button' &&
    attribute(element, 'type') === undefined &&
    submitting.test(shortTextOf(element))
  );
}
