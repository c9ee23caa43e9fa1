import { bad, type GateTask, good, page } from './types.js';

/** Tasks about links, headings and what a page may or may not contain. */
export const htmlLinks: readonly GateTask[] = [
  {
    id: 'working-links',
    areas: ['checkable', 'scope', 'polarity'],
    task: `Small site for the choir, two pages: index.html and dates.html.

* all links to other pages of the site must work
* no link may be called "click here"
* all links except the ones in the footer open in the same tab
`,
    requirements: [
      { text: 'Small site for the choir, two pages: index.html and dates.html.' },
      { text: 'all links to other pages of the site must work' },
      { text: 'no link may be called "click here"' },
      { text: 'all links except the ones in the footer open in the same tab' },
    ],
    outputs: [
      good('both-pages', '++++', {
        'index.html': page('Lakeside choir')`
    <h1>Lakeside choir</h1>
    <p>We sing every Tuesday. See the <a href="dates.html">dates of our concerts</a>.</p>
    <footer><a href="https://choirs.example.org" target="_blank">Choir association</a></footer>
`,
        'dates.html': page('Dates')`
    <h1>Dates</h1>
    <p>12 May, town hall</p>
    <p><a href="index.html">Back to the start page</a></p>
`,
      }),
      bad('one-page', '----', {
        'index.html': page('Lakeside choir')`
    <h1>Lakeside choir</h1>
    <p>For our concerts <a href="dates.html">Click here</a>.</p>
    <p><a href="https://map.example.org" target="_blank">Way to the town hall</a></p>
`,
      }),
      // One address lacks a letter. The words "click here" occur outside of links.
      bad('misspelt', '+-++', {
        'index.html': page('Lakeside choir')`
    <h1>Lakeside choir</h1>
    <p>Do not click here and there: the <a href="date.html">dates</a> are on one page.</p>
`,
        'dates.html': page('Dates')`
    <h1>Dates</h1>
    <p>12 May, town hall. <a href="index.html">Start page</a></p>
`,
      }),
    ],
  },
  {
    id: 'team-headings',
    areas: ['checkable', 'quantity', 'scope', 'trap'],
    task: 'Team page for our website. The first heading must be "Our team". Use exactly two h2 headings. Dont skip heading levels. Never use the word "ninja".',
    requirements: [
      { text: 'The first heading must be "Our team".' },
      { text: 'Use exactly two h2 headings.' },
      { text: 'Dont skip heading levels.' },
      { text: 'Never use the word "ninja".' },
    ],
    outputs: [
      good('good', '++++', {
        'team.html': page('Our team')`
    <h1>Our team</h1>
    <h2>Workshop</h2>
    <p>Ada repairs everything with wheels.</p>
    <h3>Apprentices</h3>
    <p>Carl started in May.</p>
    <h2>Office</h2>
    <p>Ben answers the phone.</p>
`,
      }),
      bad('wrong-order', '----', {
        'team.html': page('Our team')`
    <h1>Welcome</h1>
    <h2>Our team</h2>
    <h2>Workshop</h2>
    <p>Ada is our repair ninja.</p>
    <h4>Apprentices</h4>
    <h2>Office</h2>
    <p>Ben answers the phone.</p>
`,
      }),
      // The second h2 is inside a comment.
      bad('comment', '+-++', {
        'team.html': page('People')`
    <h1>Our team</h1>
    <h2>Workshop</h2>
    <p>Ada repairs everything with wheels.</p>
    <!-- <h2>Office</h2> Ben answers the phone. -->
`,
      }),
    ],
  },
  {
    id: 'plain-gallery',
    areas: ['checkable', 'quantity', 'polarity'],
    task: `photo gallery, one page
- at least three pictures
- each picture has alt text
- only one h1
- no javascript
- avoid external style sheets
`,
    requirements: [
      { text: 'at least three pictures' },
      { text: 'each picture has alt text' },
      { text: 'only one h1' },
      { text: 'no javascript' },
      { text: 'avoid external style sheets', strength: 'should' },
    ],
    outputs: [
      good('four', '+++++', {
        'gallery.html': page('Dunes', '<style>img { max-width: 100%; }</style>')`
    <h1>Dunes in March</h1>
    <img src="https://img.example.com/1.jpg" alt="A dune at sunrise" />
    <img src="https://img.example.com/2.jpg" alt="Grass in the wind" />
    <img src="https://img.example.com/3.jpg" alt="A path to the beach" />
    <img src="https://img.example.com/4.jpg" alt="Gulls above the water" />
`,
      }),
      // An onclick attribute is JavaScript.
      bad('two-and-script', '-+---', {
        'gallery.html': page(
          'Dunes',
          '<link rel="stylesheet" href="https://cdn.example.com/gallery.css" />',
        )`
    <h1>Dunes in March</h1>
    <img src="https://img.example.com/1.jpg" alt="A dune at sunrise" />
    <img src="https://img.example.com/2.jpg" alt="Grass in the wind" />
    <a href="#top" onclick="next()">Next</a>
    <h1>More</h1>
`,
      }),
      // A script makes the pictures, so the file alone contains none; it sets no alt text.
      bad('made-by-script', '?-+-+', {
        'gallery.html': page('Dunes')`
    <h1>Dunes in March</h1>
    <div id="pictures"></div>
    <script>
      for (const name of ['sunrise', 'grass', 'path']) {
        const image = new Image();
        image.src = 'https://img.example.com/' + name + '.jpg';
        document.getElementById('pictures').append(image);
      }
    </script>
`,
      }),
    ],
  },
];
