import type { Artifacts } from '@/core/artifact.js';

/** A fault of the page, and a text in the finding that reports it. */
export interface Planted {
  readonly what: string;
  readonly criterion: string;
  readonly finding: RegExp;
}

/** The faults of {@link faultyPage}. */
export const planted: readonly Planted[] = [
  { what: 'pale text', criterion: 'page-contrast', finding: /#pale/ },
  { what: 'pale text of a button', criterion: 'page-contrast', finding: /#send/ },
  { what: 'small icons side by side', criterion: 'page-target-size', finding: /#close/ },
  { what: 'small links in a row', criterion: 'page-target-size', finding: /#one/ },
  { what: 'a box of 900 px', criterion: 'page-reflow', finding: /#box: reaches/ },
  { what: 'a picture of 800 px', criterion: 'page-reflow', finding: /#banner: reaches/ },
  { what: 'a link without a focus style', criterion: 'page-focus-visible', finding: /#plain/ },
  { what: 'a button without a focus style', criterion: 'page-focus-visible', finding: /#send/ },
  { what: 'a positive tabindex', criterion: 'page-focus-order', finding: /#search: tabindex 5/ },
  { what: 'a link beside the page', criterion: 'page-focus-order', finding: /#away/ },
  { what: 'a list that only a mouse scrolls', criterion: 'page-scroll-focus', finding: /#list/ },
  { what: 'a missing picture', criterion: 'page-resources', finding: /image team\.svg is missing/ },
  { what: 'a missing stylesheet', criterion: 'page-resources', finding: /print\.css is missing/ },
  { what: 'a missing script', criterion: 'page-resources', finding: /menu\.js is missing/ },
  {
    what: 'a picture that is none',
    criterion: 'page-resources',
    finding: /#none.*cannot be shown/,
  },
  { what: 'a missing background', criterion: 'page-resources', finding: /asks for tiles\.svg/ },
  { what: 'a picture without a text', criterion: 'page-axe', finding: /image-alt/ },
  { what: 'a field without a name', criterion: 'page-axe', finding: /#search: label/ },
  { what: 'no language', criterion: 'page-axe', finding: /html-has-lang/ },
];

const svg = (width: number, height: number, colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/></svg>`;

const files = [
  {
    type: 'stylesheet',
    path: 'site.css',
    content: 'body { margin: 0 12px; font: 16px/1.5 sans-serif }',
  },
  { type: 'code', path: 'app.js', content: 'console.log(1);' },
  { type: 'image', path: 'photo.svg', content: svg(200, 100, '#345') },
  { type: 'image', path: 'night.svg', content: svg(400, 100, '#ddd') },
];

/** A page with 19 faults that only a browser shows, or that it shows as well. */
export const faultyPage: Artifacts = {
  artifacts: [
    ...files,
    {
      type: 'mockup',
      path: 'index.html',
      content: `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour tours</title>
<link rel="stylesheet" href="site.css">
<link rel="stylesheet" href="print.css">
<script src="menu.js"></script>
<style>
#pale { color: #aaa }
#gradient { color: #999; background: linear-gradient(#fff, #ddd) }
#picture { color: #eee; background: url(night.svg) }
#tiles { background: url(tiles.svg) }
#send { color: #777; background: #999; border: 1px solid #333; outline: none }
.icon { width: 14px; height: 14px; padding: 0; border: 1px solid; font-size: 8px }
.row a { display: inline-block; font-size: 10px; line-height: 12px; margin: 0 }
#box { width: 900px; background: #eef }
#cut { height: 26px; overflow: hidden }
#plain:focus { outline: none }
#away { position: absolute; left: -9999px }
.reverse { display: flex; flex-direction: row-reverse; gap: 30px }
#list { height: 60px; overflow: auto }
</style>
</head>
<body>
<header><h1>Harbour tours</h1>
<nav aria-label="Main" class="reverse"><a id="first" href="#tours">Tours</a> <a id="second" href="#contact">Contact</a></nav>
</header>
<main>
<h2 id="tours">Tours</h2>
<p id="pale">We leave every morning at nine.</p>
<p id="gradient">Bring a coat and good shoes.</p>
<p id="picture">Night tours start at ten.</p>
<p id="tiles">Tickets are sold on the pier.</p>
<div id="box">The timetable of the whole season is here.</div>
<div id="cut">Children sail for free.</div>
<div><button id="close" class="icon" aria-label="Close">x</button><button id="open" class="icon" aria-label="Open">+</button></div>
<div class="row"><a id="one" href="#tours">1</a><a id="two" href="#contact">2</a></div>
<p>See <a id="plain" href="#contact">how to reach us</a> and <a href="#prices">the prices</a>.</p>
<a id="away" href="#contact">Hidden offer</a>
<div id="list"><p>Monday</p><p>Tuesday</p><p>Wednesday</p><p>Thursday</p></div>
<img id="banner" src="photo.svg" width="800" height="100" alt="The harbour">
<img src="team.svg" width="200" height="100" alt="The team">
<img id="none" src="data:image/png;base64,AAAA" width="50" height="50" alt="A boat">
<img id="unsized" src="photo.svg" alt="The pier">
<img id="silent" src="photo.svg" width="200" height="100">
</main>
<footer id="contact"><h2>Contact</h2>
<form><input id="search" tabindex="5"> <button id="send" type="button">Send</button></form>
</footer>
</body>
</html>
`,
    },
  ],
};

/** The same page without the faults. */
export const cleanPage: Artifacts = {
  artifacts: [
    ...files,
    {
      type: 'mockup',
      path: 'index.html',
      content: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour tours</title>
<link rel="stylesheet" href="site.css">
<script src="app.js"></script>
<style>
#pale { color: #444 }
#gradient { color: #333 }
#picture { color: #222 }
#send { color: #fff; background: #333; border: 1px solid #333 }
.icon { min-width: 60px; height: 30px; padding: 0; border: 1px solid }
.row a { display: inline-block; padding: 8px; margin: 4px }
#box { max-width: 900px; background: #eef }
#cut { min-height: 26px; overflow: hidden }
#plain:focus { outline: 3px solid #06c }
#away { position: absolute; left: -9999px }
#away:focus { left: 12px }
.straight { display: flex; gap: 30px }
#list { height: 60px; overflow: auto }
img { max-width: 100% }
</style>
</head>
<body>
<header><h1>Harbour tours</h1>
<nav aria-label="Main" class="straight"><a id="first" href="#tours">Tours</a> <a id="second" href="#contact">Contact</a></nav>
</header>
<main>
<h2 id="tours">Tours</h2>
<p id="pale">We leave every morning at nine.</p>
<p id="gradient">Bring a coat and good shoes.</p>
<p id="picture">Night tours start at ten.</p>
<p id="tiles">Tickets are sold on the pier.</p>
<div id="box">The timetable of the whole season is here.</div>
<div id="cut">Children sail for free.</div>
<div><button id="close" class="icon" aria-label="Close">Close</button><button id="open" class="icon" aria-label="Open">Open</button></div>
<div class="row"><a id="one" href="#tours">One</a><a id="two" href="#contact">Two</a></div>
<p>See <a id="plain" href="#contact">how to reach us</a> and <a href="#tours">the prices</a>.</p>
<a id="away" href="#contact">Skip to the contact</a>
<div id="list" tabindex="0" role="region" aria-label="Days"><p>Monday</p><p>Tuesday</p><p>Wednesday</p><p>Thursday</p></div>
<img id="banner" src="photo.svg" width="800" height="100" alt="The harbour">
<img src="photo.svg" width="200" height="100" alt="The team">
<img id="none" src="night.svg" width="50" height="50" alt="A boat">
<img id="sized" src="photo.svg" width="200" height="100" alt="The pier">
<img id="silent" src="photo.svg" width="200" height="100" alt="">
</main>
<footer id="contact"><h2>Contact</h2>
<form><label>Search <input id="search"></label> <button id="send" type="button">Send</button></form>
</footer>
</body>
</html>
`,
    },
  ],
};
