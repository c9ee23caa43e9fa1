// For each criterion of the package a work that it fails and one that it passes: the content of the usual file of its set,
// or paths and contents. `task` is a task for both.
const page = (body, style = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea</title>` +
  `<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${style}</style></head>` +
  `<body><main><h1>Tea</h1>${body}</main></body></html>`;
const plan = (task) =>
  JSON.stringify({
    epics: [
      {
        id: 'E1',
        title: 'Shop',
        features: [{ id: 'F1', title: 'Cart', tasks: [{ id: 'T1', title: 'Add a tea', ...task }] }],
      },
    ],
  });
const table = (cell) =>
  `<table><tr><${cell}>Tea</${cell}><${cell}>Price</${cell}></tr><tr><td>Oolong</td><td>4</td></tr><tr><td>Assam</td><td>3</td></tr></table>`;
const frame = (content) => `<iframe tabindex="-1" srcdoc="${content}"></iframe>`;
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><path d="M0 0h90v90z"/></svg>';
const lines = '<p>Tea</p>'.repeat(20);
// one visit of a browser serves all criteria of the set
const badPage = {
  'page.html': page(
    `<p class="pale">Tea</p><img src="cup.svg"><p>More</p><img src="gone.svg" alt="A pot">
    <a class="dot" href="#a">a</a><a class="dot" href="#b">b</a><div class="wide">Tea</div>
    <button tabindex="2">Two</button><button tabindex="1">Three</button>
    <div class="low">${lines}</div><script>throw new Error('no tea')</script>`,
    `.pale { color: #999; background: #aaa } .wide { width: 900px } button:focus { outline: none }
    .low { height: 60px; overflow: auto }
    .dot { display: inline-block; width: 8px; height: 8px; overflow: hidden }`,
  ),
  'cup.svg': picture,
};
const goodPage = {
  'page.html': page(
    `<img src="cup.svg" alt="A cup" width="90" height="90"><p>Tea</p>
    <button class="large">One</button><button class="large">Two</button>
    <div tabindex="0" class="low">${lines}</div><script>let a;</script>`,
    '.large { width: 90px; height: 50px } .low { height: 60px; overflow: auto }',
  ),
  'cup.svg': picture,
};
const trapPage = page(
  `<input aria-label="a" onkeydown="if (event.key === 'Tab') event.preventDefault()">
  <button>Send</button>`,
);
const blank = ['   ', 'Tea, hot.'];

/** The file of a work that is given as a text, by set. */
export const fileOf = {
  html: 'page.html',
  page: 'page.html',
  css: 'style.css',
  plan: 'plan.json',
  text: 'text.md',
  code: 'code.js',
};

/** Options of a set. */
export const optionsOf = { page: { scripts: true, folder: '.' } };

export const samples = {
  'html-lang': ['<html lang=" ">', '<html lang="en">'],
  'html-lang-valid': ['<html lang="eng">', '<html lang="pt-BR">'],
  'html-xml-lang': ['<html lang="en" xml:lang="fr">', '<html lang="en" xml:lang="en-GB">'],
  'lang-valid': ['<p lang="dutch">Hallo</p>', '<p lang="fr">Bonjour</p>'],
  'html-title': ['<html><title> </title>', '<html><title>Tea</title>'],
  viewport: ['<html><head><title>Tea</title></head><body><p>Tea</p></body></html>', page('')],
  'viewport-zoom': [
    '<meta name="viewport" content="maximum-scale=1.5">',
    '<meta name="viewport" content="user-scalable=yes">',
  ],
  'meta-refresh': [
    '<meta http-equiv="refresh" content="30; URL=x">',
    '<meta http-equiv="refresh" content="72001">',
  ],
  'button-name': ['<button></button>', '<button>Send</button>'],
  'link-name': ['<a href="/"></a>', '<a href="/">Home</a>'],
  'field-name': ['<input type="password">', '<label>Name <input></label>'],
  'image-name': ['<img src="a.png">', '<img src="a.png" alt="A cup">'],
  'image-button-name': [
    '<input type="image" src="a.png">',
    '<input type="image" src="a.png" alt="Send">',
  ],
  'menuitem-name': [
    '<div role="menu"><div role="menuitem"></div></div>',
    '<div role="menu"><div role="menuitem">Open</div></div>',
  ],
  'summary-name': [
    '<details><summary></summary>Tea</details>',
    '<details><summary>More</summary>Tea</details>',
  ],
  'frame-name': ['<iframe src="a.html"></iframe>', '<iframe src="a.html" title="Map"></iframe>'],
  'heading-name': ['<h2> </h2>', '<h2>Tea</h2>'],
  'svg-name': ['<svg role="img"></svg>', '<svg role="img" aria-label="A chart"></svg>'],
  'object-name': [
    '<object data="a.mp3"></object>',
    '<object data="a.mp3" title="Speech"></object>',
  ],
  'image-file-name': ['<img src="cup.webp" alt="cup.webp">', '<img src="cup.webp" alt="A cup">'],
  'field-label': ['<input placeholder="Name">', '<label>Name <input></label>'],
  'label-in-name': [
    '<button aria-label="Find">Search</button>',
    '<button aria-label="Search tea">Search</button>',
  ],
  'duplicate-ids': ['<p id="a"></p><p id="a"></p>', '<p id="a"></p><p id="b"></p>'],
  'heading-order': ['<h1>Tea</h1><h4>Green</h4>', '<h1>Tea</h1><h2>Green</h2>'],
  'role-valid': ['<div role="widget"></div>', '<div role="note"></div>'],
  'aria-defined': ['<p aria-hiden="true"></p>', '<p aria-atomic="true"></p>'],
  'aria-values': [
    '<div role="table" aria-rowcount="2.1"></div>',
    '<div role="table" aria-rowcount="2"></div>',
  ],
  'aria-permitted': ['<div aria-label="x"></div>', '<button aria-pressed="true">x</button>'],
  'aria-required': ['<div role="slider"></div>', '<div role="slider" aria-valuenow="2"></div>'],
  'aria-context': [
    '<div role="listitem">x</div>',
    '<div role="list"><div role="listitem">x</div></div>',
  ],
  'aria-owned': [
    '<div role="tablist"></div>',
    '<div role="list"><div role="listitem">x</div></div>',
  ],
  'aria-references': [
    '<button aria-labelledby="gone">x</button>',
    '<p id="a">x</p><p aria-describedby="a">y</p>',
  ],
  'aria-hidden-focus': [
    '<div aria-hidden="true"><a href="/">x</a></div>',
    '<div aria-hidden="true"><input disabled></div>',
  ],
  'presentational-children-focus': [
    '<div role="checkbox" aria-checked="true">x <a href="/">terms</a></div>',
    '<button>x</button>',
  ],
  'decorative-exposed': ['<img src="a.png" alt="" tabindex="0">', '<img src="a.png" alt="">'],
  'frame-focus': [frame('<a href=/>x</a>'), frame('<p>x</p>')],
  'table-headers': [
    '<table><tr><th id="a">A<td headers="b">1</table>',
    '<table><tr><th id="a">A<td headers="a">1</table>',
  ],
  'table-header-cells': [
    '<table><tr><th>A<th>B<tr><td>1</table>',
    '<table><tr><th scope="row">A<td>1</table>',
  ],
  autocomplete: ['<input autocomplete="badname">', '<input autocomplete="email">'],
  'attribute-unique': ['<p class="a" class="b"></p>', '<p id="a"></p>'],
  'media-autoplay': [
    '<audio src="a.mp3" autoplay></audio>',
    '<audio src="a.mp3#t=8,10" autoplay></audio>',
  ],
  'media-controls': [
    '<video src="a.mp4" autoplay loop></video>',
    '<video src="a.mp4" autoplay loop controls></video>',
  ],
  'link-purpose': ['<a href="/tea">click here</a>', '<a href="/tea">All kinds of tea</a>'],
  'link-target': ['<a href="#">Tea</a>', '<a href="/tea">Tea</a>'],
  'tab-order': ['<button tabindex="5">Send</button>', '<button tabindex="0">Send</button>'],
  'clickable-role': [
    '<div onclick="go()">Send</div>',
    '<div role="button" tabindex="0" onclick="go()" onkeydown="go()">Send</div>',
  ],
  'table-has-headers': [table('td'), table('th')],
  'secure-forms': [
    '<form action="http://tea.example/"><input type="password"></form>',
    '<form action="https://tea.example/"><input type="password"></form>',
  ],
  'secure-resources': [
    '<script src="http://tea.example/a.js"></script>',
    '<script src="https://tea.example/a.js"></script>',
  ],
  'resources-exist': [
    { 'page.html': page('<img src="gone.svg" alt="A cup">'), 'cup.svg': picture },
    { 'page.html': page('<img src="cup.svg" alt="A cup">'), 'cup.svg': picture },
  ],
  'html-empty-content': ['  ', '<p>Tea</p>'],
  'design-tokens': [
    ':root { --ink: #fff } a { color: #fff; padding: 4px }',
    'a { color: var(--ink); padding: var(--s) }',
  ],
  responsive: ['.a { width: 900px }', '@media (max-width: 40em) { .a { width: 100% } }'],
  'css-properties': ['a { colr: red }', 'a { color: red }'],
  'css-variables': [
    { 'page.html': page(''), 'style.css': 'a { color: var(--ink) }' },
    { 'page.html': page('', ':root { --ink: red }'), 'style.css': 'a { color: var(--ink) }' },
  ],
  'css-focus': ['a:focus { outline: none }', 'a:focus { outline: 2px solid blue }'],
  'css-empty-content': [' ', 'a { color: red }'],
  'plan-acceptance-criteria': [plan({}), plan({ acceptanceCriteria: ['A tea is in the cart'] })],
  'plan-dependencies': [plan({ dependencies: ['T9'] }), plan({ dependencies: [] })],
  'plan-complexity': [plan({}), plan({ complexity: 'small' })],
  'plan-assignment': [plan({}), plan({ assignedAgents: ['coder'] })],
  'plan-empty-content': [' ', plan({})],
  'text-placeholders': ['TODO: write this part.', 'Tea, hot.'],
  'text-conflict-markers': ['<<<<<<< HEAD\nTea\n=======\nCoffee\n>>>>>>> other\n', 'Tea, hot.'],
  'text-links': ['# Tea\n\n[Prices](#prices)\n', '# Prices\n\n[Prices](#prices)\n'],
  'text-code-fences': ['```js\nlet a;\n', '```js\nlet a;\n```\n'],
  'text-front-matter': ['---\ntitle: [\n---\nTea.\n', '---\ntitle: Tea\n---\nTea.\n'],
  'text-cut-off': [
    '# Tea\n\nWe have many kinds of tea, green tea,',
    '# Tea\n\nWe have many kinds of tea.\n',
  ],
  'text-chatter': ['Sure! Here is the text you asked for:\n\nTea is hot.\n', 'Tea is hot.\n'],
  'text-secrets': [`The key is sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}.`, 'There is no key.'],
  'text-task-files': [{ 'a.md': 'Tea.' }, { 'tea.md': 'Tea.' }, 'Write `tea.md`.'],
  'text-empty-content': blank,
  'code-placeholders': ['function tea() {\n  // TODO: implement\n}\n', 'export const tea = 1;\n'],
  'code-conflict-markers': ['<<<<<<< HEAD\nlet a;\n=======\nlet b;\n>>>>>>> other\n', 'let a;\n'],
  'code-data': [{ 'data.json': '{"a": 1,,}' }, { 'data.json': '{"a": 1}' }],
  'code-cut-off': ['function tea() {\n  return {\n', 'function tea() {\n  return {};\n}\n'],
  'code-chatter': ["Sure! Here's the updated file:\n\nlet a;\n", 'let a;\n'],
  'code-bidi': ['let a; // \u202e x\n', 'let a; // x\n'],
  'code-null-bytes': ['let a;\u0000\n', 'let a;\n'],
  'code-secrets': [
    `const key = 'sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}';\n`,
    'const key = env.KEY;\n',
  ],
  'code-task-files': [{ 'a.js': 'let a;' }, { 'tea.js': 'let a;' }, 'Write `tea.js`.'],
  'code-empty-content': [' ', 'let a;\n'],
  ...Object.fromEntries(
    [
      'page-contrast',
      'page-target-size',
      'page-reflow',
      'page-focus-visible',
      'page-focus-order',
      'page-scroll-focus',
      'page-resources',
      'page-errors',
      'page-axe',
    ].map((id) => [id, [badPage, goodPage]]),
  ),
  'page-keyboard-trap': [trapPage, goodPage],
};
