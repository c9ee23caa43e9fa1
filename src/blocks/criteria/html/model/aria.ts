import { setOf } from '../dom.js';

/**
 * The parts of WAI-ARIA 1.2, DPUB-ARIA, Graphics-ARIA, and the browsers' roles of 1.3 that the
 * rules need. Attributes stand without their `aria-`.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export type AriaKind = 'boolean' | 'id' | 'integer' | 'number' | 'any' | readonly string[];

const kinds: readonly (readonly [kind: AriaKind, names: string])[] = [
  ['boolean', 'atomic busy disabled modal multiline multiselectable readonly required'],
  ['id', 'activedescendant errormessage'],
  ['any', 'controls describedby details flowto labelledby owns'],
  ['integer', 'colcount colindex colspan level posinset rowcount rowindex rowspan setsize'],
  ['number', 'valuemax valuemin valuenow'],
  ['any', 'braillelabel brailleroledescription colindextext description keyshortcuts label'],
  ['any', 'placeholder roledescription rowindextext valuetext'],
  [words('true false undefined'), 'expanded grabbed hidden selected'],
  [words('true false undefined mixed'), 'checked pressed'],
  [words('inline list both none'), 'autocomplete'],
  [words('page step location date time true false'), 'current'],
  [words('copy execute link move none popup'), 'dropeffect'],
  [words('false true menu listbox tree grid dialog'), 'haspopup'],
  [words('grammar false spelling true'), 'invalid'],
  [words('assertive off polite'), 'live'],
  [words('horizontal vertical undefined'), 'orientation'],
  [words('additions all removals text'), 'relevant'],
  [words('ascending descending none other'), 'sort'],
];
// with those that were global until ARIA 1.1: disabled, errormessage, haspopup and invalid
const globals = setOf(`
  atomic braillelabel brailleroledescription busy controls current describedby description details
  disabled dropeffect errormessage flowto grabbed haspopup hidden invalid keyshortcuts label labelledby
  live owns relevant roledescription`);

export interface AriaAttribute {
  readonly kind: AriaKind;
  /** Whether every role may have it. */
  readonly global: boolean;
}

export const ariaAttributes: ReadonlyMap<string, AriaAttribute> = new Map(
  kinds.flatMap(([kind, names]) =>
    words(names).map((name) => [`aria-${name}`, { kind, global: globals.has(name) }] as const),
  ),
);

export function mayHold(name: string, { kind }: AriaAttribute, value: string): boolean {
  const given = value.trim().toLowerCase();
  if (typeof kind !== 'string')
    return (/dropeffect|relevant/.test(name) ? given.split(/\s+/) : [given]).every((word) =>
      kind.includes(word),
    );
  switch (kind) {
    case 'boolean':
      return /^(?:true|false)$/.test(given);
    case 'integer':
      return /^[+-]?\d+$/.test(given);
    case 'number':
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/.test(given);
    case 'id':
      return /^\S+$/.test(given);
    default:
      return true;
  }
}

const publishing = `
  abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter
  colophon conclusion cover credit credits dedication endnote endnotes epigraph epilogue errata example
  footnote foreword glossary glossref index introduction noteref notice pagebreak pagefooter pageheader
  pagelist part preface prologue pullquote qna subtitle tip toc`;

export const knownRoles: ReadonlySet<string> = new Set([
  ...words(`
    alert alertdialog application article banner blockquote button caption cell checkbox code
    columnheader combobox comment complementary contentinfo definition deletion dialog directory document
    emphasis feed figure form generic grid gridcell group heading image img insertion link list listbox
    listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
    navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup
    rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status
    strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer
    toolbar tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol`),
  ...words(publishing).map((name) => `doc-${name}`),
]);

/** `link` for `doc-noteref`. */
export function baseRole(role: string): string {
  if (role === 'doc-cover') return 'img';
  return /^doc-(?:backlink|biblioref|glossref|noteref)$/.test(role) ? 'link' : role;
}

export const namedByContent: ReadonlySet<string> = setOf(`
  button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option
  radio row rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);

export const childrenPresentational: ReadonlySet<string> = setOf(`
  button checkbox image img math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar
  separator slider switch tab doc-pagebreak graphics-symbol`);

export const nameProhibited: ReadonlySet<string> = setOf(`
  caption code deletion emphasis generic insertion none paragraph presentation strong subscript
  superscript`);

export const fieldRoles: ReadonlySet<string> = setOf(`
  checkbox combobox listbox menuitemcheckbox menuitemradio radio searchbox slider spinbutton switch
  textbox`);

interface RoleFacts {
  readonly supports?: string;
  /** The states that it requires, unless the element has them natively. */
  readonly needs?: string;
  readonly inside?: string;
  /** The only roles that it may contain, one of which it must contain. */
  readonly owns?: string;
}

const range = 'valuemax valuemin valuenow valuetext';
const place = 'posinset setsize';
const spans = 'colindex colindextext colspan rowindex rowindextext rowspan';
const entry = 'activedescendant autocomplete multiline placeholder readonly required';
const header = `${spans} expanded readonly required selected`;
const grid = 'activedescendant colcount multiselectable readonly rowcount';
const across = 'activedescendant orientation';
const menus = 'menu menubar group';
const items = 'menuitem menuitemcheckbox menuitemradio group separator';
const choice = `expanded ${place} checked readonly required`;

const roles: Readonly<Record<string, RoleFacts>> = {
  alertdialog: { supports: 'modal' },
  application: { supports: 'activedescendant expanded' },
  article: { supports: place },
  button: { supports: 'expanded pressed' },
  cell: { supports: spans, inside: 'row' },
  checkbox: { supports: 'checked expanded readonly required', needs: 'checked' },
  columnheader: { supports: `${header} sort`, inside: 'row' },
  combobox: { supports: `${entry} expanded`, needs: 'expanded' },
  dialog: { supports: 'modal' },
  directory: { owns: 'listitem' },
  feed: { owns: 'article' },
  grid: { supports: grid, owns: 'row rowgroup' },
  gridcell: { supports: header, inside: 'row' },
  group: { supports: 'activedescendant' },
  heading: { supports: 'level', needs: 'level' },
  link: { supports: 'expanded' },
  list: { owns: 'listitem' },
  listbox: {
    supports: `${across} expanded multiselectable readonly required`,
    owns: 'option group',
  },
  listitem: { supports: `level ${place}`, inside: 'list directory' },
  menu: { supports: across, owns: items },
  menubar: { supports: across, owns: items },
  menuitem: { supports: `expanded ${place}`, inside: menus },
  menuitemcheckbox: { supports: choice, needs: 'checked', inside: menus },
  menuitemradio: { supports: choice, needs: 'checked', inside: menus },
  meter: { supports: range, needs: 'valuenow' },
  option: { supports: `checked selected ${place}`, inside: 'listbox group' },
  progressbar: { supports: range },
  radio: { supports: `checked ${place}`, needs: 'checked' },
  radiogroup: { supports: `${across} readonly required` },
  row: {
    supports: `activedescendant colindex expanded level rowindex rowindextext selected ${place}`,
    inside: 'grid table treegrid rowgroup',
    owns: 'cell columnheader gridcell rowheader',
  },
  rowgroup: { inside: 'grid table treegrid', owns: 'row' },
  rowheader: { supports: `${header} sort`, inside: 'row' },
  scrollbar: { supports: `orientation ${range}`, needs: 'controls valuenow' },
  searchbox: { supports: entry },
  separator: { supports: `orientation ${range}` },
  slider: { supports: `orientation readonly ${range}`, needs: 'valuenow' },
  spinbutton: { supports: `activedescendant readonly required ${range}` },
  switch: { supports: 'checked expanded readonly required', needs: 'checked' },
  tab: { supports: `expanded selected ${place}`, inside: 'tablist' },
  table: { supports: 'colcount rowcount', owns: 'row rowgroup caption' },
  tablist: { supports: `${across} level multiselectable`, owns: 'tab' },
  textbox: { supports: entry },
  toolbar: { supports: across },
  tree: { supports: `${across} multiselectable required`, owns: 'treeitem group' },
  treegrid: { supports: `${grid} orientation required`, owns: 'row rowgroup' },
  treeitem: { supports: `expanded ${place} checked level selected`, inside: 'tree group' },
  'doc-biblioentry': { supports: `level ${place}` },
  'doc-endnote': { supports: `level ${place}` },
  'doc-pagebreak': { supports: `orientation ${range}` },
};
const facts = new Map(Object.entries(roles));
const listed = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : words(text);

/** Not required if the element has them natively. */
export function requiredStates(role: string): readonly string[] {
  return listed(facts.get(role)?.needs).map((name) => `aria-${name}`);
}

export function requiredContext(role: string): readonly string[] {
  return listed(facts.get(role)?.inside);
}

export function requiredOwned(role: string): readonly string[] {
  return listed(facts.get(role)?.owns);
}

export function roleSupports(role: string, name: string): boolean {
  return listed(facts.get(baseRole(role))?.supports).some((each) => `aria-${each}` === name);
}
