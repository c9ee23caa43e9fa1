import type { HtmlRule } from '../rule.js';
import { judgeNames } from './judge-names.js';
import {
  buttons,
  drawings,
  fields,
  frames,
  headings,
  imageButtons,
  images,
  links,
  menuItems,
  type NamedKind,
  objects,
  summaries,
} from './named-kinds.js';

interface NameRule
  extends Pick<HtmlRule, 'id' | 'name' | 'description' | 'things' | 'wcag' | 'act'> {
  readonly kind: NamedKind;
}

function nameRule({ kind, ...rule }: NameRule): HtmlRule {
  return {
    ...rule,
    severity: 'major',
    category: 'quality',
    version: 1,
    suggestedFix: kind.advice,
    repairs: kind === fields,
    judge: ({ pages }) => judgeNames(pages, [kind]),
  };
}

/** The rules for names of elements. */
export const nameRules: readonly HtmlRule[] = [
  nameRule({
    kind: buttons,
    id: 'button-name',
    name: 'Names of buttons',
    description: 'Every button has a name',
    things: 'buttons',
    wcag: '4.1.2',
    act: ['97a4e1'],
  }),
  nameRule({
    kind: links,
    id: 'link-name',
    name: 'Names of links',
    description: 'Every link has a name',
    things: 'links',
    wcag: '2.4.4, 4.1.2',
    act: ['c487ae'],
  }),
  nameRule({
    kind: fields,
    id: 'field-name',
    name: 'Names of fields',
    description: 'Every field of a form has a name',
    things: 'fields',
    wcag: '4.1.2',
    act: ['e086e5'],
  }),
  nameRule({
    kind: images,
    id: 'image-name',
    name: 'Text for images',
    description: 'Every image has a text, or says that it is decorative',
    things: 'images',
    wcag: '1.1.1',
    act: ['23a2a8'],
  }),
  nameRule({
    kind: imageButtons,
    id: 'image-button-name',
    name: 'Names of image buttons',
    description: 'Every image button has a name',
    things: 'image buttons',
    wcag: '1.1.1, 4.1.2',
    act: ['59796f'],
  }),
  nameRule({
    kind: menuItems,
    id: 'menuitem-name',
    name: 'Names of menu items',
    description: 'Every menu item has a name',
    things: 'menu items',
    wcag: '4.1.2',
    act: ['m6b1q3'],
  }),
  nameRule({
    kind: summaries,
    id: 'summary-name',
    name: 'Names of summaries',
    description: 'Every summary that opens details has a name',
    things: 'summaries',
    wcag: '4.1.2',
    act: ['2t702h'],
  }),
  nameRule({
    kind: frames,
    id: 'frame-name',
    name: 'Names of frames',
    description: 'Every iframe has a name',
    things: 'frames',
    wcag: '4.1.2',
    act: ['cae760'],
  }),
  nameRule({
    kind: headings,
    id: 'heading-name',
    name: 'Headings with content',
    description: 'No heading is empty',
    things: 'headings',
    wcag: '1.3.1, 2.4.6',
    act: ['ffd0e9'],
  }),
  nameRule({
    kind: drawings,
    id: 'svg-name',
    name: 'Text for drawings',
    description: 'Every SVG element with the role of an image has a name',
    things: 'SVG elements with a role',
    wcag: '1.1.1',
    act: ['7d6734'],
  }),
  nameRule({
    kind: objects,
    id: 'object-name',
    name: 'Text for embedded objects',
    description: 'Every object that shows media has a name',
    things: 'embedded objects',
    wcag: '1.1.1',
    act: ['8fc3b6'],
  }),
];
