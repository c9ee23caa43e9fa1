import { describe, expect, it } from 'vitest';
import { htmlCriteria } from '@/criteria/html/html-criteria.js';
import { decide, filesOf, page, pageWith, verdict } from './decide.js';

describe('what the checks for pages decide', () => {
  it.each([
    // alternative texts
    ['Images must have alt text', '<img src=a.png alt="A cup of tea">', 'satisfied'],
    ['Images must have alt text', '<img src=a.png alt="Tea"><img src=b.png>', 'violated'],
    ['Images must have alt text', '<img src=a.png alt="">', 'undecided'],
    ['Images must have alt text', '<img src=a.png alt="IMG_2034.jpg">', 'undecided'],
    ['Images must have alt text', '<p>no image</p>', 'undecided'],
    ['Images must have alt text', '<img src=a.png alt="Tea"><svg></svg>', 'undecided'],
    ['Images must have alt text', '<img hidden src=a.png>', 'undecided'],
    ['Images must have alt text', '<img src=a.png alt="{{ alt }}">', 'undecided'],
    // names
    ['All links must have discernible text', '<a href="/x">Home</a>', 'satisfied'],
    ['All links must have discernible text', '<a href="/x"></a>', 'violated'],
    ['All links must have discernible text', '<p>no link', 'undecided'],
    [
      'Every button must have an accessible name',
      '<button aria-label="Menu"></button>',
      'satisfied',
    ],
    ['Every button must have an accessible name', '<button></button>', 'violated'],
    ['Every button must have a visible label', '<button aria-label="Menu"></button>', 'undecided'],
    // labels
    ['Every form field must have a label', '<label>Name <input></label>', 'satisfied'],
    ['Every form field must have a label', '<input placeholder="Name">', 'violated'],
    ['Every form field must have a label', '<input aria-label="Name">', 'undecided'],
    // numbers of elements
    ['The page must not use tables', '<p>Tea', 'satisfied'],
    ['The page must not use tables', '<table><tr><td>Tea</table>', 'violated'],
    ['The page must not use tables', '<table role="presentation"><tr><td>Tea</table>', 'undecided'],
    ['The page must not use tables', '<table hidden><tr><td>Tea</table>', 'undecided'],
    ['The page must not use tables', '<div style="display: table">Tea</div>', 'undecided'],
    ['The page must not use tables', '<p>Tea<script>document.body.append(x)</script>', 'undecided'],
    [
      'The page must not use tables',
      '<p>Tea<script src="https://a.example/x.js"></script>',
      'undecided',
    ],
    ['The page must not use tables', '<template><table></table></template><p>Tea', 'undecided'],
    [
      'The form must not have a submit button',
      '<form><input><button>Send</button></form>',
      'violated',
    ],
    ['The form must not have a submit button', '<form><input></form>', 'satisfied'],
    ['The form must not have a submit button', '<p>no form', 'undecided'],
    [
      'The form must have a submit button',
      '<form><input><button type=submit>Go</button></form>',
      'satisfied',
    ],
    ['The form must have a submit button', '<form><input></form>', 'violated'],
    [
      'The form must have a submit button',
      '<form><input></form><button type=submit>Go</button>',
      'violated',
    ],
    [
      'The form must have a submit button',
      '<form><input><button type=submit hidden>Go</button></form>',
      'undecided',
    ],
    [
      'The form must have a submit button',
      '<form><input><a class="btn">Send</a></form>',
      'undecided',
    ],
    ['The page must have exactly one h1', '<h1>Tea</h1><h2>Green</h2>', 'satisfied'],
    ['The page must have exactly one h1', '<h1>Tea</h1><h1>Green</h1>', 'violated'],
    ['The page must have exactly one h1', '<h1>Tea</h1><h1></h1>', 'undecided'],
    ['The page must have at least three images', '<img src=a><img src=b>', 'violated'],
    ['The page must have at least three images', '<img src=a><img src=b><svg></svg>', 'undecided'],
    [
      'The page must have three images',
      '<img src=a><img src=b><img src=c><img src=d>',
      'undecided',
    ],
    ['The footer must contain a link', '<footer>Tea <a href="/">Home</a></footer>', 'satisfied'],
    ['The footer must contain a link', '<a href="/">Home</a><footer>Tea</footer>', 'violated'],
    ['The footer must not contain images', '<img src=a><p>no footer', 'undecided'],
    [
      'The page must have a heading "Opening hours"',
      '<h2>Opening <em>hours</em></h2>',
      'satisfied',
    ],
    ['The page must have a heading "Opening hours"', '<h2>Prices</h2>', 'violated'],
    ['The page must have a heading "Opening hours"', '<p>Opening hours</p>', 'undecided'],
    ['The page must have a heading "Opening hours"', '<h2>Opening Hours</h2>', 'undecided'],
    ['The page must have a heading "Opening hours"', '<h2>TODO: Opening hours</h2>', 'undecided'],
    ['The h1 must be "Tea"', '<h1>Tea</h1>', 'satisfied'],
    ['The h1 must be "Tea"', '<h1>Tea</h1><h1>Coffee</h1>', 'undecided'],
    ['The h1 must be "Milk"', '<h1>Coffee</h1>', 'violated'],
    ['The h1 must contain "Tea"', '<h1>Green Tea</h1>', 'satisfied'],
    ['The page must have fewer than 2 forms', '<form><input><input></form>', 'satisfied'],
    ['The page must have a nav', '<nav><a href="/">Home</a></nav>', 'satisfied'],
    ['The page must have a nav', '<ul class="menu"><li><a href="/">Home</a></ul>', 'undecided'],
    ['The page must have a nav', '<p>Tea', 'violated'],
    // texts
    ['The page must show "Opening hours"', '<p>Our <b>Opening</b> hours</p>', 'satisfied'],
    ['The page must show "Opening hours"', '<p>Opening\n  hours</p>', 'satisfied'],
    ['The page must show "Opening hours"', '<a href="#">Home</a>', 'violated'],
    ['The page must show "Opening hours"', '<!-- Opening hours --><p>Tea', 'violated'],
    [
      'The page must show "Opening hours"',
      '<p>Tea<script>let a = "Opening hours"</script>',
      'violated',
    ],
    ['The page must show "Opening hours"', '<p hidden>Opening hours</p><p>Tea', 'undecided'],
    ['The page must show "Opening hours"', '<p style="opacity:0">Opening hours</p>', 'undecided'],
    ['The page must show "Opening hours"', '<p class="sr-only">Opening hours</p>', 'undecided'],
    ['The page must show "Opening hours"', '<img src=a alt="Opening hours">', 'undecided'],
    ['The page must show "Opening hours"', '<p>opening hours</p>', 'undecided'],
    ['The page must show "Opening hours"', '<p>Opening hours will be added</p>', 'undecided'],
    ['The page must show "art"', '<p>Start</p>', 'undecided'],
    ['The page must not show "Opening hours"', '<p>Opening hours</p>', 'violated'],
    ['The page must not show "Opening hours"', '<p>Tea</p>', 'satisfied'],
    ['The page must not show "Opening hours"', '<!-- Opening hours --><p>Tea', 'undecided'],
    [
      'The page must not show "Opening hours"',
      '<p>Tea</p><iframe src="x.html"></iframe>',
      'undecided',
    ],
    // markup
    ['Do not use inline styles', '<p>Tea', 'satisfied'],
    ['Do not use inline styles', '<p style="color:red">Tea', 'violated'],
    ['Do not use inline styles', '<style>p { color: red }</style><p>Tea', 'undecided'],
    ['No inline scripts', '<p>Tea', 'satisfied'],
    ['No inline scripts', '<p>Tea<script>let a = 1</script>', 'violated'],
    ['No inline event handlers', '<p onclick="a()">Tea', 'violated'],
    ['Do not use JavaScript', '<p>Tea<script>let a = 1</script>', 'violated'],
    ['No duplicate ids', '<p id=a>Tea<p id=a>Tea', 'violated'],
    ['No duplicate ids', '<p id=a>Tea<p id=b>Tea', 'satisfied'],
    ['No skipped heading levels', '<h1>Tea</h1><h3>Green</h3>', 'violated'],
    ['No skipped heading levels', '<h1>Tea</h1><h2>Green</h2>', 'satisfied'],
    // title, language
    ['The page must have a title', '<p>Tea', 'satisfied'],
    ['The page title must be "Tea"', '<p>Tea', 'satisfied'],
    ['The page title must be "Coffee"', '<p>Tea', 'violated'],
    ['The page title must be "Coffee"', '<h1>Coffee</h1>', 'undecided'],
    ['The page must declare its language', '<p>Tea', 'satisfied'],
    ['The language of the page must be set to English', '<p>Tea', 'satisfied'],
    ['The language of the page must be set to German', '<p>Tea', 'violated'],
    ['The language of the page must be set to en-GB', '<p>Tea', 'undecided'],
    // compound
    [
      'Images must have alt text and the page must have a title',
      '<img src=a alt=Tea>',
      'satisfied',
    ],
    ['Images must have alt text and the page must have a title', '<img src=a>', 'violated'],
    ['Images must have alt text and the page must have a title', '<p>Tea', 'undecided'],
    // colours and sizes need a rendered page
    ['The heading must be blue', '<h1 style="color:blue">Tea</h1>', 'undecided'],
    ['The text must have a contrast of at least 4.5', '<p>Tea', 'undecided'],
  ])('%s: %s is %s [R2-029, R2-033, R2-035]', async (requirement, body, expected) => {
    expect(await verdict(requirement, page(body))).toBe(expected);
  });

  it('decides nothing without a page, on an empty page, and on one that cannot be read', async () => {
    const tables = 'The page must not use tables';
    const page = (content: string | undefined) => ({
      artifacts: [{ type: 'file', path: 'index.html', content }],
    });
    const unread = ['', ' \n', 'Granite is a rock.', '<div>'.repeat(1500), '<p>a<title>b'];
    for (const content of [undefined, ...unread])
      expect(await verdict(tables, page(content))).toBe('undecided');
    for (const output of [filesOf({ 'a.css': 'p{}' }), { artifacts: [] }])
      expect(await verdict(tables, output)).toBe('undecided');
  });

  it('takes "the page" for all pages if they agree, and "every page" one by one', async () => {
    const two = (second: string) =>
      filesOf({ 'a.html': pageWith('<h1>Tea</h1>'), 'b.html': pageWith(second) });
    expect(await verdict('The page must have a heading', two('<h2>Tea</h2>'))).toBe('satisfied');
    expect(await verdict('The page must have a form', two('<p>Tea'))).toBe('violated');
    expect(await verdict('The page must have an h1', two('<p>Tea'))).toBe('undecided');
    expect(await verdict('Every page must have an h1', two('<p>Tea'))).toBe('violated');
    expect(await verdict('The site must have an h1', two('<p>Tea'))).toBe('satisfied');
    expect(await verdict('No h1', two('<p>Tea'))).toBe('violated');
  });

  it('reads linked styles and scripts of the output', async () => {
    const site = (css: string, js: string) =>
      filesOf({
        'index.html': pageWith(
          '<p class="note">Opening hours</p><script src="a.js"></script>',
          '<title>Tea</title><link rel="stylesheet" href="./a.css">',
        ),
        'a.css': css,
        'a.js': js,
      });
    const shows = 'The page must show "Opening hours"';
    expect(await verdict(shows, site('.note { color: red }', 'let a = 1;'))).toBe('satisfied');
    const decided = (css: string, js = 'let a = 1;') => verdict(shows, site(css, js));
    expect(await decided('body .note { display: none }')).toBe('undecided');
    expect(await decided('@media print { .note { display: none } }')).toBe('satisfied');
    expect(await decided('', 'document.querySelector("p").remove();')).toBe('undecided');
  });

  it('names places that a person accepts', async () => {
    const shown = page('<p>Tea</p>\n<p>Our\nOpening hours</p>');
    const decision = await decide('The page must show "Opening hours"', shown);
    expect(decision?.evidence).toEqual([
      { file: 'index.html', line: 7, quote: 'Opening hours</p>', share: 1 },
    ]);
  });

  it('criteria of the same name decide the same', async () => {
    const decides = htmlCriteria().find(({ id }) => id === 'link-name')?.decides;
    const output = page('<a href="/x"></a>');
    const named = 'All links must have discernible text';
    expect(await decides?.(named, output, { previous: [] })).toMatchObject({ satisfied: false });
    expect(await decides?.('The page must have a title', output, { previous: [] })).toBeUndefined();
  });
});
