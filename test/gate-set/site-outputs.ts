import type { GateOutput } from './types.js';

/** Further outputs of tasks about sites and shops: close cases, by the id of the task. */
export const siteOutputs: Readonly<Record<string, readonly GateOutput[]>> = {
  'working-links': [
    {
      name: 'missing-place',
      files: [
        {
          path: 'index.html',
          content: `<!doctype html>
<html lang="en">
  <head><title>Lakeside choir</title></head>
  <body>
    <h1>Lakeside choir</h1>
    <p>See the <a href="dates.html#autumn">concerts in autumn</a>.</p>
  </body>
</html>
`,
        },
        {
          path: 'dates.html',
          content: `<!doctype html>
<html lang="en">
  <head><title>Dates</title></head>
  <body>
    <h1 id="spring">Spring</h1>
    <p>12 May, town hall. <a href="./index.html">Start page</a></p>
  </body>
</html>
`,
        },
      ],
      truth: { 0: 'satisfied', 1: 'untold', 2: 'satisfied', 3: 'satisfied' },
      approvable: false,
      why: 'The link reaches the page, but not the place that it names.',
    },
  ],
  'team-headings': [
    {
      name: 'other-case',
      files: [
        {
          path: 'team.html',
          content: `<!doctype html>
<html lang="en">
  <head><title>Our team</title></head>
  <body>
    <h1>Our Team</h1>
    <h2 class="ninja">Workshop</h2>
    <p>Ada repairs everything with wheels.</p>
    <h2>Office</h2>
    <p>Ben answers the phone.</p>
  </body>
</html>
`,
        },
      ],
      truth: { 0: 'untold', 1: 'satisfied', 2: 'satisfied', 3: 'untold' },
      approvable: false,
      why: 'A capital letter differs, and the word is the name of a class that nobody reads.',
    },
  ],
  'plain-gallery': [
    {
      name: 'with-drawing',
      files: [
        {
          path: 'gallery.html',
          content: `<!doctype html>
<html lang="en">
  <head><title>Dunes</title></head>
  <body>
    <h1>Dunes in March</h1>
    <img src="https://img.example.com/1.jpg" alt="A dune at sunrise" />
    <img src="https://img.example.com/2.jpg" alt="Grass in the wind" />
    <svg width="40" height="40" role="img" aria-label="Sun"><circle cx="20" cy="20" r="9" /></svg>
  </body>
</html>
`,
        },
      ],
      truth: { 0: 'untold', 1: 'satisfied', 2: 'satisfied', 3: 'satisfied', 4: 'satisfied' },
      approvable: false,
      why: 'A small drawing may or may not count as the third picture.',
    },
  ],
  'landing-page': [
    {
      name: 'on-a-picture',
      files: [
        {
          path: 'index.html',
          content: `<!doctype html>
<html lang="en">
  <head>
    <title>TimeTree</title>
    <style>
      body { color: white; background: url(https://img.example.com/family.jpg); }
    </style>
  </head>
  <body>
    <h1>Plan the week with your family</h1>
    <h2>Three good reasons</h2>
    <p>One calendar for everybody. Reminders on each phone. Works without a network.</p>
    <a href="https://app.example.com/trial">Start free trial</a>
  </body>
</html>
`,
        },
      ],
      truth: {
        0: 'satisfied',
        1: 'satisfied',
        2: 'satisfied',
        3: 'untold',
        4: 'satisfied',
        5: 'untold',
      },
      approvable: false,
      why: 'The contrast depends on the picture behind the text.',
    },
  ],
  'price-on-page': [
    {
      name: 'entity',
      files: [
        {
          path: 'lamp.html',
          content: `<!doctype html>
<html lang="en">
  <head><title>Desk lamp</title></head>
  <body>
    <h1>Desk lamp</h1>
    <p>&euro;49.00</p>
    <p>We send it to you for &euro;4.90.</p>
    <form action="/cart" method="post">
      <input type="submit" value="Add to cart" />
    </form>
  </body>
</html>
`,
        },
      ],
      truth: { 0: 'satisfied', 1: 'satisfied', 2: 'satisfied' },
      approvable: true,
      why: 'A browser shows the price, the costs and a button, though the source is spelt otherwise.',
    },
  ],
  'twelve-wishes': [
    {
      name: 'white-space',
      files: [{ path: 'index.html', content: '\n\n    \n' }],
      truth: {
        0: 'violated',
        1: 'violated',
        2: 'violated',
        3: 'violated',
        4: 'violated',
        5: 'violated',
        6: 'violated',
        7: 'untold',
        8: 'untold',
        9: 'untold',
        10: 'violated',
        11: 'violated',
      },
      approvable: false,
      why: 'There is no page.',
    },
  ],
};
