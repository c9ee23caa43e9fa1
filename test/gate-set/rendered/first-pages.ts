import { page, type RenderedCase } from './rendered-case.js';

/** Pages and requirements that only show when the page is rendered, labelled before the code. */
export const firstPages: readonly RenderedCase[] = [
  {
    name: 'bakery',
    content: page(
      `h1 { color: #0000cc } .note { color: #aaaaaa } footer { background: #222; color: #fff }`,
      `<header><h1>Miller Bakery</h1></header>
<main><p class="note">We bake every morning.</p><p>Bread, rolls and cakes.</p>
<button style="background: green; color: white">Order</button></main>
<footer>Open from 6 to 18</footer>`,
    ),
    labels: {
      'The heading must be blue.': 'satisfied',
      'The heading must be red.': 'violated',
      'The button must be green.': 'satisfied',
      'The button must be blue.': 'violated',
      'All text must have a contrast of at least 4.5 to 1.': 'violated',
      'The footer must have a dark background.': 'satisfied',
      'The footer text must be white.': 'satisfied',
      'The text "We bake every morning." must be visible.': 'satisfied',
      'The heading must be above the button.': 'satisfied',
      'The page should feel warm and welcoming.': 'untold',
    },
  },
  {
    name: 'hidden-offer',
    content: page(
      `.offer { display: none } .code { visibility: hidden } .far { position: absolute; left: -9999px }
.faint { opacity: 0 } .same { color: #fff; background: #fff }`,
      `<h1>Offers</h1><p class="offer">Two for one</p><p class="code">Code SAVE10</p>
<p class="far">Ends on Sunday</p><p class="faint">Members only</p><p class="same">While stocks last</p>
<p>Free delivery</p>`,
    ),
    labels: {
      'The text "Two for one" must be visible.': 'violated',
      'The text "Two for one" must not be visible.': 'satisfied',
      'The page must show the text "Code SAVE10".': 'violated',
      'The page must show the text "Free delivery".': 'satisfied',
      'The text "Free delivery" must be hidden.': 'violated',
      'The text "Ends on Sunday" must be visible.': 'violated',
      'The text "Members only" must be visible.': 'violated',
      'The text "While stocks last" must be visible.': 'violated',
      'The page must have a heading.': 'satisfied',
      'The offer must be convincing.': 'untold',
    },
  },
  {
    name: 'two-columns',
    content: page(
      `body { margin: 0 } .row { display: flex } nav { width: 200px; background: #eee } main { flex: 1 }
@media (max-width: 600px) { .row { flex-direction: column } nav { width: auto } }`,
      `<header><h1>Manual</h1></header><div class="row"><nav><a href="#a">Start</a></nav>
<main><h2 id="a">Start</h2><p>Press the button for three seconds.</p><img alt="The button" width="200" height="100"
 src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/%3E"></main></div>
<footer>Version 2</footer>`,
    ),
    labels: {
      'The navigation must be to the left of the main content.': 'satisfied',
      'The navigation must be to the right of the main content.': 'violated',
      'The page must not scroll horizontally at 320 px.': 'satisfied',
      'The page must work on small screens without horizontal scrolling.': 'satisfied',
      'The footer must be below the main content.': 'satisfied',
      'The footer must come before the header.': 'violated',
      'The image must be above the footer.': 'satisfied',
      'All text must have sufficient contrast.': 'satisfied',
      'The manual must be complete.': 'untold',
    },
  },
  {
    name: 'wide-box',
    content: page(
      `.box { width: 700px; background: navy; color: white } h1 { color: crimson } a { color: #767676 }`,
      `<h1>Timetable</h1><div class="box">Trains run every ten minutes.</div>
<p>Read <a href="#x" id="x">more</a>.</p>`,
    ),
    labels: {
      'The page must not scroll horizontally on a 320 px wide screen.': 'violated',
      'There must be no horizontal scrolling at a width of 1280 px.': 'satisfied',
      'The heading must be red.': 'untold',
      'The heading must not be blue.': 'satisfied',
      'The text must have a contrast of at least 3:1.': 'satisfied',
      'The text must have a contrast ratio of at least 7:1.': 'violated',
      'Links must be underlined.': 'satisfied',
      'The page must load in under one second.': 'untold',
    },
  },
  {
    name: 'two-headings',
    content: page(
      `h1 { color: blue } h2 { color: green } .buy { background: #ffa500; color: #000; border: 0 }`,
      `<h1>Sailing club</h1><h2>Meetings</h2><p>Sundays at the pier.</p>
<button class="buy">Join</button> <button>Leave</button>`,
    ),
    labels: {
      'The heading must be blue.': 'untold',
      'The headings must be blue.': 'violated',
      'All headings must be blue.': 'violated',
      'The h1 must be blue.': 'satisfied',
      'The h2 must be green.': 'satisfied',
      'The "Join" button must be orange.': 'satisfied',
      'The "Join" button must be to the left of the "Leave" button.': 'satisfied',
      'The "Leave" button must come before the "Join" button.': 'violated',
    },
  },
  {
    name: 'gradient',
    content: page(
      `.hero { background: linear-gradient(#000, #fff); color: #fff; padding: 40px } .lead { color: #333 }
body { background: black } main { background: white }`,
      `<main><div class="hero"><p>One</p><p>Night tours of the harbour</p><p>Every evening at nine</p></div>
<p class="lead">Book at the pier.</p></main>`,
    ),
    labels: {
      'Text must have a contrast of at least 4.5:1.': 'violated',
      'The page must have a black background.': 'untold',
      'The text "Book at the pier." must be visible.': 'satisfied',
      'The text "Book at the pier." must be black.': 'untold',
      'The page must have exactly one button.': 'violated',
    },
  },
  {
    name: 'order-of-article',
    content: page(
      `.stack { display: flex; flex-direction: column-reverse }`,
      `<main><h1>Soup</h1><div class="stack"><p>Cook for an hour.</p><p>Cut the onions.</p></div>
<table><tr><th>Onions</th><td>3</td></tr></table>
<form><label>Your rating <input name="rating"></label> <button>Send</button></form></main>`,
    ),
    labels: {
      'The table must be above the form.': 'satisfied',
      'The form must be above the table.': 'violated',
      'The text "Cut the onions." must be above the text "Cook for an hour.".': 'satisfied',
      'The text "Cook for an hour." must come before the text "Cut the onions.".': 'untold',
      'The heading must be above the table.': 'satisfied',
      'The button must be below the form.': 'untold',
      'The input field must be visible.': 'satisfied',
    },
  },
];
