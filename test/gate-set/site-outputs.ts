import { bad, type GateOutput, good, page } from './types.js';

/** Further outputs of tasks about sites and shops: close cases, by the id of the task. */
export const siteOutputs: Readonly<Record<string, readonly GateOutput[]>> = {
  'working-links': [
    // The link reaches the page, but not the place that it names.
    bad('missing-place', '+?++', {
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
    // A capital letter differs, and the word is the name of a class that nobody reads.
    bad('other-case', '?++?', {
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
    // A small drawing may or may not count as the third picture.
    bad('with-drawing', '?++++', {
      'gallery.html': page('Dunes')`
    <h1>Dunes in March</h1>
    <img src="https://img.example.com/1.jpg" alt="A dune at sunrise" />
    <img src="https://img.example.com/2.jpg" alt="Grass in the wind" />
    <svg width="40" height="40" role="img" aria-label="Sun"><circle cx="20" cy="20" r="9" /></svg>
`,
    }),
  ],
  'landing-page': [
    // The contrast depends on the picture behind the text.
    bad('on-a-picture', '+++?+?', {
      'index.html': page(
        'TimeTree',
        '<style>',
        '  body { color: white; background: url(https://img.example.com/family.jpg); }',
        '</style>',
      )`
    <h1>Plan the week with your family</h1>
    <h2>Three good reasons</h2>
    <p>One calendar for everybody. Reminders on each phone. Works without a network.</p>
    <a href="https://app.example.com/trial">Start free trial</a>
`,
    }),
  ],
  'price-on-page': [
    // A browser shows the price, the costs and a button, though the source is spelt otherwise.
    good('entity', '+++', {
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
    // There is no page.
    bad('white-space', '-------???--', { 'index.html': '\n\n    \n' }),
  ],
};
