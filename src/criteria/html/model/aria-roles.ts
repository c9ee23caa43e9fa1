/**
 * The parts of WAI-ARIA 1.2, DPUB-ARIA, Graphics-ARIA, and the browsers' roles of 1.3 that the
 * rules need.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const setOf = (text: string): ReadonlySet<string> => new Set(words(text));

const aria = `
  alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment complementary contentinfo definition deletion
  dialog directory document emphasis feed figure form generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu
  menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader
  scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term
  textbox time timer toolbar tooltip tree treegrid treeitem`;
const publishing = `
  abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter colophon conclusion cover credit credits dedication endnote endnotes epigraph
  epilogue errata example footnote foreword glossary glossref index introduction noteref notice pagebreak pagefooter pageheader pagelist part preface prologue pullquote qna
  subtitle tip toc`;

/** Every role that an author may write. */
export const knownRoles: ReadonlySet<string> = new Set([
  ...words(aria),
  ...words(publishing).map((name) => `doc-${name}`),
  ...words('graphics-document graphics-object graphics-symbol'),
]);

/** Roles of DPUB-ARIA and Graphics-ARIA that inherit from a role with a name of its own. */
const inherited: ReadonlyMap<string, string> = new Map([
  ['doc-backlink', 'link'],
  ['doc-biblioref', 'link'],
  ['doc-glossref', 'link'],
  ['doc-noteref', 'link'],
  ['doc-cover', 'img'],
]);

/** Returns the role of WAI-ARIA that a role is a kind of: `link` for `doc-noteref`. */
export function baseRole(role: string): string {
  return inherited.get(role) ?? role;
}

/** Roles whose content is their name. */
export const namedByContent: ReadonlySet<string> = setOf(`
  button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem
  doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Roles whose content assistive technology sees as plain text. */
export const childrenPresentational: ReadonlySet<string> = setOf(`
  button checkbox image img math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider switch tab doc-pagebreak graphics-symbol`);

/** Roles that must not have a name. */
export const nameProhibited: ReadonlySet<string> = setOf(
  'caption code deletion emphasis generic insertion none paragraph presentation strong subscript superscript',
);

/** Roles of fields of a form. */
export const fieldRoles: ReadonlySet<string> = setOf(
  'checkbox combobox listbox menuitemcheckbox menuitemradio radio searchbox slider spinbutton switch textbox',
);

/** The states that a role requires, unless the element has them natively. */
export const requiredStates: ReadonlyMap<string, readonly string[]> = new Map([
  ['checkbox', ['aria-checked']],
  ['combobox', ['aria-expanded']],
  ['heading', ['aria-level']],
  ['menuitemcheckbox', ['aria-checked']],
  ['menuitemradio', ['aria-checked']],
  ['meter', ['aria-valuenow']],
  ['radio', ['aria-checked']],
  ['scrollbar', ['aria-controls', 'aria-valuenow']],
  ['slider', ['aria-valuenow']],
  ['switch', ['aria-checked']],
]);

const menus = words('menu menubar group');
const rows = words('row rowgroup');
const cells = words('cell columnheader gridcell rowheader');

/** The parent roles that a role requires. */
export const requiredContext: ReadonlyMap<string, readonly string[]> = new Map([
  ...cells.map((role) => [role, ['row']] as const),
  ['listitem', ['list', 'directory']],
  ['menuitem', menus],
  ['menuitemcheckbox', menus],
  ['menuitemradio', menus],
  ['option', ['listbox', 'group']],
  ['row', ['grid', 'table', 'treegrid', 'rowgroup']],
  ['rowgroup', ['grid', 'table', 'treegrid']],
  ['tab', ['tablist']],
  ['treeitem', ['tree', 'group']],
]);

/** The only child roles that a role may have. */
export const requiredOwned: ReadonlyMap<string, readonly string[]> = new Map([
  ['feed', ['article']],
  ['grid', rows],
  ['list', ['listitem']],
  ['directory', ['listitem']],
  ['listbox', ['option', 'group']],
  ['menu', words('menuitem menuitemcheckbox menuitemradio group separator')],
  ['menubar', words('menuitem menuitemcheckbox menuitemradio group separator')],
  ['row', cells],
  ['rowgroup', ['row']],
  ['table', [...rows, 'caption']],
  ['tablist', ['tab']],
  ['tree', ['treeitem', 'group']],
  ['treegrid', rows],
]);

const range = 'aria-valuemax aria-valuemin aria-valuenow aria-valuetext';
const place = 'aria-posinset aria-setsize';
const cell =
  'aria-colindex aria-colindextext aria-colspan aria-rowindex aria-rowindextext aria-rowspan';
const entry =
  'aria-activedescendant aria-autocomplete aria-multiline aria-placeholder aria-readonly aria-required';
const header = `${cell} aria-expanded aria-readonly aria-required aria-selected`;
const gridLike =
  'aria-activedescendant aria-colcount aria-multiselectable aria-readonly aria-rowcount';
const item = `aria-expanded ${place}`;
const supported: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    alertdialog: 'aria-modal',
    application: 'aria-activedescendant aria-expanded',
    article: place,
    button: 'aria-expanded aria-pressed',
    cell,
    checkbox: 'aria-checked aria-expanded aria-readonly aria-required',
    columnheader: `${header} aria-sort`,
    combobox: `${entry} aria-expanded`,
    dialog: 'aria-modal',
    feed: '',
    grid: gridLike,
    gridcell: header,
    group: 'aria-activedescendant',
    heading: 'aria-level',
    link: 'aria-expanded',
    listbox:
      'aria-activedescendant aria-expanded aria-multiselectable aria-orientation aria-readonly aria-required',
    listitem: `aria-level ${place}`,
    menu: 'aria-activedescendant aria-orientation',
    menubar: 'aria-activedescendant aria-orientation',
    menuitem: item,
    menuitemcheckbox: `${item} aria-checked aria-readonly aria-required`,
    menuitemradio: `${item} aria-checked aria-readonly aria-required`,
    meter: range,
    option: `aria-checked aria-selected ${place}`,
    progressbar: range,
    radio: `aria-checked ${place}`,
    radiogroup: 'aria-activedescendant aria-orientation aria-readonly aria-required',
    row: `aria-activedescendant aria-colindex aria-expanded aria-level aria-rowindex aria-rowindextext aria-selected ${place}`,
    rowheader: `${header} aria-sort`,
    scrollbar: `aria-orientation ${range}`,
    searchbox: entry,
    select: 'aria-activedescendant aria-orientation',
    separator: `aria-orientation ${range}`,
    slider: `aria-orientation aria-readonly ${range}`,
    spinbutton: `aria-activedescendant aria-readonly aria-required ${range}`,
    switch: 'aria-checked aria-expanded aria-readonly aria-required',
    tab: `aria-expanded aria-selected ${place}`,
    table: 'aria-colcount aria-rowcount',
    tablist: 'aria-activedescendant aria-level aria-multiselectable aria-orientation',
    textbox: entry,
    toolbar: 'aria-activedescendant aria-orientation',
    tree: 'aria-activedescendant aria-multiselectable aria-orientation aria-required',
    treegrid: `${gridLike} aria-orientation aria-required`,
    treeitem: `${item} aria-checked aria-level aria-selected`,
    'doc-backlink': 'aria-expanded',
    'doc-biblioref': 'aria-expanded',
    'doc-glossref': 'aria-expanded',
    'doc-noteref': 'aria-expanded',
    'doc-biblioentry': `aria-level ${place}`,
    'doc-endnote': `aria-level ${place}`,
    'doc-pagebreak': `aria-orientation ${range}`,
  }).map(([role, attributes]) => [role, setOf(attributes)]),
);

/** Returns whether a role supports an attribute that is not global. */
export function roleSupports(role: string, name: string): boolean {
  return supported.get(role)?.has(name) === true;
}
