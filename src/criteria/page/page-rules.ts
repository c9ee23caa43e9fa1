import type { DescribedRule } from '../html/rule.js';

/** One criterion over a rendered page. */
export interface PageRule extends DescribedRule {
  /** Whether it judges scripts, so that there is nothing to see without them. */
  readonly needsScripts?: boolean | undefined;
}

const common = { severity: 'major', category: 'quality', version: 2 } as const;

/** The criteria over rendered pages. */
export const pageRules: readonly PageRule[] = [
  {
    ...common,
    id: 'page-contrast',
    version: 3,
    name: 'Contrast of text',
    description: 'Text stands out from its background',
    wcag: '1.4.3',
    act: ['afw4f7'],
    things: 'texts',
  },
  {
    ...common,
    id: 'page-target-size',
    name: 'Size of targets',
    description: 'Targets of a pointer are at least 24 x 24 px, or have space around them',
    severity: 'minor',
    wcag: '2.5.8',
    things: 'targets',
  },
  {
    ...common,
    id: 'page-reflow',
    name: 'Narrow windows and large text',
    description: 'The page fits into a window of 320 px, and cuts off no text at twice its size',
    wcag: '1.4.4, 1.4.10',
    things: 'elements',
  },
  {
    ...common,
    id: 'page-focus-visible',
    version: 3,
    name: 'Visible focus',
    description: 'Everything that the Tab key reaches shows that it has the focus',
    wcag: '2.4.7',
    act: ['oj04fd'],
    things: 'stops of the Tab key',
  },
  {
    ...common,
    id: 'page-focus-order',
    version: 3,
    name: 'Order of the focus',
    description: 'The Tab key follows the order of the page',
    severity: 'minor',
    wcag: '2.4.3',
    things: 'stops of the Tab key',
  },
  {
    ...common,
    id: 'page-keyboard-trap',
    name: 'No keyboard trap',
    description: 'The Tab key leads out of everything',
    severity: 'critical',
    wcag: '2.1.2',
    act: ['80af7b', 'a1b64e'],
    needsScripts: true,
    things: 'stops of the Tab key',
  },
  {
    ...common,
    id: 'page-scroll-focus',
    name: 'Scrolling by keyboard',
    description: 'The keyboard reaches every part that scrolls',
    wcag: '2.1.1',
    act: ['0ssw9k'],
    things: 'parts that scroll',
  },
  {
    ...common,
    id: 'page-resources',
    name: 'Files of the page',
    description: 'Every picture, style, script, font and place that the page refers to is there',
    category: 'missing',
    things: 'references',
  },
  {
    ...common,
    id: 'page-errors',
    name: 'Errors of scripts',
    description: 'The scripts of the page run without an error',
    category: 'incorrect',
    needsScripts: true,
    things: 'pages',
  },
  {
    ...common,
    id: 'page-layout-shift',
    version: 3,
    name: 'Steady layout',
    description: 'Pictures have a size before they arrive',
    severity: 'minor',
    things: 'pictures',
  },
  {
    ...common,
    id: 'page-axe',
    name: 'Accessibility in the browser (axe)',
    description: 'The rendered page passes the other rules of axe',
    things: 'rules',
  },
];
