/** The kind of value of an ARIA attribute. */
export type AriaKind = 'boolean' | 'id' | 'ids' | 'integer' | 'number' | 'text' | readonly string[];

export interface AriaAttribute {
  readonly kind: AriaKind;
  /** Whether every role may have it. */
  readonly global: boolean;
  /** Whether the value may contain several of the allowed words. */
  readonly several: boolean;
}

const yes = ['true', 'false', 'undefined'];
const kinds: Readonly<Record<string, AriaKind>> = {
  activedescendant: 'id',
  atomic: 'boolean',
  autocomplete: ['inline', 'list', 'both', 'none'],
  braillelabel: 'text',
  brailleroledescription: 'text',
  busy: 'boolean',
  checked: [...yes, 'mixed'],
  colcount: 'integer',
  colindex: 'integer',
  colindextext: 'text',
  colspan: 'integer',
  controls: 'ids',
  current: ['page', 'step', 'location', 'date', 'time', 'true', 'false'],
  describedby: 'ids',
  description: 'text',
  details: 'ids',
  disabled: 'boolean',
  dropeffect: ['copy', 'execute', 'link', 'move', 'none', 'popup'],
  errormessage: 'id',
  expanded: yes,
  flowto: 'ids',
  grabbed: yes,
  haspopup: ['false', 'true', 'menu', 'listbox', 'tree', 'grid', 'dialog'],
  hidden: yes,
  invalid: ['grammar', 'false', 'spelling', 'true'],
  keyshortcuts: 'text',
  label: 'text',
  labelledby: 'ids',
  level: 'integer',
  live: ['assertive', 'off', 'polite'],
  modal: 'boolean',
  multiline: 'boolean',
  multiselectable: 'boolean',
  orientation: ['horizontal', 'vertical', 'undefined'],
  owns: 'ids',
  placeholder: 'text',
  posinset: 'integer',
  pressed: [...yes, 'mixed'],
  readonly: 'boolean',
  relevant: ['additions', 'all', 'removals', 'text'],
  required: 'boolean',
  roledescription: 'text',
  rowcount: 'integer',
  rowindex: 'integer',
  rowindextext: 'text',
  rowspan: 'integer',
  selected: yes,
  setsize: 'integer',
  sort: ['ascending', 'descending', 'none', 'other'],
  valuemax: 'number',
  valuemin: 'number',
  valuenow: 'number',
  valuetext: 'text',
};
// disabled, errormessage, haspopup and invalid were global until ARIA 1.1, and still count as
// global
const globals = new Set(
  'atomic braillelabel brailleroledescription busy controls current describedby description details disabled dropeffect errormessage flowto grabbed haspopup hidden invalid keyshortcuts label labelledby live owns relevant roledescription'.split(
    ' ',
  ),
);
const several = new Set(['dropeffect', 'relevant']);

/** The ARIA attributes by their full names. */
export const ariaAttributes: ReadonlyMap<string, AriaAttribute> = new Map(
  Object.entries(kinds).map(([name, kind]) => [
    `aria-${name}`,
    { kind, global: globals.has(name), several: several.has(name) },
  ]),
);

export function mayHold({ kind, several: list }: AriaAttribute, value: string): boolean {
  const given = value.trim();
  if (typeof kind !== 'string')
    return (list ? given.toLowerCase().split(/\s+/) : [given.toLowerCase()]).every((word) =>
      kind.includes(word),
    );
  switch (kind) {
    case 'boolean':
      return /^(?:true|false)$/i.test(given);
    case 'integer':
      return /^[+-]?\d+$/.test(given);
    case 'number':
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(given);
    case 'id':
      return /^\S+$/.test(given);
    default:
      return true;
  }
}
