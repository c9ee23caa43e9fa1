/** A requirement, a page that keeps it, and the same page after one edit that breaks it. */
export interface Triple {
  readonly requirement: string;
  readonly kept: string;
  readonly broken: string;
}

const prohibitions: readonly Triple[] = [
  triple('The form must not have a submit button', '<form><input></form>', [
    '</form>',
    '<button>Send</button></form>',
  ]),
  triple('The page must not use tables', '<p>Tea</p>', [
    '<p>Tea</p>',
    '<table><tr><td>Tea</td></tr></table>',
  ]),
  triple('Do not show a heading', '<p>Tea</p>', ['<p>Tea</p>', '<h2>Tea</h2>']),
  triple('No images', '<p>Tea</p>', ['<p>', '<img src="a.png" alt="Tea"><p>']),
  triple('The page must not mention "coffee"', '<p>We sell tea.</p>', ['tea', 'coffee']),
  triple('Never ask for a phone number', '<label>Name <input></label>', [
    '</label>',
    '</label><label>Phone number <input type="tel"></label>',
  ]),
  triple('No links to other sites', '<a href="/a">A</a>', ['/a', 'https://a.example/']),
  triple('The page must not contain inline styles', '<p>Tea</p>', ['<p>', '<p style="margin:0">']),
  triple('The text must not use exclamation marks', '<p>Good tea.</p>', ['tea.', 'tea!']),
];

const values: readonly Triple[] = [
  triple('The heading must be blue', '<h1 style="color:blue">Tea</h1>', ['blue', 'white']),
  triple('Use a light background', '<p style="background:#eee">Tea</p>', ['#eee', '#111']),
  triple('The page title must be "Tea"', '<title>Tea</title><p>Tea</p>', ['>Tea<', '>Cups<']),
  triple('The button must say "Buy now"', '<button>Buy now</button>', ['Buy now', 'Buy later']),
  triple('The price must be 12 euros', '<p>12 euros</p>', ['12', '21']),
  triple('The password field must accept at least 12 characters', '<input minlength="12">', [
    '12',
    '6',
  ]),
  triple('The logo must be at the top left', '<header><img src="l.png" alt="Logo"></header>', [
    'header',
    'footer',
  ]),
  triple('Open on weekdays from 9 to 17', '<p>Monday to Friday, 9 to 17</p>', ['17', '12']),
];

const counts: readonly Triple[] = [
  triple('The page must have exactly one h1', '<h1>Tea</h1>', ['</h1>', '</h1><h1>Cups</h1>']),
  triple('The page must have at least three images', images(3), [images(1), '']),
  triple('The list must have at most two items', '<ul><li>a</li><li>b</li></ul>', [
    '</ul>',
    '<li>c</li></ul>',
  ]),
  triple('The menu must have four links', `<nav>${links(4)}</nav>`, [
    '</nav>',
    `${links(1)}</nav>`,
  ]),
  triple('No more than 5 words', '<p>We sell green tea.</p>', ['tea.', 'tea and many cups.']),
];

const others: readonly Triple[] = [
  triple('Images must have alt text', '<img src="a.png" alt="A cup of tea">', [
    ' alt="A cup of tea"',
    '',
  ]),
  triple('All links must have discernible text', '<a href="/a">Home</a>', ['Home', '']),
  triple('Every button must have an accessible name', '<button>Menu</button>', ['Menu', '']),
  triple('Every form field must have a label', '<label>Name <input></label>', [
    '<label>Name <input></label>',
    '<p>Name</p><input>',
  ]),
  triple('The page must have a form', '<form><input></form>', ['form', 'div']),
  triple('The order must be confirmed by e-mail', '<p>We confirm each order by e-mail.</p>', [
    'We confirm each order by e-mail.',
    '<label>E-mail <input></label> Order',
  ]),
  triple('The page must show the opening hours', '<p>Opening hours: 9 to 17</p>', [
    '<p>Opening hours: 9 to 17</p>',
    '<a href="/hours">Opening hours</a>',
  ]),
  triple('The table must have a caption', '<table><caption>Tea</caption></table>', [
    '<caption>Tea</caption>',
    '<tr><td>Tea</td></tr>',
  ]),
  triple('The page must have a navigation', '<nav><a href="/a">A</a></nav>', ['nav', 'div']),
  triple('The video must have captions', '<video><track kind="captions" src="a.vtt"></video>', [
    '<track kind="captions" src="a.vtt">',
    '',
  ]),
];

/** The triples. At least half of them are prohibitions, values, counts and colours. */
export const triples: readonly Triple[] = [...prohibitions, ...values, ...counts, ...others];

/** Builds a triple whose broken page differs by one replacement. */
function triple(
  requirement: string,
  kept: string,
  [before, after]: readonly [string, string],
): Triple {
  return { requirement, kept, broken: kept.replaceAll(before, after) };
}

function images(count: number): string {
  return '<img src="a.png" alt="A cup of tea">'.repeat(count);
}

function links(count: number): string {
  return '<a href="/a">Tea</a>'.repeat(count);
}
