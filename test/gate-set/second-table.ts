import { bad, type GateTask, good, page } from './types.js';

const shopRequirements = [
  'The page shows the name of the shop as a heading.',
  'The page lists at least three products.',
  'Each product has a price in euros.',
  'Each product has a picture with alt text.',
  'The address of the shop is in the footer.',
  'The phone number can be clicked.',
  'There is a link to the privacy page.',
  'The page is in English.',
  'The page must not use pop-ups.',
  'The page loads in less than one second.',
  'The tone is warm and personal.',
  'Visitors can order without an account.',
];

/** The last rows of the table that motivated the set: four more tasks that were judged wrongly. */
export const secondTable: readonly GateTask[] = [
  {
    id: 'images-alt',
    areas: ['checkable', 'scope'],
    task: 'Images must have alt text',
    requirements: [{ text: 'Images must have alt text' }],
    outputs: [
      good('all', '+', {
        'team.html': page('Team')`
    <h1>Team</h1>
    <img src="https://img.example.com/ada.jpg" alt="Ada at her desk" />
    <img src="https://img.example.com/ben.jpg" alt="Ben with a bicycle" />
`,
      }),
      // The second image has no alt text, whatever the paragraph says.
      bad('one-missing', '-', {
        'team.html': page('Team: images with alt text')`
    <h1>Team</h1>
    <p>All images have alt text.</p>
    <img src="https://img.example.com/ada.jpg" alt="Ada at her desk" />
    <img src="https://img.example.com/ben.jpg" />
`,
      }),
      // There is no image, and the task expects some.
      bad('no-images', '?', {
        'team.html': page('Team')`
    <h1>Team</h1>
    <p>Ada runs the workshop. Ben repairs the bicycles.</p>
`,
      }),
    ],
  },
  {
    id: 'no-tables',
    areas: ['polarity', 'checkable', 'trap'],
    task: 'The page must not use tables',
    requirements: [{ text: 'The page must not use tables' }],
    outputs: [
      // The tables of the restaurant are furniture.
      good('none', '+', {
        'menu.html': page('Menu')`
    <h1>Menu</h1>
    <p>Reserve a table by phone. Our tables seat up to six guests.</p>
    <ul>
      <li>Soup of the day, 6 euros</li>
      <li>Lentil stew, 11 euros</li>
    </ul>
`,
      }),
      bad('table', '-', {
        'menu.html': page('Menu')`
    <h1>Menu</h1>
    <table>
      <tr><th>Dish</th><th>Price</th></tr>
      <tr><td>Soup of the day</td><td>6 euros</td></tr>
    </table>
`,
      }),
    ],
  },
  {
    id: 'opening-hours',
    areas: ['trap', 'meaning'],
    task: 'The page must show the opening hours',
    requirements: [{ text: 'The page must show the opening hours' }],
    outputs: [
      bad('home-link', '-', {
        'index.html': page('Book corner')`
    <nav><a href="#top">Home</a></nav>
    <h1 id="top">Book corner</h1>
    <p>New and used books.</p>
`,
      }),
      good('hours', '+', {
        'index.html': page('Book corner')`
    <h1>Book corner</h1>
    <h2>Opening hours</h2>
    <ul>
      <li>Monday to Friday: 9:00 to 18:30</li>
      <li>Saturday: 10:00 to 14:00</li>
      <li>Sunday: closed</li>
    </ul>
`,
      }),
      // A visitor learns nothing about the hours: they are in a comment only.
      bad('heading-only', '-', {
        'index.html': page(
          'Book corner: opening hours',
          '<meta name="description" content="The opening hours of the book corner" />',
        )`
    <h1>Book corner</h1>
    <h2>Opening hours</h2>
    <!-- Mon-Fri 9:00 to 18:30 -->
    <p>We will show the opening hours here soon.</p>
`,
      }),
    ],
  },
  {
    id: 'twelve-wishes',
    areas: ['meaning', 'quantity', 'scope', 'empty'],
    task: `We need a page for our shop:\n\n${shopRequirements.map((text) => `- ${text}`).join('\n')}\n`,
    requirements: shopRequirements.map((text) => ({ text })),
    outputs: [
      // There are no products, so their prices and pictures are missing as well.
      bad('some-page', '-------++??-', {
        'index.html': page('Welcome')`
    <h1>Welcome</h1>
    <p>This is a page.</p>
`,
      }),
      // Nobody measured how fast the page loads.
      bad('shop-page', '+++++++++?++', {
        'index.html': page("Nora's Jam")`
    <h1>Nora's Jam</h1>
    <p>Hello, I am Nora. I cook every glass myself, and I am glad that you are here.</p>
    <ul>
      <li><img src="https://img.example.com/plum.jpg" alt="A glass of plum jam" /> Plum, €4.50</li>
      <li><img src="https://img.example.com/fig.jpg" alt="A glass of fig jam" /> Fig, €5.20</li>
      <li><img src="https://img.example.com/pear.jpg" alt="A glass of pear jam" /> Pear, €4.80</li>
    </ul>
    <p>Call me to order: <a href="tel:+35315550123">+353 1 555 0123</a>. No account needed.</p>
    <footer>
      <p>Nora's Jam, 4 Mill Lane, Galway</p>
      <a href="privacy.html">Privacy</a>
    </footer>
`,
        'privacy.html':
          '<!doctype html>\n<html lang="en">\n<head><title>Privacy</title></head>\n<body><h1>Privacy</h1><p>This site stores nothing about you.</p></body>\n</html>\n',
      }),
    ],
  },
];
