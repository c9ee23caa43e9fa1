/** The kinds of things that checks know, with their names in the singular. */
const names = {
  image: 'image, picture, img',
  link: 'link, hyperlink',
  button: 'button',
  'submit-button': 'submit button',
  table: 'table',
  form: 'form',
  input: 'input, input field, input element',
  field: 'form field, field, form control, form input',
  'email-field': 'email field, email input, email input field',
  'password-field': 'password field, password input, password input field',
  'search-field': 'search field, search input, search input field',
  'date-field': 'date field, date input, date input field',
  checkbox: 'checkbox, check box',
  'radio-button': 'radio button, radio input',
  select: 'dropdown, drop down, select box, select element, select menu',
  textarea: 'textarea, text area',
  list: 'list',
  'ordered-list': 'ordered list, numbered list',
  'bullet-list': 'unordered list, bulleted list, bullet list, bullet point list',
  'list-item': 'list item, bullet point',
  heading: 'heading',
  h1: 'h1, h1 heading, level 1 heading, level one heading, top level heading',
  h2: 'h2, h2 heading, level 2 heading, level two heading',
  h3: 'h3, h3 heading, level 3 heading, level three heading',
  h4: 'h4, h4 heading, level 4 heading',
  h5: 'h5, h5 heading, level 5 heading',
  h6: 'h6, h6 heading, level 6 heading',
  paragraph: 'paragraph',
  section: 'section',
  nav: 'nav, navigation bar, nav bar, navbar, navigation menu, navigation landmark',
  header: 'header',
  footer: 'footer',
  main: 'main landmark, main region',
  aside: 'sidebar, aside',
  video: 'video',
  audio: 'audio player, audio element',
  iframe: 'iframe, inline frame',
  script: 'script',
  'code-block': 'code block',
  blockquote: 'blockquote, block quote',
  title: 'title, page title, document title',
  'title-tag': 'title element, title tag',
  lang: 'lang attribute, language attribute',
  viewport: 'viewport meta tag, viewport meta element, meta viewport tag, viewport tag',
  word: 'word',
  character: 'character',
  line: 'line',
  'json-file': 'json file',
  'yaml-file': 'yaml file, yml file',
  'broken-link': 'broken link, dead link',
  'broken-local-link':
    'broken local link, broken internal link, broken relative link, dead local link, dead internal link',
  placeholder: 'placeholder text, filler text, dummy text, lorem ipsum text',
  todo: 'todo, todo comment, todo marker, todo mark, todo item, todo note',
  secret:
    'secret, hard coded secret, hardcoded secret, credential, hard coded credential, hardcoded credential',
  conflict: 'merge conflict, merge conflict marker, conflict marker',
  'inline-style': 'inline style, style attribute',
  'inline-script': 'inline script',
  'inline-handler': 'inline event handler, inline handler, inline event listener',
  'duplicate-id': 'duplicate id, duplicated id, repeated id',
  'skipped-heading': 'skipped heading level',
} as const;

/** Names without a plural: "no placeholder text". */
const uncounted = {
  nav: 'navigation',
  script: 'javascript',
  placeholder: 'placeholder text, filler text, dummy text, lorem ipsum, lorem ipsum text',
  'inline-style': 'inline css, inline styling',
  'inline-script': 'inline javascript, inline js',
} as const;

/** The kinds of things that checks know. `text`, `file` and `tag` carry the text, the path, the name. */
export type Kind = keyof typeof names | 'text' | 'file' | 'tag';

/** A name of things, and what it says about their number. */
export interface KindName {
  readonly kind: Kind;
  readonly number: 'one' | 'many' | 'uncounted';
}

export const kindNames: ReadonlyMap<string, KindName> = new Map([
  ...entriesOf(names, 'one'),
  ...entriesOf(names, 'many').map(([name, about]): [string, KindName] => [plural(name), about]),
  ...entriesOf(uncounted, 'uncounted'),
]);

function entriesOf(
  table: Readonly<Partial<Record<keyof typeof names, string>>>,
  number: KindName['number'],
): [string, KindName][] {
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((kind) =>
    (table[kind]?.split(', ') ?? []).map((name): [string, KindName] => [name, { kind, number }]),
  );
}

/** Returns the plural of an English noun. */
function plural(noun: string): string {
  return /(?:x|ch|s|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Elements of HTML that a requirement may name as a tag. */
export const tagNames: ReadonlySet<string> = new Set(
  'a abbr address article aside audio b blockquote body button canvas caption code dd details dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input kbd label legend li link main map mark meta nav noscript object ol optgroup option p picture pre progress script section select small span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr u ul video'.split(
    ' ',
  ),
);
