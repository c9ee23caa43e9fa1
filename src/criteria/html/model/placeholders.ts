import { attribute, type Element } from '../dom.js';

const placeholder = /\{\{|\{%|<%|\$\{|<\?|#\{|^\s*\{[^}]*\}\s*$|\[\[|^%\w+%$/;

/**
 * Returns whether a text contains a placeholder of a template (`{{ }}`, `<% %>`, `<?`, `${ }`,
 * `{ }`), which makes its value unknown.
 */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text.length > 2000 ? text.slice(0, 2000) : text);
}

/**
 * Returns whether a template language gives an element this attribute: `:alt`, `v-bind:alt`,
 * `[alt]`, `{...props}`, or a bare `{{ }}`.
 */
export function isBound(element: Element, name: string): boolean {
  return element.attrs.some(({ name: given }) => {
    if (given === name) return false;
    if (/^(?:\{|<%|<\?|%\})/.test(given) || given === 'v-bind') return true;
    const bound = /^(?:(?:v-bind|x-bind|bind)?:(.+)|\[(?:attr\.)?(.+)\])$/.exec(given);
    return (bound?.[1] ?? bound?.[2]) === name;
  });
}

/** Returns whether an element has an attribute whose value only a template or script knows. */
export function isUnknown(element: Element, name: string): boolean {
  const value = attribute(element, name);
  return value === undefined ? isBound(element, name) : isPlaceholder(value);
}

const naming = [
  ...['aria-label', 'aria-labelledby', 'alt', 'title', 'value', 'placeholder'],
  ...['v-text', 'v-html', 'x-text', 'innerhtml', 'textcontent', 'inner-html'],
  'dangerouslysetinnerhtml',
];

/** Returns whether a template or script may name an element. */
export function mayBeNamed(element: Element): boolean {
  return (
    naming.some((name) => isBound(element, name)) ||
    element.attrs.some(({ name }) =>
      /^(?::|v-|x-|\[)?(?:text|html|inner-?html|text-?content)\]?$/.test(name),
    )
  );
}
