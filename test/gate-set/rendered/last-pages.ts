import { page, type RenderedCase } from './rendered-case.js';

/** A second set that was labelled after the code, with other kinds of pages. */
export const lastPages: readonly RenderedCase[] = [
  {
    name: 'price-table',
    content: page(
      `table { border-collapse: collapse; width: 100% } th { background: #003366; color: #fff } .best { background: #fff3cd }
.sale { color: #d00000; text-decoration: line-through } .new { color: #008000; font-weight: bold } .wrap { overflow-x: auto }`,
      `<header><h1>Plans</h1></header><main><div class="wrap"><table><tr><th>Plan</th><th>Price</th></tr>
<tr class="best"><td>Team</td><td><span class="sale">20</span> <span class="new">15 euros</span></td></tr></table></div>
<form><label for="c">Code</label> <input id="c" placeholder="SPRING"> <input type="submit" value="Redeem"></form></main>
<footer><p style="color: #999; background: #fff">Prices include tax</p></footer>`,
    ),
    labels: {
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
    },
  },
  {
    name: 'hero-with-layers',
    content: page(
      `.hero { position: relative; height: 240px; background: #222 } .hero::after { content: ""; position: absolute; inset: 0; background: #222 }
.hero h1 { color: #fff } .over { position: relative; z-index: 2; color: #fff } nav a { color: #0a58ca }
.veil { position: fixed; inset: 0; background: rgba(0, 0, 0, .0); pointer-events: none }`,
      `<nav><a href="#a">Rooms</a> <a href="#b">Contact</a></nav><div class="hero"><h1>Hotel Seaview</h1><p class="over">Open all year</p></div>
<main><h2 id="a">Rooms</h2><p>Forty rooms by the sea.</p><h2 id="b">Contact</h2><p>Write to us.</p></main><div class="veil"></div>`,
    ),
    labels: {
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
    },
  },
  {
    name: 'settings',
    content: page(
      `.switch input { opacity: 0; position: absolute } .on { background: #0d6efd; color: #fff; border: none } .off { background: #6c757d; color: #fff }
.note { font-size: 11px; color: #495057 } .toast { position: fixed; bottom: 8px; right: 8px; background: #198754; color: #fff; padding: 8px }`,
      `<main><h1>Settings</h1><p class="note">Changes are saved at once.</p><label class="switch"><input type="checkbox"> Sound</label>
<p><button class="on">Save</button> <button class="off">Cancel</button></p><details open><summary>Advanced</summary><p>Reset all</p></details></main>
<div class="toast" role="status">Saved</div>`,
    ),
    labels: {
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
    },
  },
];
