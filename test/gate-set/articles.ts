import { bad, type GateTask, good } from './types.js';

/** Tasks about Markdown texts: length, sections and exact words. */
export const articles: readonly GateTask[] = [
  {
    id: 'release-note',
    areas: ['checkable', 'quantity', 'polarity'],
    task: 'Write the release note for version 2.4.0 in NOTES.md. No more than 100 words. It must contain the text "version 2.4.0". No TODOs left. It links to CHANGELOG.md.',
    requirements: [
      { text: 'Write the release note for version 2.4.0 in NOTES.md.' },
      { text: 'No more than 100 words.' },
      { text: 'It must contain the text "version 2.4.0".' },
      { text: 'No TODOs left.' },
      { text: 'It links to CHANGELOG.md.' },
    ],
    outputs: [
      good('short', '+++++', {
        'NOTES.md': `# What is new

With version 2.4.0 the exporter writes spreadsheets with more than one sheet. Dates keep their time
zone. Import of broken files stops with a message that names the line.

Nothing that worked before works differently. See the [change log](CHANGELOG.md) for the details.
`,
        'CHANGELOG.md': '# Changes\n\n## 2.4.0\n\n- more than one sheet\n',
      }),
      // The change log is mentioned, and no link leads to it.
      bad('long', '+----', {
        'NOTES.md': `# What is new in 2.4.0

We are very happy to announce that after many months of hard work the whole team has finished the
long awaited next release of our exporter, which so many of you have asked for in the forum, in
mails and at our stand at the fair in spring, where we had the chance to talk to a lot of you.

The exporter now writes spreadsheets with more than one sheet, which was by far the most wanted
feature of the last years. Dates keep their time zone. Import of broken files stops with a message
that names the line, so that you can repair it in your own editor of choice.

TODO: add the paragraph about licences here.

See the change log for everything else, and let us know in the forum what you think about it. We are
looking forward to all of your comments, as always, and wish you a lot of fun with this release.
`,
      }),
      // The note is in a file with another name.
      bad('other-name', '-++++', {
        'release.md': `# What is new

In version 2.4.0 the exporter writes spreadsheets with more than one sheet.
See the [change log](CHANGELOG.md).
`,
        'CHANGELOG.md': '# Changes\n\n## 2.4.0\n\n- more than one sheet\n',
      }),
    ],
  },
  {
    id: 'readme-sections',
    areas: ['checkable', 'trap', 'scope'],
    task: `I need a README.md for my little command line tool "wc-lite".

Sections: Install, Usage, License. In Usage show at least one code block. Relative links must not be broken. Do not use badges.
`,
    requirements: [
      { text: 'I need a README.md for my little command line tool "wc-lite".' },
      { text: 'Sections: Install, Usage, License.' },
      { text: 'In Usage show at least one code block.' },
      { text: 'Relative links must not be broken.' },
      { text: 'Do not use badges.' },
    ],
    outputs: [
      good('complete', '+++++', {
        'README.md': `# wc-lite

Counts lines, words and characters of text files.

## Install

Run \`npm install --global wc-lite\`.

## Usage

\`\`\`sh
wc-lite notes.txt
\`\`\`

It prints three numbers and the name of the file.

## License

MIT, see [LICENSE](LICENSE).
`,
        LICENSE: 'MIT License\n\nCopyright (c) 2026 Robin Example\n',
      }),
      // The only code block is in Install, and no licence file was handed in.
      bad('block-elsewhere', '++---', {
        'README.md': `# wc-lite

[![build](https://ci.example.com/wc-lite.svg)](https://ci.example.com/wc-lite)

## Install

\`\`\`sh
npm install --global wc-lite
\`\`\`

## Usage

Call it with the name of a file. There is a code block above.

## License

MIT, see [LICENSE](LICENSE).
`,
      }),
      // The sections are named in a sentence. There is no link to judge.
      bad('sections-in-prose', '+--?+', {
        'README.md': `# wc-lite

This README has the sections Install, Usage and License.

To install, run npm. To use it, pass a file. The license is MIT.
`,
      }),
    ],
  },
  {
    id: 'bread-blog',
    areas: ['quantity', 'meaning', 'polarity', 'off-topic'],
    task: 'Please write a blog post on sourdough bread for beginners, one or more sub headings, friendly tone, minimum 120 words, no exclamation marks and without the word "simply".',
    requirements: [
      {
        text: 'Please write a blog post on sourdough bread for beginners, one or more sub headings, friendly tone, minimum 120 words, no exclamation marks and without the word "simply".',
      },
    ],
    outputs: [
      // All that can be counted is right; whether the tone is friendly is a matter of taste.
      bad('friendly', '?', {
        'post.md': `# Your first sourdough loaf

So you want to bake with wild yeast. Good news: flour, water, salt and some patience are all that you
need, and if the first loaf comes out flat, it still tastes better than most bread from a bag.

## The starter

Mix fifty grams of rye flour with fifty grams of warm water and leave the jar open on the counter.
Feed it the same amount every day. After five days it smells like apples and doubles in a few hours.
That is your starter, and it will stay with you for years.

## The dough

Stir a hundred grams of starter into three hundred grams of water, add half a kilo of bread flour and
ten grams of salt. Fold the dough every half hour, four times, then let it rest overnight in the
fridge.

## The oven

Heat a heavy pot as hot as your oven gets, drop the dough in, close the lid and bake for twenty five
minutes. Take the lid off for another twenty. Let it cool before you cut it, even if that is hard.
`,
      }),
      bad('shouting', '-', {
        'post.md': `# Sourdough!

It is easy! Simply mix flour and water!

## Bake it

Then put it into the oven.
`,
      }),
      bad('other-subject', '-', {
        'post.md': `# Which car insurance do you need

Third party insurance pays for what you do to others. Comprehensive insurance pays for your own car
as well.

## What it costs

The price depends on where you live, how far you drive and how long you have driven without a claim.
New drivers pay most. Ask for a quote from at least three companies before you sign, and read what
they leave out. Hail, martens and theft abroad are often extra.

## When to change

Most contracts end in December and need a month of notice. Put a date into your calendar for the end
of October, compare the offers then, and keep the letter that confirms your notice. A company may
raise its price after an accident; in that case you can leave at once. Good luck with it, and drive
with care on wet leaves.
`,
      }),
    ],
  },
];
