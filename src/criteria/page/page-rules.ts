import type { DescribedRule } from '../html/rule.js';

/** One criterion over a rendered page. */
export interface PageRule extends DescribedRule {
  /** Whether it judges scripts, so that there is nothing to see without them. */
  readonly needsScripts?: boolean | undefined;
}

/** The criteria over rendered pages. */
export const pageRules: readonly PageRule[] = [
  rule('page-contrast', ['Contrast of text', 'texts', 'Text stands out from its background'], {
    wcag: '1.4.3',
    act: ['afw4f7'],
  }),
  rule(
    'page-target-size',
    ['Size of targets', 'targets', 'Targets are at least 24 x 24 px, or have space around them'],
    { severity: 'minor', wcag: '2.5.8' },
  ),
  rule('page-reflow', ['Narrow windows', 'elements', 'The page fits into a window of 320 px'], {
    wcag: '1.4.10',
  }),
  rule(
    'page-focus-visible',
    ['Visible focus', 'stops of the Tab key', 'All that Tab reaches shows that it has the focus'],
    { wcag: '2.4.7', act: ['oj04fd'] },
  ),
  rule(
    'page-focus-order',
    ['Order of the focus', 'stops of the Tab key', 'Tab reaches only what is shown, in order'],
    { severity: 'minor', wcag: '2.4.3' },
  ),
  rule(
    'page-keyboard-trap',
    ['No keyboard trap', 'stops of the Tab key', 'The Tab key leads out of everything'],
    { severity: 'critical', wcag: '2.1.2', act: ['80af7b', 'a1b64e'], needsScripts: true },
  ),
  rule(
    'page-scroll-focus',
    ['Scrolling by keyboard', 'parts that scroll', 'The keyboard reaches all that scrolls'],
    { wcag: '2.1.1', act: ['0ssw9k'] },
  ),
  rule(
    'page-resources',
    ['Files of the page', 'files', 'Every picture, style, script, font and other file is there'],
    { category: 'missing' },
  ),
  rule('page-errors', ['Errors of scripts', 'pages', 'The scripts run without an error'], {
    category: 'incorrect',
    needsScripts: true,
  }),
  rule('page-axe', ['Other rules of axe', 'rules', 'The page passes the other rules of axe'], {
    act: ['24afc2', '9e45ec', '78fd32'],
  }),
];

/** Returns a rule by its id, then its name, what it judges, and what it asks for. */
function rule(
  id: string,
  [name, things, description]: readonly [string, string, string],
  more: Partial<PageRule>,
): PageRule {
  const common = { severity: 'major', category: 'quality', version: 4 } as const;
  return { ...common, id, name, description, things, ...more };
}
