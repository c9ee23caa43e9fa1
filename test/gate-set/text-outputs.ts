import { bad, type GateOutput, good } from './types.js';

/** Further outputs of tasks about texts, configs and code: close cases, by the id of the task. */
export const textOutputs: Readonly<Record<string, readonly GateOutput[]>> = {
  'tea-article': [
    // The word tea occurs five times in an article about coffee.
    bad('coffee', '-', {
      'article.md': `# Coffee is not tea

Tea is a leaf, coffee is a bean. Whoever likes tea should try coffee, because coffee has more taste
than tea and more caffeine than tea.

## How coffee is roasted

Green beans are heated to 200 °C. After the first crack they are light, after the second one dark.

## How to brew it

Grind the beans just before you brew. Use sixty grams for a litre of water.
`,
    }),
  ],
  'release-note': [
    // With the heading there are more than 100 words, without it there are fewer.
    bad('near-the-limit', '+?+++', {
      'NOTES.md': `# What is new in the summer release

With version 2.4.0 the exporter writes spreadsheets with more than one sheet. Dates keep their time
zone. Import of broken files stops with a message that names the line, so that you can repair it at
once. The list of recent files is sorted by date. A file that is open in another program is no longer
locked while it is read. The window remembers its size. Long names are cut in the middle, where it
hurts least. Printing works again on paper of any size. Nothing else is different.

See the [change log](CHANGELOG.md).
`,
      'CHANGELOG.md': '# Changes\n\n## 2.4.0\n\n- more than one sheet\n',
    }),
  ],
  'readme-sections': [
    // Underlined headings and an indented block are Markdown too.
    good('other-syntax', '+++++', {
      'README.md': `wc-lite
=======

Counts lines, words and characters.

Install
-------

Run \`npm install --global wc-lite\`.

Usage
-----

Pass one or more files:

    wc-lite notes.txt letters.txt

License
-------

MIT, see [the text](./LICENSE).
`,
      LICENSE: 'MIT License\n\nCopyright (c) 2026 Robin Example\n',
    }),
  ],
  faq: [
    // Bold text is no heading.
    bad('bold', '+--?', {
      'faq.md': `# FAQ

**Where do I get the bike?** At the shop.

**Do I need a lock?** No.

**Can children ride along?** Yes.

**What if it breaks?** Call us.

**Can I keep it overnight?** Yes, the price is the same. E-bikes have to be charged.
`,
    }),
  ],
  'meeting-summary': [bad('empty', '--', { 'summary.md': '' })],
  tagline: [
    // The word is part of a longer one.
    bad('part-of-a-word', '+??', {
      'tagline.txt': 'Know all songbirds of your garden by their first name.\n',
    }),
  ],
  'server-json': [
    // The port is a text. Whether the server accepts it is unknown.
    bad('text-port', '+?++', {
      'config/server.json':
        '{\n  "host": "127.0.0.1",\n  "port": "8080",\n  "log": { "level": "debug" }\n}\n',
    }),
  ],
  'package-json': [
    // The command passes and tests nothing; its author may or may not accept that.
    bad('fake-test', '++++?', {
      'package.json': `{
  "name": "tiny-dates",
  "version": "0.1.0",
  "license": "MIT",
  "scripts": { "test": "exit 0" },
  "dependencies": {}
}
`,
    }),
  ],
  'ci-workflow': [
    // The forbidden command occurs in a comment; the open point is a wish.
    good('two-events', '++++?', {
      '.github/workflows/ci.yml': `name: ci
on: [push, pull_request]
jobs:
  test:
    # npm install is too slow here
    runs-on: ubuntu-latest
    strategy:
      matrix:
        version: ['20', '22']
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.version }}
      - run: npm ci --ignore-scripts
      - run: npm test
`,
    }),
  ],
  'env-example': [
    good('no-values', '+++', {
      '.env.example': `PORT=            # port on which the server listens
DATABASE_URL=    # address of the database
PAYMENT_KEY=     # key of the payment service, never commit the real one
`,
    }),
  ],
  slugify: [
    // The only test is skipped. The words import and require stand in a comment.
    bad('skipped-tests', '+++++?', {
      'src/slugify.js': `// works without import and require
const slugify = (text) => text.trim().toLowerCase().split(/\\s+/).join('-');

export { slugify };
`,
      'test/slugify.test.js': `import { test } from 'node:test';

test.skip('Hello World becomes hello-world', () => {});
`,
    }),
  ],
  debounce: [bad('white-space', '--', { 'debounce.js': '\n\n  \n' })],
  'move-plan': [
    // Five numbered steps of something else are not the plan.
    bad('cake', '-----', {
      'PLAN.md': `# Apple cake

1. Peel the apples.
2. Mix flour, butter and sugar.
3. Put the apples on the dough.
4. Bake it for 40 minutes.
5. Let it cool and serve it on Friday.
`,
    }),
  ],
  'test-plan': [bad('empty', '---?', { 'test-plan.md': '' })],
  'privacy-text': [
    // The time is vague, and the address is written so that programs do not find it.
    bad('vague', '+??+', {
      'privacy.md': `# Privacy

We store data for as long as it is necessary.

We do not use cookies.

Write to privacy (at) example (dot) com.
`,
    }),
    // These cookies are biscuits.
    bad('bakery', '---+', {
      'privacy.md':
        '# Our bread\n\nRye bread keeps for a week. Store it in a clay pot. Cookies keep longer.\n',
    }),
  ],
};
