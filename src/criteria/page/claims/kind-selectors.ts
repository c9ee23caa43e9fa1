import type { KindSelectors } from '../inside/shown-elements.js';

const headings = 'h1, h2, h3, h4, h5, h6, [role="heading"]';
const fields =
  'input:not([type="hidden"], [type="submit"], [type="button"], [type="reset"], [type="image"])';
const outer = 'article *, section *, main *, aside *, nav *';

/** How a browser finds the kinds of things that requirements name. */
export const kindSelectors: KindSelectors = {
  sure: {
    heading: headings,
    h1: 'h1',
    h2: 'h2',
    h3: 'h3',
    h4: 'h4',
    h5: 'h5',
    h6: 'h6',
    button: 'button, input[type="submit"], input[type="button"], [role="button"]',
    link: 'a[href]:not([role])',
    image: 'img',
    table: 'table:not([role])',
    form: 'form',
    input: fields,
    nav: 'nav, [role="navigation"]',
    main: 'main, [role="main"]',
    header: `header:not(${outer}), [role="banner"]`,
    footer: `footer:not(${outer}), [role="contentinfo"]`,
    aside: 'aside, [role="complementary"]',
    paragraph: 'p',
    video: 'video',
  },
  maybe: {
    heading: '[class*="heading" i], [class*="title" i]',
    button:
      'a[class*="btn" i], a[class*="button" i], summary, input[type="reset"], input[type="image"], [onclick]',
    link: '[role="link"], area, [onclick]',
    image: 'svg, picture, canvas, [role="img"], input[type="image"], video[poster]',
    table: '[role="table"], [role="grid"], table[role]',
    form: '[role="form"], [class*="form" i]',
    input: 'textarea, select, [contenteditable], [role="textbox"]',
    nav: '[class*="nav" i], [class*="menu" i], [role="menubar"]',
    main: '[class*="main" i], [id*="main" i], [class*="content" i]',
    header: 'header, [class*="header" i]',
    footer: 'footer, [class*="footer" i]',
    aside: '[class*="sidebar" i]',
  },
};
