import { type RenderedCase, rendered } from './rendered-case.js';

/** Pages and requirements that only show when the page is rendered. */
export const renderedPages: readonly RenderedCase[] = [
  // labelled before the code
  rendered(
    'bakery',
    `h1 { color: #0000cc } .note { color: #aaaaaa } footer { background: #222; color: #fff }`,
    `<header><h1>Miller Bakery</h1></header>
<main><p class="note">We bake every morning.</p><p>Bread, rolls and cakes.</p>
<button style="background: green; color: white">Order</button></main>
<footer>Open from 6 to 18</footer>`,
  )({
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
  }),
  rendered(
    'hidden-offer',
    `.offer { display: none } .code { visibility: hidden } .far { position: absolute; left: -9999px }
.faint { opacity: 0 } .same { color: #fff; background: #fff }`,
    `<h1>Offers</h1><p class="offer">Two for one</p><p class="code">Code SAVE10</p>
<p class="far">Ends on Sunday</p><p class="faint">Members only</p><p class="same">While stocks last</p>
<p>Free delivery</p>`,
  )({
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
  }),
  rendered(
    'two-columns',
    `body { margin: 0 } .row { display: flex } nav { width: 200px; background: #eee } main { flex: 1 }
@media (max-width: 600px) { .row { flex-direction: column } nav { width: auto } }`,
    `<header><h1>Manual</h1></header><div class="row"><nav><a href="#a">Start</a></nav>
<main><h2 id="a">Start</h2><p>Press the button for three seconds.</p><img alt="The button" width="200" height="100"
 src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/%3E"></main></div>
<footer>Version 2</footer>`,
  )({
    'The navigation must be to the left of the main content.': 'satisfied',
    'The navigation must be to the right of the main content.': 'violated',
    'The page must not scroll horizontally at 320 px.': 'satisfied',
    'The page must work on small screens without horizontal scrolling.': 'satisfied',
    'The footer must be below the main content.': 'satisfied',
    'The footer must come before the header.': 'violated',
    'The image must be above the footer.': 'satisfied',
    'All text must have sufficient contrast.': 'satisfied',
    'The manual must be complete.': 'untold',
  }),
  rendered(
    'wide-box',
    `.box { width: 700px; background: navy; color: white } h1 { color: crimson } a { color: #767676 }`,
    `<h1>Timetable</h1><div class="box">Trains run every ten minutes.</div>
<p>Read <a href="#x" id="x">more</a>.</p>`,
  )({
    'The page must not scroll horizontally on a 320 px wide screen.': 'violated',
    'There must be no horizontal scrolling at a width of 1280 px.': 'satisfied',
    'The heading must be red.': 'untold',
    'The heading must not be blue.': 'satisfied',
    'The text must have a contrast of at least 3:1.': 'satisfied',
    'The text must have a contrast ratio of at least 7:1.': 'violated',
    'Links must be underlined.': 'satisfied',
    'The page must load in under one second.': 'untold',
  }),
  rendered(
    'two-headings',
    `h1 { color: blue } h2 { color: green } .buy { background: #ffa500; color: #000; border: 0 }`,
    `<h1>Sailing club</h1><h2>Meetings</h2><p>Sundays at the pier.</p>
<button class="buy">Join</button> <button>Leave</button>`,
  )({
    'The heading must be blue.': 'untold',
    'The headings must be blue.': 'violated',
    'All headings must be blue.': 'violated',
    'The h1 must be blue.': 'satisfied',
    'The h2 must be green.': 'satisfied',
    'The "Join" button must be orange.': 'satisfied',
    'The "Join" button must be to the left of the "Leave" button.': 'satisfied',
    'The "Leave" button must come before the "Join" button.': 'violated',
  }),
  rendered(
    'gradient',
    `.hero { background: linear-gradient(#000, #fff); color: #fff; padding: 40px } .lead { color: #333 }
body { background: black } main { background: white }`,
    `<main><div class="hero"><p>One</p><p>Night tours of the harbour</p><p>Every evening at nine</p></div>
<p class="lead">Book at the pier.</p></main>`,
  )({
    'Text must have a contrast of at least 4.5:1.': 'violated',
    'The page must have a black background.': 'untold',
    'The text "Book at the pier." must be visible.': 'satisfied',
    'The text "Book at the pier." must be black.': 'untold',
    'The page must have exactly one button.': 'violated',
  }),
  rendered(
    'order-of-article',
    `.stack { display: flex; flex-direction: column-reverse }`,
    `<main><h1>Soup</h1><div class="stack"><p>Cook for an hour.</p><p>Cut the onions.</p></div>
<table><tr><th>Onions</th><td>3</td></tr></table>
<form><label>Your rating <input name="rating"></label> <button>Send</button></form></main>`,
  )({
    'The table must be above the form.': 'satisfied',
    'The form must be above the table.': 'violated',
    'The text "Cut the onions." must be above the text "Cook for an hour.".': 'satisfied',
    'The text "Cook for an hour." must come before the text "Cut the onions.".': 'untold',
    'The heading must be above the table.': 'satisfied',
    'The button must be below the form.': 'untold',
    'The input field must be visible.': 'satisfied',
  }),
  // further ones: parts out of sight, close colours, and parts that differ by the window
  rendered(
    'long-page',
    `.tall { height: 3000px } .buy { background: rgb(200, 0, 0); color: white }`,
    `<h1>Lamp</h1><button class="buy">Buy</button><div class="tall">Description</div>
<p>Shipping takes three days.</p>`,
  )({
    'The "Buy" button must be visible without scrolling.': 'satisfied',
    'The text "Shipping takes three days." must be visible without scrolling.': 'violated',
    'The text "Shipping takes three days." must be visible.': 'satisfied',
    'The "Buy" button must be red.': 'satisfied',
    'The "Sell" button must be red.': 'untold',
    'The "Buy" button must be above the text "Shipping takes three days.".': 'satisfied',
  }),
  rendered(
    'close-colours',
    `h1 { color: #00a0a0 } h2 { color: #800080 } .warn { background: #ffff00; color: #000 } .ok { color: #006400 }`,
    `<h1>Status</h1><h2>Today</h2><p class="warn">Delays on line 4</p><p class="ok">All lifts work</p>`,
  )({
    'The h1 must be green.': 'untold',
    'The h1 must be red.': 'violated',
    'The h2 must be purple.': 'satisfied',
    'The text "Delays on line 4" must have a yellow background.': 'satisfied',
    'The text "All lifts work" must be green.': 'satisfied',
    'The text "All lifts work" must be red.': 'violated',
    'The h2 must be #800080.': 'satisfied',
    'The h2 must be #ff00ff.': 'violated',
  }),
  rendered(
    'menu-on-phone',
    `.menu { display: none } @media (max-width: 500px) { .menu { display: inline-block } nav { display: none } }`,
    `<header><button class="menu">Menu</button><nav><a href="#t">Tours</a></nav></header>
<main><h1 id="t">Tours</h1><p>Daily.</p></main>`,
  )({
    'The navigation must be visible.': 'untold',
    'The "Menu" button must be visible.': 'untold',
    'The "Menu" button must be visible on small screens.': 'satisfied',
    'The navigation must be hidden at 320 px.': 'satisfied',
    'The text "Daily." must be visible.': 'satisfied',
    'The page must fit into a window of 320 px without horizontal scrolling.': 'satisfied',
  }),
  rendered(
    'scripted',
    `h1 { color: blue }`,
    `<h1>Weather</h1><p id="out">Loading</p><script>document.querySelector('h1').style.color = 'red';
document.getElementById('out').textContent = 'Sunny';</script>`,
  )({
    'The heading must be blue.': 'violated',
    'The heading must be red.': 'satisfied',
    'The text "Sunny" must be visible.': 'satisfied',
    'The text "Loading" must not be visible.': 'satisfied',
    'The page must show the current weather.': 'untold',
  }),
  rendered(
    'covered',
    `.cover { position: absolute; inset: 0; height: 120px; background: #fff } .clip { height: 0; overflow: hidden }
.tiny { font-size: 0 } main { padding-top: 140px }`,
    `<p>Behind the cover</p><div class="cover"></div><main><h1>Front</h1><p class="clip">Cut away</p>
<p class="tiny">Too small</p><details><summary>More</summary><p>Folded text</p></details></main>`,
  )({
    'The text "Behind the cover" must be visible.': 'violated',
    'The text "Cut away" must be visible.': 'violated',
    'The text "Too small" must be visible.': 'violated',
    'The text "Folded text" must be visible.': 'untold',
    'The heading must be visible.': 'satisfied',
  }),
  rendered(
    'card-list',
    `.cards { display: flex; flex-wrap: wrap; gap: 12px } .card { width: 280px; border: 1px solid #333; padding: 8px }
a.button { background: #0055aa; color: #fff; display: inline-block; padding: 8px } img { max-width: 100% }`,
    `<h1>Rooms</h1><div class="cards"><div class="card"><h2>Single</h2><a class="button" href="#s" id="s">Book single</a></div>
<div class="card"><h2>Double</h2><a class="button" href="#d" id="d">Book double</a></div></div>
<p>Breakfast is included in all rooms.</p>`,
  )({
    'The page must not scroll sideways at 320 px.': 'satisfied',
    'The "Book single" link must be blue.': 'untold',
    'The "Book single" link must have a blue background.': 'satisfied',
    'The "Book single" link must come before the "Book double" link.': 'satisfied',
    'All text must meet WCAG AA contrast.': 'satisfied',
    'The page must have a table.': 'violated',
    'The text "Breakfast is included in all rooms." must be below the heading "Rooms".':
      'satisfied',
    'The cards must look modern.': 'untold',
  }),
  // labelled after the code, before it saw them
  rendered(
    'missing-picture',
    `img { width: 300px; height: 200px } .tag { position: absolute; top: 300px; left: 40px }`,
    `<h1>Gallery</h1><img src="lake.jpg" alt="A lake"><span class="tag">New</span>
<form hidden><label>Mail <input type="email"></label></form>`,
  )({
    'The image must be visible.': 'untold',
    'The image must be below the heading.': 'satisfied',
    'The form must be visible.': 'violated',
    'The page must have a form.': 'untold',
    'The text "New" must be visible.': 'satisfied',
    'The text "Sold out" must not be visible.': 'satisfied',
    'The image must show a lake.': 'untold',
  }),
  rendered(
    'dark-theme',
    `:root { --text: #e6e6e6; --back: #101418 } body { background: var(--back); color: var(--text) }
h1 { color: rgb(0 200 83) } a { color: #8ab4f8 } .muted { color: rgba(255, 255, 255, .3) }
@media (prefers-color-scheme: light) { body { background: #101418 } }`,
    `<h1>Night desk</h1><p>All systems are up. <a href="#a" id="a">History</a></p><p class="muted">Checked hourly</p>`,
  )({
    'The heading must be green.': 'satisfied',
    'The heading must be white.': 'violated',
    'The text must have a contrast of at least 4.5 to 1.': 'violated',
    'The text must have a contrast of at least 2 to 1.': 'satisfied',
    'The page must have a dark background.': 'satisfied',
    'The page must have a light background.': 'violated',
    'The link must be above the heading.': 'violated',
    'The text "Checked hourly" must be visible.': 'satisfied',
  }),
  rendered(
    'sticky-cover',
    `header { position: fixed; inset: 0 0 auto 0; height: 60px; background: #004 } header a { color: #fff }
.banner { position: fixed; left: 0; right: 0; bottom: 0; height: 80px; background: #fff } body { margin: 0 }
main { padding: 80px 16px 120px }`,
    `<header><a href="#m">Home</a></header><main id="m"><h1>Terms</h1><p>Pay within a week.</p><button>Accept</button></main>
<div class="banner">We use cookies. <button>Fine</button></div>`,
  )({
    'The "Accept" button must be visible.': 'satisfied',
    'The header must be above the main content.': 'satisfied',
    'All buttons must be red.': 'violated',
    'The heading must be black.': 'satisfied',
    'The page must have exactly two buttons.': 'satisfied',
    'The page must have exactly one button.': 'violated',
    'The header must have a dark background.': 'satisfied',
    'The page must not scroll horizontally on mobile.': 'satisfied',
  }),
  rendered(
    'mixed-colours',
    `h1 { color: blue } h1 em { color: red } .cta { border: 2px solid green; color: green; background: transparent }
.cta:hover { background: green; color: white } .alert { color: #fff; background: #b00020; padding: 8px }`,
    `<h1>Big <em>Sale</em></h1><button class="cta">Shop</button><p class="alert">Ends tonight</p>
<table><tr><th style="color: #ff8c00">Size</th><td>M</td></tr></table>`,
  )({
    'The heading must be blue.': 'untold',
    'The heading must be green.': 'violated',
    'The button must be green.': 'untold',
    'The button must be blue.': 'violated',
    'The text "Ends tonight" must be white.': 'satisfied',
    'The text "Ends tonight" must have a red background.': 'untold',
    'The text "Ends tonight" must not have a blue background.': 'satisfied',
    'The text "Size" must be orange.': 'satisfied',
    'The table must be below the heading.': 'satisfied',
  }),
  rendered(
    'tabs-and-carousel',
    `.track { display: flex; width: 300px; overflow: hidden } .slide { flex: 0 0 300px } .tab { display: none }
#two:target { display: block } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }`,
    `<h1>Tour</h1><span class="sr">Opens in a new window</span><div class="track"><p class="slide">First stop</p><p class="slide">Second stop</p></div>
<a href="#two">Two</a><div class="tab" id="two">Second tab</div>`,
  )({
    'The text "First stop" must be visible.': 'satisfied',
    'The text "Second stop" must be visible.': 'untold',
    'The text "Second tab" must be visible.': 'untold',
    'The text "Opens in a new window" must be visible.': 'violated',
    'The text "Second tab" must be hidden.': 'untold',
    'The heading must be visible on small screens.': 'satisfied',
  }),
  rendered(
    'right-to-left-grid',
    `.grid { display: grid; grid-template-columns: 1fr 1fr; gap: 20px } .grid aside { order: -1 } 
@media (max-width: 700px) { .grid { display: block } }`,
    `<h1>News</h1><div class="grid"><main><p>Lead story</p></main><aside><p>Weather</p></aside></div>
<nav><a href="#x" id="x">Older</a></nav>`,
  )({
    'The sidebar must be to the left of the main content.': 'satisfied',
    'The sidebar must be to the right of the main content.': 'violated',
    'The main content must come before the sidebar.': 'untold',
    'The text "Lead story" must be above the text "Weather".': 'untold',
    'The navigation must be below the main content.': 'satisfied',
    'The navigation must be above the main content.': 'violated',
    'The main content must be visible.': 'satisfied',
  }),
  rendered(
    'cut-off',
    `body { overflow-x: hidden } .row { width: 900px } .line { width: 80px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }`,
    `<h1>Prices</h1><div class="row"><button style="margin-left: 700px">Pay now</button></div><p class="line">Delivery is free for all members of the club</p>`,
  )({
    'The page must not scroll horizontally at 320 px.': 'untold',
    'The page must not scroll horizontally at a width of 1280 px.': 'satisfied',
    'The "Pay now" button must be visible on small screens.': 'violated',
    'The text "Delivery is free for all members of the club" must be visible.': 'violated',
    'The heading must be visible.': 'satisfied',
  }),
  rendered(
    'generated-and-blended',
    `.price::before { content: "From 20 euros" } .ghost { opacity: .5; color: #000 } .old { filter: invert(1); color: #fff }
.up { text-transform: uppercase } .flip { background: #ffff00; color: #0000ff; mix-blend-mode: difference }`,
    `<h1 class="up">Boats</h1><p class="price"></p><p class="ghost">Half seen</p><p class="old">Turned</p><p class="flip">Blend</p>
<ol><li>Row</li><li>Sail</li></ol>`,
  )({
    'The text "From 20 euros" must be visible.': 'satisfied',
    'The text "From 20 euros" must not be visible.': 'violated',
    'The text "Turned" must be white.': 'violated',
    'The text "Blend" must be blue.': 'untold',
    'The text "Half seen" must be black.': 'untold',
    'The text "BOATS" must be visible.': 'satisfied',
    'The text "Row" must be above the text "Sail".': 'satisfied',
  }),
  rendered(
    'drawing-over-text',
    `.badge { position: relative } .badge svg { position: absolute; inset: 0; width: 100%; height: 100% } .zoom { transform: scale(0) }
.away { transform: translateX(-3000px) } .behind { position: relative; z-index: -1 } body { background: #fff } section { background: #eee }`,
    `<h1>Map</h1><p class="badge">North pier<svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true"><rect width="10" height="10" fill="#333"/></svg></p>
<p class="zoom">Shrunk</p><p class="away">Moved</p><section><p class="behind">Underneath</p></section>
<button disabled>Wait</button><select><option>Small boat</option><option>Large boat</option></select>`,
  )({
    'The text "North pier" must be visible.': 'violated',
    'The text "Shrunk" must be visible.': 'violated',
    'The text "Moved" must be visible.': 'violated',
    'The text "Underneath" must be visible.': 'violated',
    'The text "Large boat" must be visible.': 'untold',
    'The button must be below the heading.': 'satisfied',
    'The page must have at least one button.': 'satisfied',
  }),
  // a second set that was labelled after the code, with other kinds of pages
  rendered(
    'price-table',
    `table { border-collapse: collapse; width: 100% } th { background: #003366; color: #fff } .best { background: #fff3cd }
.sale { color: #d00000; text-decoration: line-through } .new { color: #008000; font-weight: bold } .wrap { overflow-x: auto }`,
    `<header><h1>Plans</h1></header><main><div class="wrap"><table><tr><th>Plan</th><th>Price</th></tr>
<tr class="best"><td>Team</td><td><span class="sale">20</span> <span class="new">15 euros</span></td></tr></table></div>
<form><label for="c">Code</label> <input id="c" placeholder="SPRING"> <input type="submit" value="Redeem"></form></main>
<footer><p style="color: #999; background: #fff">Prices include tax</p></footer>`,
  )({
    'The text "15 euros" must be green.': 'satisfied',
    'The text "15 euros" must be red.': 'violated',
    'The "Redeem" button must be below the table.': 'satisfied',
    'The table must be below the form.': 'violated',
    'The text "SPRING" must not be visible.': 'violated',
    'The text "Prices include tax" must be visible.': 'satisfied',
    'All text must have a contrast of at least 4.5 to 1.': 'violated',
    'The page must have at least two tables.': 'violated',
    'The page must not scroll horizontally at 320 px.': 'satisfied',
    'The text "20 15 euros" must be visible.': 'satisfied',
    'The table must be easy to understand.': 'untold',
  }),
  rendered(
    'hero-with-layers',
    `.hero { position: relative; height: 240px; background: #222 } .hero::after { content: ""; position: absolute; inset: 0; background: #222 }
.hero h1 { color: #fff } .over { position: relative; z-index: 2; color: #fff } nav a { color: #0a58ca }
.veil { position: fixed; inset: 0; background: rgba(0, 0, 0, .0); pointer-events: none }`,
    `<nav><a href="#a">Rooms</a> <a href="#b">Contact</a></nav><div class="hero"><h1>Hotel Seaview</h1><p class="over">Open all year</p></div>
<main><h2 id="a">Rooms</h2><p>Forty rooms by the sea.</p><h2 id="b">Contact</h2><p>Write to us.</p></main><div class="veil"></div>`,
  )({
    'The text "Hotel Seaview" must be visible.': 'violated',
    'The text "Open all year" must be visible.': 'satisfied',
    'The h1 must be visible.': 'violated',
    'The links must be blue.': 'satisfied',
    'All links must be red.': 'violated',
    'The navigation must be above the main content.': 'satisfied',
    'The navigation must be below the main content.': 'violated',
    'The page must have exactly three headings.': 'untold',
    'The page must have at least one image.': 'violated',
    'The text "Forty rooms by the sea." must be visible without scrolling.': 'satisfied',
  }),
  rendered(
    'settings',
    `.switch input { opacity: 0; position: absolute } .on { background: #0d6efd; color: #fff; border: none } .off { background: #6c757d; color: #fff }
.note { font-size: 11px; color: #495057 } .toast { position: fixed; bottom: 8px; right: 8px; background: #198754; color: #fff; padding: 8px }`,
    `<main><h1>Settings</h1><p class="note">Changes are saved at once.</p><label class="switch"><input type="checkbox"> Sound</label>
<p><button class="on">Save</button> <button class="off">Cancel</button></p><details open><summary>Advanced</summary><p>Reset all</p></details></main>
<div class="toast" role="status">Saved</div>`,
  )({
    'The "Save" button must be blue.': 'satisfied',
    'The "Cancel" button must be gray.': 'satisfied',
    'The "Cancel" button must be red.': 'violated',
    'The "Save" button must be to the right of the "Cancel" button.': 'violated',
    'The text "Reset all" must be visible.': 'satisfied',
    'The text "Saved" must have a green background.': 'satisfied',
    'The text "Reset all" must be hidden.': 'violated',
    'The buttons must be blue.': 'violated',
    'The input field must be visible.': 'untold',
    'All text must have sufficient contrast.': 'satisfied',
    'The page must look professional.': 'untold',
  }),
];
