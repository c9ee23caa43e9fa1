import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedBy } from '@/blocks/criteria/deciders/asked.js';
import { requirementDeciders } from '@/blocks/criteria/deciders/requirement-deciders.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { criterion } from '@/blocks/reviewers/criterion.js';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import { type Artifacts, artifactsOf } from '@/core/artifact.js';
import { decide, filesOf, page, pageWith, verdict } from './decide.js';

const shop = '<h1>Tea</h1><p>Opening hours: 9 to 17</p>';
const hours = 'The page must contain the text "Opening hours"';

/** A sentence, the body of a page that keeps it, and one that breaks it. */
const sentences: readonly (readonly [sentence: string, kept: string, broken: string])[] = [
  [hours, shop, '<h1>Tea</h1>'],
  ['The page shows "Opening hours".', shop, '<h1>Tea</h1>'],
  ['Die Seite muss den Text „Opening hours“ enthalten.', shop, '<h1>Tea</h1>'],
  ['The page must not mention "coffee"', shop, '<p>We sell coffee.</p>'],
  ['The page does not contain "coffee"', shop, '<p>We sell coffee.</p>'],
  ['Die Seite darf das Wort „coffee“ nicht enthalten', shop, '<p>We sell coffee.</p>'],
  ['Every page must include the phrase "Opening hours"', shop, '<h1>Tea</h1>'],
  ['index.html must contain the exact text "Opening hours"', shop, '<h1>Tea</h1>'],
  ['The page must have exactly one h1', shop, '<h1>Tea</h1><h1>Cups</h1>'],
  ['The page must have exactly one `<main>` element', '<main><p>a</p></main>', shop],
  ['The page must have at least two images', '<img src=a><img src=b>', '<img src=a>'],
  ['The page must have a table', '<table><tr><td>Tea</table>', shop],
  ['The page must not use tables', shop, '<table><tr><td>Tea</table>'],
  ['Die Seite darf keine Tabellen enthalten', shop, '<table><tr><td>Tea</table>'],
  [
    'The page must have at most one form',
    '<form><p>a</form>',
    '<form><p>a</form><form><p>b</form>',
  ],
  ['The page must not have more than one table', shop, '<table><tr><td>a</table>'.repeat(2)],
  ['The page must have a heading "Prices"', '<h2>Prices</h2>', '<h2>Cups</h2>'],
  ['The page must have a button named "Send"', '<button>Send</button>', shop],
  ['There must be a button "Send"', '<button>Send</button>', shop],
  ['There must be exactly one h1', shop, '<h1>Tea</h1><h1>Cups</h1>'],
  ['The page must have at most 300 words', shop, `<p>${'tea '.repeat(301)}</p>`],
  ['Images must have alt text', '<img src=a.png alt="A cup of tea">', '<img src=a.png>'],
  ['Every image must have an alternative text', '<img src=a alt="Tea cups">', '<img src=a>'],
  ['Alle Bilder müssen einen Alternativtext haben', '<img src=a alt="Tea">', '<img src=a>'],
  ['All links must have discernible text', '<a href="/x">Home</a>', '<a href="/x"></a>'],
  ['Every button must have an accessible name', '<button>Menu</button>', '<button></button>'],
  ['Every form field must have a label', '<label>Name <input></label>', '<p>Name</p><input>'],
  ['Jedes Formularfeld muss ein Label haben', '<label>Name <input></label>', '<input>'],
];

describe('a sentence, a page that keeps it, and one that breaks it', () => {
  it.each(sentences)('%s [R2-029, R2-033]', async (sentence, kept, broken) => {
    expect(await verdict(sentence, page(kept))).toBe('satisfied');
    expect(await verdict(sentence, page(broken))).toBe('violated');
  });

  it.each([
    ['The page must have a title', '<title>Tea</title>', 'satisfied'],
    ['The page must have a title', '', 'violated'],
    ['The page title must be "Tea"', '<title>Tea</title>', 'satisfied'],
    ['The page title must be "Tea"', '<title>Cups</title>', 'violated'],
    ['The page title must be "Tea"', '<title>Green tea</title>', 'undecided'],
    ['Der Seitentitel muss "Tea" lauten', '<title>Tea</title>', 'satisfied'],
    ['The page must declare its language', '', 'satisfied'],
  ])('in the head of a page: %s, %s: %s', async (sentence, head, expected) => {
    expect(await verdict(sentence, page('<p>cups</p>', head))).toBe(expected);
  });

  it.each([
    ['Create docs/a.md', { 'docs/a.md': '# A' }, 'satisfied'],
    ['Create `a.md`.', { 'a.md': '# A' }, 'satisfied'],
    ['There must be a file named a.md', { 'a.md': '# A' }, 'satisfied'],
    ['Die Datei a.md muss vorhanden sein', { 'a.md': '# A' }, 'satisfied'],
    ['Create docs/a.md', { 'docs/b.md': '# A' }, 'violated'],
    ['a.md must exist', { 'docs/a.md': '# A' }, 'undecided'],
    ['a.md must exist', { 'a.md': ' \n' }, 'undecided'],
    ['config/.env must exist', { 'b.md': 'b' }, 'undecided'],
    ['Create Node.js', { 'b.md': 'b' }, 'undecided'],
    [
      'The document must mention "green tea"',
      { 'a.md': '# Tea\n\nI like **green tea**.' },
      'satisfied',
    ],
    ['The document must mention "green tea"', { 'a.md': '# Tea\n' }, 'violated'],
    [
      'The document must mention "green tea"',
      { 'a.md': '# Tea\n\nTODO: green tea\n' },
      'undecided',
    ],
    [
      'The document must mention "green tea"',
      { 'a.md': '# Tea\n\n- [ ] green tea\n' },
      'undecided',
    ],
    ['The document must mention "green tea"', { 'a.md': '<!-- green tea -->\n\nTea' }, 'undecided'],
    ['The document must mention "green tea"', { 'a.md': '~~green tea~~' }, 'undecided'],
    [
      'The document must mention "green tea"',
      { 'a.md': '[t]: /x "green tea"\n\nTea' },
      'undecided',
    ],
    ['The document must mention "green tea"', { 'a.rst': '.. green tea\n\nTea' }, 'undecided'],
    ['The document must not mention "green tea"', { 'a.md': 'gr&#101;en tea' }, 'undecided'],
    ['The document must not mention "black tea"', { 'a.txt': 'green tea' }, 'satisfied'],
    ['The text must be at most 12 words long', { 'a.md': 'green tea '.repeat(6) }, 'satisfied'],
    ['The text must be at most 8 words long', { 'a.md': 'green tea '.repeat(6) }, 'violated'],
    ['The text must not exceed 20 characters', { 'a.txt': 'green tea' }, 'satisfied'],
    ['The text must be at most 3 words long', { 'a.txt': '我们卖很多绿茶和杯子' }, 'undecided'],
    ['a.md must not be longer than 3 words', { 'a.md': '[a](b.md) c d' }, 'undecided'],
    ['Der Text muss mindestens 20 Wörter umfassen', { 'a.md': 'Tee\n' }, 'violated'],
    ['Der Text darf nicht länger als 9 Zeichen sein', { 'a.txt': 'Tee' }, 'satisfied'],
  ])('of a file: %s, %j: %s [R2-036]', async (sentence, files, expected) => {
    expect(await verdict(sentence, filesOf(files))).toBe(expected);
  });
});

describe('what a reader may not see shows nothing', () => {
  it.each([
    '<!-- Opening hours --><p>Tea</p>',
    '<p hidden>Opening hours</p>',
    '<p style="display:none">Opening hours</p>',
    '<p style="opacity:0">Opening hours</p>',
    '<p style="color:#fff">Opening hours</p>',
    '<p style="background:#000">Opening hours</p>',
    '<body bgcolor="black"><p>Opening hours</p>',
    '<style>.a { position: fixed; background: #fff }</style><p>Opening hours</p><p class="a">x</p>',
    '<p style="font-size:0.01em">Opening hours</p>',
    '<p style="unicode-bidi:bidi-override;direction:rtl">Opening hours</p>',
    '<p style="position:absolute;left:-999px">Opening hours</p>',
    '<div hidden><p>Opening hours</p></div>',
    '<style>.n { display: none }</style><p class="n">Opening hours</p>',
    '<link rel="stylesheet" href="https://a.example/a.css"><p>Opening hours</p>',
    '<details><p>Opening hours</p></details>',
    '<dialog><p>Opening hours</p></dialog>',
    '<template><p>Opening hours</p></template>',
    '<noscript><p>Opening hours</p></noscript>',
    '<script>let a = "Opening hours"</script>',
    '<p>Opening hours</p><script>document.body.remove()</script>',
    '<p>Opening hours</p><img src=x onerror="document.body.remove()">',
    '<img src=a alt="Opening hours">',
    '<select><option>Opening hours</select>',
    '<textarea>Opening hours</textarea>',
    '<p>{{ greeting }} Opening hours</p>',
    '<p>opening hours</p>',
    '<p>Opening hours will be added</p>',
    '<p>Opening <b>times and</b> hours</p>',
    '<p>Re<b>Opening hours</b></p>',
    '<p><del>Opening hours</del></p>',
    '<svg><text>Opening hours</text></svg>',
    '<meta http-equiv="refresh" content="0;url=/x"><p>Opening hours</p>',
  ])('%s [R2-035]', async (body) => {
    expect(await verdict(hours, page(body))).not.toBe('satisfied');
  });

  it.each([
    '<p>We sell cof<b>fee</b>.</p>',
    '<p>We sell cof&shy;fee.</p>',
    '<p>We sell &#99;offee.</p>',
    '<p title="coffee">Tea</p>',
    '<!-- coffee --><p>Tea</p>',
    '<p>Tea</p><img src="menu.png" alt="Menu">',
    '<p>Tea</p><iframe src="menu.html"></iframe>',
    '<style>p::after { content: "\\63 offee" }</style><p>Tea</p>',
    '<p>Tea</p><script src="a.js"></script>',
  ])('and is not absent: %s [R2-029]', async (body) => {
    expect(await verdict('The page must not mention "coffee"', page(body))).not.toBe('satisfied');
  });

  it.each([
    ['The page must not use tables', '<div style="display: table">Tea</div>'],
    ['The page must not use tables', '<div role="table">Tea</div>'],
    ['The page must not use tables', '<table hidden><tr><td>Tea</table>'],
    ['The page must have a table', '<table role="presentation"><tr><td>Tea</table>'],
    ['The page must have a link', '<a>Home</a>'],
    ['The page must have a link', '<a href="/x"></a>'],
    ['The page must have exactly one h1', '<h1>Tea</h1><h1></h1>'],
    ['The page must not have images', '<svg></svg>'],
    ['The page must not use tables', '<iframe src="a.html"></iframe>'],
    ['The page must have an image', '<img src=a width=1 height=1>'],
    ['The page must not have headings', '<b>Tea</b>'],
    ['Images must have alt text', '<img src=a.png alt="">'],
    ['Images must have alt text', '<img src=a.png alt="IMG_2034.jpg">'],
    ['Images must have alt text', '<img src=a.png alt="Tea"><svg></svg>'],
    ['Images must have alt text', '<p>no image</p>'],
    ['Every form field must have a label', '<input aria-label="Name">'],
    ['The page must have a heading "Tea"', '<h2>Green <b>x</b>Tea</h2>'],
    ['The page must have a heading "Tea"', '<p>Tea</p>'],
  ])('what somebody may call so is unclear: %s, %s', async (sentence, body) => {
    expect(await verdict(sentence, page(body))).toBe('undecided');
  });
});

/** Sentences that no form covers as a whole. */
const hostile = [
  'The heading must be blue',
  'The page must show the opening hours',
  'The page may contain the text "Opening hours"',
  'The page can show "Opening hours"',
  'The page might contain "Opening hours"',
  'The page must contain "Opening hours" and "Prices"',
  'The page must contain the text "Opening hours" or "Prices"',
  'The page must contain the text "Opening hours" in the footer',
  'The page must contain the text "Opening hours" twice',
  'The page must only contain the text "Opening hours"',
  'The page must not only contain the text "Opening hours"',
  'The page must contain the text "Opening hours" in bold',
  'The page must contain the text "Opening hours" unless the shop is closed',
  'The page must contain the text "Opening hours" (large)',
  'The page must contain the text "Opening hours", which must be blue',
  'The page must contain a link to "Opening hours"',
  'On a phone the page must contain the text "Opening hours"',
  'If the shop is open, the page must contain the text "Opening hours"',
  'It must contain the text "Opening hours"',
  'The page must contain the text "   "',
  'The page must contain the text "!"',
  'The footer must contain the text "Opening hours"',
  'Must the page contain the text "Opening hours"?',
  'The page must never fail to contain the text "Opening hours"',
  'The page need not contain the text "Opening hours"',
  'The page no longer has to contain the text "Opening hours"',
  'Die Seite darf den Text „Opening hours“ enthalten',
  'Die Seite muss den Text „Opening hours“ nicht enthalten',
  'Die Seite muss keine Tabelle enthalten',
  'Die Seite kann den Text „Opening hours“ enthalten',
  'Die Seite muss den Text „Opening hours“ im Fuß enthalten',
  'Die Seite muss nur den Text „Opening hours“ enthalten',
  'The page must have a large table',
  'The page must have a table of prices',
  'The page must have images',
  'The page must have three images',
  'The page must have a table or a list',
  'The page must not have tables and images',
  'The page may have at most one h1',
  'The page can have no more than one h1',
  'The page must have exactly one h1 above the table',
  'The text may be at most 300 words long',
  'The text must be about 300 words long',
  'The text must be at most 300 words long per page',
  'The text must be at most 300 words and two images long',
  'No more than 100 words',
  'All images except the logo must have alt text',
  'Images must have short alt text',
  'Images must have alt text and captions',
  'Images for decoration must have alt text',
  'Images may have alt text',
  'Images must not have alt text',
  'The image must have alt text',
  'All links must have discernible text in English',
  'The page must have a title that names the shop',
  'The page title should not be "Tea"',
  'The page title may be "Tea"',
  'Create docs/a.md and docs/b.md',
  'Create docs/a.md with a table of contents',
  'docs/a.md must exist before the release',
  'docs/a.md must not exist',
  'docs/a.md may exist',
  'Use docs/a.md',
  '',
  '"Opening hours"',
  'x'.repeat(5000),
];

describe('any other sentence is undecided', () => {
  it.each(hostile)('%s [R2-030]', async (sentence) => {
    expect(askedBy(sentence)).toBeUndefined();
    for (const body of [shop, '<img src=a alt="Tea"><h1>Tea</h1><table><tr><td>a</table>'])
      expect(await verdict(sentence, page(body))).toBe('undecided');
  });

  const clauses = [
    'if it is open',
    'unless it is closed',
    'except on Sundays',
    'and a map',
    'or a map',
    'but not in the footer',
    'when a guest asks',
    'on small screens',
    'in blue',
    'only',
    'twice',
    'wenn es offen ist',
    'außer am Sonntag',
    'und eine Karte',
    ', which is optional',
    '(later)',
    'may',
    'never',
  ];
  const known = [
    ...sentences.map(([sentence]) => sentence),
    'The page must have a title',
    'Create docs/a.md',
    'The text must be at most 300 words long',
  ];

  it('a clause before, behind or within a decided sentence leaves it undecided', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.constantFrom(...clauses),
        fc.nat(20),
        (sentence, clause, at) => {
          const words = sentence
            .replace(/\.$/, '')
            .split(/ (?=(?:[^"„“]*["„“][^"“]*["“])*[^"“]*$)/);
          words.splice(at % (words.length + 1), 0, clause);
          expect(askedBy(words.join(' '))).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('the quoted words are compared, and never read as a demand', async () => {
    const sentence = 'The page must contain the text "no tables, at most 3 words"';
    expect(await verdict(sentence, page('<p>no tables, at most 3 words</p>'))).toBe('satisfied');
    expect(await verdict(sentence, page('<p>Tea</p>'))).toBe('violated');
  });
});

describe('several files', () => {
  const two = (second: string) =>
    filesOf({ 'a.html': pageWith('<h1>Tea</h1>'), 'b.html': pageWith(second) });

  it('"the page" needs all pages to agree, and "every page" judges each', async () => {
    expect(await verdict('The page must have a heading "Tea"', two('<h2>Tea</h2>'))).toBe(
      'satisfied',
    );
    expect(await verdict('The page must have exactly one h1', two('<p>Tea'))).toBe('undecided');
    expect(await verdict('Every page must have exactly one h1', two('<p>Tea'))).toBe('violated');
    expect(await verdict('a.html must contain "Tea"', two('<p>Cups'))).toBe('satisfied');
  });

  it('which text is meant must be clear', async () => {
    const wants = 'The document must mention "green tea"';
    const tea = { 'a.md': 'green tea' };
    expect(await verdict(wants, filesOf({ ...tea, 'b.md': 'green tea' }))).toBe('undecided');
    expect(await verdict(wants, filesOf({ ...tea, 'index.html': pageWith('') }))).toBe('undecided');
    expect(await verdict('a.md must mention "green tea"', filesOf({ ...tea, 'b.md': 'b' }))).toBe(
      'satisfied',
    );
  });

  it('a plan beside the text proves nothing [R2-036]', async () => {
    const wants = 'The document must mention "green tea"';
    const plan = { 'plan.md': '# Plan\n\nWrite about green tea\n' };
    expect(await verdict(wants, filesOf({ ...plan, 'tea.md': '# Tea\n' }))).toBe('violated');
    expect(await verdict(wants, filesOf(plan))).toBe('undecided');
  });

  it('styles of the output are read', async () => {
    const site = (css: string) =>
      filesOf({
        'site/index.html': pageWith(shop, '<link rel="stylesheet" href="./a.css">'),
        'site/a.css': css,
      });
    expect(await verdict(hours, site('p { margin: 0 }'))).toBe('satisfied');
    expect(await verdict(hours, site('p { visibility: hidden }'))).toBe('undecided');
  });

  it('the evidence is the place that shows it', async () => {
    const decision = await decide(hours, page('<p>Tea</p>\n<p>Our Opening hours</p>'));
    const counted = await decide('The page must have a table', page('<table><tr><td>a</table>'));
    expect(counted?.evidence).toMatchObject([{ line: 5, quote: '<table>' }]);
    expect(decision?.evidence).toEqual([
      { file: 'index.html', line: 6, quote: '<p>Our Opening hours</p>', share: 1 },
    ]);
    const missing = await decide('Images must have alt text', page('<img src=a.png>'));
    expect(missing).toMatchObject({ reportedBy: 'image-name', evidence: [{ line: 5 }] });
  });
});

const silent = async (requirement: string) =>
  ({
    requirement,
    source: 'explicit',
    covered: true,
    coverageDetails: 'its words occur',
    confidence: 1,
  }) as const;

async function review(requirement: string, output: Artifacts) {
  const pipeline = definePipeline({
    produce: async () => output,
    reviewers: [
      requirementCoverage<Artifacts, unknown>({
        extractRequirements: async () => [requirement],
        checkRequirementCovered: silent,
        deciders: requirementDeciders(),
        words: 'hint',
      }),
    ],
    budget: { reviews: 1 },
  });
  const outcome = await pipeline.run('task');
  return { status: outcome.status, assessment: outcome.review?.assessments[0] };
}

describe('requirementDeciders in a pipeline', () => {
  it('a check that passes is the proof of the requirement [R2-033]', async () => {
    const link = page('<a href="/x">Home</a>');
    const { status, assessment } = await review('All links must have discernible text', link);
    expect(status).toBe('approved');
    expect(assessment).toMatchObject({ verdict: 'pass', coverage: { decidedBy: 'names' } });
  });

  it('a prohibition is violated by what it forbids [R2-029]', async () => {
    const { status, assessment } = await review(
      'The page must not mention "coffee"',
      page('<p>We sell coffee.</p>'),
    );
    expect(status).not.toBe('approved');
    expect(assessment).toMatchObject({
      verdict: 'fail',
      coverage: { evidenceLocation: 'index.html:5' },
    });
  });

  it('values and weak evidence stay open [R2-030, R2-035]', async () => {
    for (const requirement of [
      'The heading must be blue',
      'The order must be confirmed by e-mail',
      'The page must show the opening hours',
    ]) {
      const { status, assessment } = await review(
        requirement,
        page('<h1>Tea</h1><label>E-mail <input></label>'),
      );
      expect(status).not.toBe('approved');
      expect(assessment?.verdict).toBe('undecided');
    }
  });

  it('every decider has an id and a version of its own', () => {
    const deciders = requirementDeciders();
    expect(new Set(deciders.map(({ id }) => id)).size).toBe(deciders.length);
    expect(new Set(deciders.map(({ version }) => version)).size).toBe(deciders.length);
  });
});

describe('a criterion with `decides`', () => {
  const polite = criterion('polite', (text: string) => text.includes('please'), {
    decides: (requirement, text) =>
      requirement === 'Be polite'
        ? { satisfied: text.includes('please'), explanation: '' }
        : undefined,
  });

  it('decides for requirementCoverage', async () => {
    const pipeline = definePipeline({
      produce: async () => 'please sit',
      reviewers: [
        requirementCoverage<string, unknown>({
          extractRequirements: async () => ['Be polite'],
          checkRequirementCovered: silent,
          deciders: polite.decides === undefined ? [] : [{ ...polite, decides: polite.decides }],
          words: 'hint',
        }),
      ],
    });
    const { review: seen } = await pipeline.run('task');
    expect(seen?.assessments[0]).toMatchObject({
      verdict: 'pass',
      coverage: { decidedBy: 'polite' },
    });
  });

  it('has another version than without it, and refuses what is not a function', () => {
    const check = (text: string) => text !== '';
    const [one, other] = [
      criterion('a', check),
      criterion('a', check, { decides: () => undefined }),
    ];
    expect(one.version).not.toBe(other.version);
    expect('decides' in one).toBe(false);
    expect(() => criterion('a', check, { decides: 'yes' as never })).toThrow(/decides of a/);
  });

  it('an output without content is not decided', async () => {
    const blank = (content: string) => ({ artifacts: [{ type: 'file', path: 'a.html', content }] });
    for (const { decides } of requirementDeciders())
      expect(await decides('No tables', blank(' '), { previous: [] })).toBeUndefined();
    expect(artifactsOf(blank(pageWith('')))).toHaveLength(1);
  });
});
