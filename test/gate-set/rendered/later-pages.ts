import { page, type RenderedCase } from './rendered-case.js';

/** Pages and requirements that were labelled after the code, before it saw them. */
export const laterPages: readonly RenderedCase[] = [
  {
    name: 'missing-picture',
    content: page(
      `img { width: 300px; height: 200px } .tag { position: absolute; top: 300px; left: 40px }`,
      `<h1>Gallery</h1><img src="lake.jpg" alt="A lake"><span class="tag">New</span>
<form hidden><label>Mail <input type="email"></label></form>`,
    ),
    labels: {
      'The image must be visible.': 'untold',
      'The image must be below the heading.': 'satisfied',
      'The form must be visible.': 'violated',
      'The page must have a form.': 'untold',
      'The text "New" must be visible.': 'satisfied',
      'The text "Sold out" must not be visible.': 'satisfied',
      'The image must show a lake.': 'untold',
    },
  },
  {
    name: 'dark-theme',
    content: page(
      `:root { --text: #e6e6e6; --back: #101418 } body { background: var(--back); color: var(--text) }
h1 { color: rgb(0 200 83) } a { color: #8ab4f8 } .muted { color: rgba(255, 255, 255, .3) }
@media (prefers-color-scheme: light) { body { background: #101418 } }`,
      `<h1>Night desk</h1><p>All systems are up. <a href="#a" id="a">History</a></p><p class="muted">Checked hourly</p>`,
    ),
    labels: {
      'The heading must be green.': 'satisfied',
      'The heading must be white.': 'violated',
      'The text must have a contrast of at least 4.5 to 1.': 'violated',
      'The text must have a contrast of at least 2 to 1.': 'satisfied',
      'The page must have a dark background.': 'satisfied',
      'The page must have a light background.': 'violated',
      'The link must be above the heading.': 'violated',
      'The text "Checked hourly" must be visible.': 'satisfied',
    },
  },
  {
    name: 'sticky-cover',
    content: page(
      `header { position: fixed; inset: 0 0 auto 0; height: 60px; background: #004 } header a { color: #fff }
.banner { position: fixed; left: 0; right: 0; bottom: 0; height: 80px; background: #fff } body { margin: 0 }
main { padding: 80px 16px 120px }`,
      `<header><a href="#m">Home</a></header><main id="m"><h1>Terms</h1><p>Pay within a week.</p><button>Accept</button></main>
<div class="banner">We use cookies. <button>Fine</button></div>`,
    ),
    labels: {
      'The "Accept" button must be visible.': 'satisfied',
      'The header must be above the main content.': 'satisfied',
      'All buttons must be red.': 'violated',
      'The heading must be black.': 'satisfied',
      'The page must have exactly two buttons.': 'satisfied',
      'The page must have exactly one button.': 'violated',
      'The header must have a dark background.': 'satisfied',
      'The page must not scroll horizontally on mobile.': 'satisfied',
    },
  },
  {
    name: 'mixed-colours',
    content: page(
      `h1 { color: blue } h1 em { color: red } .cta { border: 2px solid green; color: green; background: transparent }
.cta:hover { background: green; color: white } .alert { color: #fff; background: #b00020; padding: 8px }`,
      `<h1>Big <em>Sale</em></h1><button class="cta">Shop</button><p class="alert">Ends tonight</p>
<table><tr><th style="color: #ff8c00">Size</th><td>M</td></tr></table>`,
    ),
    labels: {
      'The heading must be blue.': 'untold',
      'The heading must be green.': 'violated',
      'The button must be green.': 'untold',
      'The button must be blue.': 'violated',
      'The text "Ends tonight" must be white.': 'satisfied',
      'The text "Ends tonight" must have a red background.': 'untold',
      'The text "Ends tonight" must not have a blue background.': 'satisfied',
      'The text "Size" must be orange.': 'satisfied',
      'The table must be below the heading.': 'satisfied',
    },
  },
  {
    name: 'tabs-and-carousel',
    content: page(
      `.track { display: flex; width: 300px; overflow: hidden } .slide { flex: 0 0 300px } .tab { display: none }
#two:target { display: block } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }`,
      `<h1>Tour</h1><span class="sr">Opens in a new window</span><div class="track"><p class="slide">First stop</p><p class="slide">Second stop</p></div>
<a href="#two">Two</a><div class="tab" id="two">Second tab</div>`,
    ),
    labels: {
      'The text "First stop" must be visible.': 'satisfied',
      'The text "Second stop" must be visible.': 'untold',
      'The text "Second tab" must be visible.': 'untold',
      'The text "Opens in a new window" must be visible.': 'violated',
      'The text "Second tab" must be hidden.': 'untold',
      'The heading must be visible on small screens.': 'satisfied',
    },
  },
  {
    name: 'right-to-left-grid',
    content: page(
      `.grid { display: grid; grid-template-columns: 1fr 1fr; gap: 20px } .grid aside { order: -1 } 
@media (max-width: 700px) { .grid { display: block } }`,
      `<h1>News</h1><div class="grid"><main><p>Lead story</p></main><aside><p>Weather</p></aside></div>
<nav><a href="#x" id="x">Older</a></nav>`,
    ),
    labels: {
      'The sidebar must be to the left of the main content.': 'satisfied',
      'The sidebar must be to the right of the main content.': 'violated',
      'The main content must come before the sidebar.': 'untold',
      'The text "Lead story" must be above the text "Weather".': 'untold',
      'The navigation must be below the main content.': 'satisfied',
      'The navigation must be above the main content.': 'violated',
      'The main content must be visible.': 'satisfied',
    },
  },
  {
    name: 'cut-off',
    content: page(
      `body { overflow-x: hidden } .row { width: 900px } .line { width: 80px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }`,
      `<h1>Prices</h1><div class="row"><button style="margin-left: 700px">Pay now</button></div><p class="line">Delivery is free for all members of the club</p>`,
    ),
    labels: {
      'The page must not scroll horizontally at 320 px.': 'untold',
      'The page must not scroll horizontally at a width of 1280 px.': 'satisfied',
      'The "Pay now" button must be visible on small screens.': 'violated',
      'The text "Delivery is free for all members of the club" must be visible.': 'violated',
      'The heading must be visible.': 'satisfied',
    },
  },
  {
    name: 'generated-and-blended',
    content: page(
      `.price::before { content: "From 20 euros" } .ghost { opacity: .5; color: #000 } .old { filter: invert(1); color: #fff }
.up { text-transform: uppercase } .flip { background: #ffff00; color: #0000ff; mix-blend-mode: difference }`,
      `<h1 class="up">Boats</h1><p class="price"></p><p class="ghost">Half seen</p><p class="old">Turned</p><p class="flip">Blend</p>
<ol><li>Row</li><li>Sail</li></ol>`,
    ),
    labels: {
      'The text "From 20 euros" must be visible.': 'satisfied',
      'The text "From 20 euros" must not be visible.': 'violated',
      'The text "Turned" must be white.': 'violated',
      'The text "Blend" must be blue.': 'untold',
      'The text "Half seen" must be black.': 'untold',
      'The text "BOATS" must be visible.': 'satisfied',
      'The text "Row" must be above the text "Sail".': 'satisfied',
    },
  },
  {
    name: 'drawing-over-text',
    content: page(
      `.badge { position: relative } .badge svg { position: absolute; inset: 0; width: 100%; height: 100% } .zoom { transform: scale(0) }
.away { transform: translateX(-3000px) } .behind { position: relative; z-index: -1 } body { background: #fff } section { background: #eee }`,
      `<h1>Map</h1><p class="badge">North pier<svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true"><rect width="10" height="10" fill="#333"/></svg></p>
<p class="zoom">Shrunk</p><p class="away">Moved</p><section><p class="behind">Underneath</p></section>
<button disabled>Wait</button><select><option>Small boat</option><option>Large boat</option></select>`,
    ),
    labels: {
      'The text "North pier" must be visible.': 'violated',
      'The text "Shrunk" must be visible.': 'violated',
      'The text "Moved" must be visible.': 'violated',
      'The text "Underneath" must be visible.': 'violated',
      'The text "Large boat" must be visible.': 'untold',
      'The button must be below the heading.': 'satisfied',
      'The page must have at least one button.': 'satisfied',
    },
  },
];
