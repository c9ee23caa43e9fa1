import { bad, type GateOutput, good, page } from './types.js';

/** Further outputs of tasks about sites and shops: close cases, by the id of the task. */
export const siteOutputs: Readonly<Record<string, readonly GateOutput[]>> = {
  'working-links': [
    bad('missing-place', {
      satisfied: [0, 2, 3],
      untold: [1],
      why: 'The link reaches the page, but not the place that it names.',
    })({
      'index.html': page('Lakeside choir')`
    <h1>Lakeside choir</h1>
    <p>See the <a href="dates.html#autumn">concerts in autumn</a>.</p>
`,
      'dates.html': page('Dates')`
    <h1 id="spring">Spring</h1>
    <p>12 May, town hall. <a href="./index.html">Start page</a></p>
`,
    }),
  ],
  'team-headings': [
    bad('other-case', {
      satisfied: [1, 2],
      untold: [0, 3],
      why: 'A capital letter differs, and the word is the name of a class that nobody reads.',
    })({
      'team.html': page('Our team')`
    <h1>Our Team</h1>
    <h2 class="ninja">Workshop</h2>
    <p>Ada repairs everything with wheels.</p>
    <h2>Office</h2>
    <p>Ben answers the phone.</p>
`,
    }),
  ],
  'plain-gallery': [
    bad('with-drawing', {
      satisfied: [1, 2, 3, 4],
      untold: [0],
      why: 'A small drawing may or may not count as the third picture.',
    })({
      'gallery.html': page('Dunes')`
    <h1>Dunes in March</h1>
    <img src="https://img.example.com/1.jpg" alt="A dune at sunrise" />
    <img src="https://img.example.com/2.jpg" alt="Grass in the wind" />
    <svg width="40" height="40" role="img" aria-label="Sun"><circle cx="20" cy="20" r="9" /></svg>
`,
    }),
  ],
  'landing-page': [
    bad('on-a-picture', {
      satisfied: [0, 1, 2, 4],
      untold: [3, 5],
      why: 'The contrast depends on the picture behind the text.',
    })({
      'index.html': `<!doctype html>
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
    }),
  ],
  'price-on-page': [
    good('entity', {
      satisfied: [0, 1, 2],
      why: 'A browser shows the price, the costs and a button, though the source is spelt otherwise.',
    })({
      'lamp.html': page('Desk lamp')`
    <h1>Desk lamp</h1>
    <p>&euro;49.00</p>
    <p>We send it to you for &euro;4.90.</p>
    <form action="/cart" method="post">
      <input type="submit" value="Add to cart" />
    </form>
`,
    }),
  ],
  'twelve-wishes': [
    bad('white-space', {
      violated: [0, 1, 2, 3, 4, 5, 6, 10, 11],
      untold: [7, 8, 9],
      why: 'There is no page.',
    })({ 'index.html': '\n\n    \n' }),
  ],
};
