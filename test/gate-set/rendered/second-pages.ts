import { page, type RenderedCase } from './rendered-case.js';

/** Further pages: parts out of sight, close colours, and parts that differ by the window. */
export const secondPages: readonly RenderedCase[] = [
  {
    name: 'long-page',
    content: page(
      `.tall { height: 3000px } .buy { background: rgb(200, 0, 0); color: white }`,
      `<h1>Lamp</h1><button class="buy">Buy</button><div class="tall">Description</div>
<p>Shipping takes three days.</p>`,
    ),
    labels: {
      'The "Buy" button must be visible without scrolling.': 'satisfied',
      'The text "Shipping takes three days." must be visible without scrolling.': 'violated',
      'The text "Shipping takes three days." must be visible.': 'satisfied',
      'The "Buy" button must be red.': 'satisfied',
      'The "Sell" button must be red.': 'untold',
      'The "Buy" button must be above the text "Shipping takes three days.".': 'satisfied',
    },
  },
  {
    name: 'close-colours',
    content: page(
      `h1 { color: #00a0a0 } h2 { color: #800080 } .warn { background: #ffff00; color: #000 } .ok { color: #006400 }`,
      `<h1>Status</h1><h2>Today</h2><p class="warn">Delays on line 4</p><p class="ok">All lifts work</p>`,
    ),
    labels: {
      'The h1 must be green.': 'untold',
      'The h1 must be red.': 'violated',
      'The h2 must be purple.': 'satisfied',
      'The text "Delays on line 4" must have a yellow background.': 'satisfied',
      'The text "All lifts work" must be green.': 'satisfied',
      'The text "All lifts work" must be red.': 'violated',
      'The h2 must be #800080.': 'satisfied',
      'The h2 must be #ff00ff.': 'violated',
    },
  },
  {
    name: 'menu-on-phone',
    content: page(
      `.menu { display: none } @media (max-width: 500px) { .menu { display: inline-block } nav { display: none } }`,
      `<header><button class="menu">Menu</button><nav><a href="#t">Tours</a></nav></header>
<main><h1 id="t">Tours</h1><p>Daily.</p></main>`,
    ),
    labels: {
      'The navigation must be visible.': 'untold',
      'The "Menu" button must be visible.': 'untold',
      'The "Menu" button must be visible on small screens.': 'satisfied',
      'The navigation must be hidden at 320 px.': 'satisfied',
      'The text "Daily." must be visible.': 'satisfied',
      'The page must fit into a window of 320 px without horizontal scrolling.': 'satisfied',
    },
  },
  {
    name: 'scripted',
    content: page(
      `h1 { color: blue }`,
      `<h1>Weather</h1><p id="out">Loading</p><script>document.querySelector('h1').style.color = 'red';
document.getElementById('out').textContent = 'Sunny';</script>`,
    ),
    labels: {
      'The heading must be blue.': 'violated',
      'The heading must be red.': 'satisfied',
      'The text "Sunny" must be visible.': 'satisfied',
      'The text "Loading" must not be visible.': 'satisfied',
      'The page must show the current weather.': 'untold',
    },
  },
  {
    name: 'covered',
    content: page(
      `.cover { position: absolute; inset: 0; height: 120px; background: #fff } .clip { height: 0; overflow: hidden }
.tiny { font-size: 0 } main { padding-top: 140px }`,
      `<p>Behind the cover</p><div class="cover"></div><main><h1>Front</h1><p class="clip">Cut away</p>
<p class="tiny">Too small</p><details><summary>More</summary><p>Folded text</p></details></main>`,
    ),
    labels: {
      'The text "Behind the cover" must be visible.': 'violated',
      'The text "Cut away" must be visible.': 'violated',
      'The text "Too small" must be visible.': 'violated',
      'The text "Folded text" must be visible.': 'untold',
      'The heading must be visible.': 'satisfied',
    },
  },
  {
    name: 'card-list',
    content: page(
      `.cards { display: flex; flex-wrap: wrap; gap: 12px } .card { width: 280px; border: 1px solid #333; padding: 8px }
a.button { background: #0055aa; color: #fff; display: inline-block; padding: 8px } img { max-width: 100% }`,
      `<h1>Rooms</h1><div class="cards"><div class="card"><h2>Single</h2><a class="button" href="#s" id="s">Book single</a></div>
<div class="card"><h2>Double</h2><a class="button" href="#d" id="d">Book double</a></div></div>
<p>Breakfast is included in all rooms.</p>`,
    ),
    labels: {
      'The page must not scroll sideways at 320 px.': 'satisfied',
      'The "Book single" link must be blue.': 'untold',
      'The "Book single" link must have a blue background.': 'satisfied',
      'The "Book single" link must come before the "Book double" link.': 'satisfied',
      'All text must meet WCAG AA contrast.': 'satisfied',
      'The page must have a table.': 'violated',
      'The text "Breakfast is included in all rooms." must be below the heading "Rooms".':
        'satisfied',
      'The cards must look modern.': 'untold',
    },
  },
];
