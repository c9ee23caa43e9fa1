import { bad, type GateTask, good, page } from './types.js';

/** The first rows of the table that motivated the set: four tasks that were approved wrongly. */
export const firstTable: readonly GateTask[] = [
  {
    id: 'tea-article',
    areas: ['off-topic', 'meaning'],
    task: 'Write an article about tea.',
    requirements: [{ text: 'Write an article about tea.' }],
    outputs: [
      // The text is about something else.
      bad('granite', '-', {
        'article.md': 'Granite is a rock.\n',
      }),
      good('tea', '+', {
        'article.md': `# A short history of the cup

Tea comes from one plant, *Camellia sinensis*. Green, white, oolong and black tea differ in what
happens to the leaf after it has been picked.

## From leaf to cup

Green tea is heated soon after picking, so that the leaf stays green. Black tea is rolled and left
to oxidise, which turns it dark and gives it a stronger taste. Oolong lies between the two.

## How to brew it

Water for green tea should be about 75 °C. Black tea stands boiling water. Two to four minutes are
enough for most leaves, and longer steeping makes the drink bitter.

## Why people drink it

Tea contains caffeine, though less than coffee. In many countries it is a reason to sit down
together, which may be the better half of its effect.
`,
      }),
      // The text announces the article and is none.
      bad('announcement', '-', {
        'article.md': '# Tea\n\nThis article about tea will be written next week.\n',
      }),
    ],
  },
  {
    id: 'home-page',
    areas: ['empty', 'meaning'],
    task: 'Build the home page',
    requirements: [{ text: 'Build the home page' }],
    outputs: [
      // The file is empty.
      bad('empty', '-', { 'index.html': '' }),
      // The file contains white space only.
      bad('white-space', '-', {
        'index.html': '\n   \n\t\n\n',
      }),
      // Nobody knows from the task whose home page it is and what belongs on it.
      bad('page', '?', {
        'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Miller Bakery</title>
  </head>
  <body>
    <header>
      <h1>Miller Bakery</h1>
      <nav><a href="#bread">Our bread</a></nav>
    </header>
    <main id="bread">
      <h2>Our bread</h2>
      <p>We bake rye, spelt and wheat bread every morning from five o'clock.</p>
    </main>
  </body>
</html>
`,
      }),
    ],
  },
  {
    id: 'no-submit',
    areas: ['polarity', 'checkable', 'trap'],
    task: 'The form must not have a submit button',
    requirements: [{ text: 'The form must not have a submit button' }],
    outputs: [
      bad('with-button', '-', {
        'search.html': page('Search')`
    <h1>Search</h1>
    <form action="/search">
      <label for="q">Search for</label>
      <input id="q" name="q" />
      <button type="submit">Submit</button>
    </form>
`,
      }),
      good('no-button', '+', {
        'search.html': page('Search')`
    <h1>Search</h1>
    <form action="/search">
      <label for="q">Search for</label>
      <input id="q" name="q" type="search" />
    </form>
`,
      }),
      // A button without a type submits its form.
      bad('untyped-button', '-', {
        'search.html': page('Search')`
    <form action="/search">
      <label for="q">Search for</label>
      <input id="q" name="q" />
      <button>Go</button>
    </form>
`,
      }),
      // The page has no form, so nobody can say anything about the form.
      bad('no-form', '?', {
        'search.html': page('Search')`
    <h1>Search</h1>
    <p>The search is being rebuilt.</p>
`,
      }),
    ],
  },
  {
    id: 'blue-heading',
    areas: ['meaning'],
    task: 'The heading must be blue',
    requirements: [{ text: 'The heading must be blue' }],
    outputs: [
      // The colour comes from a style sheet that is not part of the output.
      bad('outer-style', '?', {
        'index.html': page(
          'Sailing club',
          '<link rel="stylesheet" href="https://cdn.example.com/club.css" />',
        )`
    <h1>Sailing club</h1>
    <p>The sea is blue, and so is our flag.</p>
`,
      }),
      good('blue', '+', {
        'index.html': page('Sailing club', '<style>', '  h1 { color: #0033cc; }', '</style>')`
    <h1>Sailing club</h1>
    <p>We meet on Sundays at the pier.</p>
`,
      }),
      // The words say blue, the style says red.
      bad('red', '-', {
        'index.html': page('Blue heading')`
    <h1 class="blue" style="color: red">Blue heading</h1>
    <p>We meet on Sundays at the pier.</p>
`,
      }),
    ],
  },
];
