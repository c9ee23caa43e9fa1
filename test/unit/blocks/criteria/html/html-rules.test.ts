import { describe, expect, it } from 'vitest';
import { htmlCriteria, htmlRules } from '@/blocks/criteria/html/html-criteria.js';
import { type Verdict, verdictOf } from '../../../../support/html-verdict.js';

const criteria = new Map(htmlCriteria().map((criterion) => [criterion.id, criterion]));

const cases: Readonly<Record<string, readonly (readonly [Verdict, string])[]>> = {
  'html-lang': [
    ['passed', '<html lang="en">'],
    ['passed', '<html lang="{{ locale }}">'],
    ['failed', '<html lang=" ">'],
    ['failed', '<html xml:lang="en">'],
    ['inapplicable', '<p lang="">x</p>'],
  ],
  'html-lang-valid': [
    ['passed', '<html lang="pt-BR">'],
    ['passed', '<html lang="yue-HK">'],
    ['failed', '<html lang="em-US">'],
    ['failed', '<html lang="eng">'],
    ['failed', '<html lang="en_US">'],
    ['inapplicable', '<html>'],
    ['not checked', '<html lang="<%= lang %>">'],
  ],
  'html-xml-lang': [
    ['passed', '<html lang="en" xml:lang="en-GB">'],
    ['failed', '<html lang="en" xml:lang="fr">'],
    ['inapplicable', '<html lang="en">'],
  ],
  'lang-valid': [
    ['passed', '<p lang="fr">Bonjour</p>'],
    ['failed', '<p lang="dutch">Hallo</p>'],
    ['failed', '<div lang="zz"><img src=a alt="text"></div>'],
    ['inapplicable', '<p lang="zz"></p>'],
    ['inapplicable', '<div lang="zz"><p lang=""></p></div>'],
    ['not checked', '<p lang="{{ l }}">x</p>'],
  ],
  'html-title': [
    ['passed', '<html><title>{{ title }}</title>'],
    ['failed', '<html><title> </title>'],
    ['inapplicable', '<p>x</p>'],
  ],
  'viewport-zoom': [
    ['passed', '<meta name="viewport" content="width=device-width, maximum-scale=2.5">'],
    ['passed', '<meta name="viewport" content="user-scalable=yes">'],
    ['failed', '<meta name="viewport" content="width=device-width, user-scalable=no">'],
    ['failed', '<meta name="viewport" content="maximum-scale=1.5">'],
    ['failed', '<meta name="viewport" content="user-scalable=0.4">'],
    ['inapplicable', '<meta name="description" content="maximum-scale=1">'],
  ],
  'meta-refresh': [
    ['passed', '<meta http-equiv="refresh" content="0; URL=x">'],
    ['passed', '<meta http-equiv="refresh" content="72001">'],
    ['failed', '<meta http-equiv="refresh" content="30; URL=x">'],
    ['inapplicable', '<meta http-equiv="refresh" content="foo; URL=x">'],
    ['inapplicable', '<meta content="30">'],
  ],
  'button-name': [
    ['passed', '<button>{{ label }}</button>'],
    ['passed', '<style>.i::before { content: "Go" }</style><button class="i"></button>'],
    ['passed', '<button><span hidden>x</span><svg><title>Go</title></svg></button>'],
    ['failed', '<style>.x { display: none }</style><button><span class="x">Go</span></button>'],
    [
      'inapplicable',
      '<style>div > .x { display: none }</style><div><button class="x"></button></div>',
    ],
    ['failed', '<style>@media print { .x { display: none } }</style><button class="x"></button>'],
    [
      'failed',
      '<style>.x { display: none } #y.x { display: block }</style><button id="y" class="x"></button>',
    ],
    ['not checked', '<button :aria-label="name"></button>'],
    ['not checked', '<button {...props}></button>'],
  ],
  'link-name': [
    ['passed', '<a href="/"><img src=a alt="Home"></a>'],
    ['passed', '<map><area href="/" alt="Home"></map>'],
    ['failed', '<a href="/"><img src=a alt=""></a>'],
    ['failed', '<a href="/" role="none"></a>'],
    ['failed', '<svg><a href="/"><circle/></a></svg>'],
    ['inapplicable', '<a></a>'],
    ['inapplicable', '<a href="/" hidden></a>'],
  ],
  'field-name': [
    ['passed', '<label for=a hidden>Name</label><input id=a>'],
    ['failed', '<input type="password">'],
    ['failed', '<div role="slider" aria-valuenow="1"></div>'],
    ['inapplicable', '<input type="hidden">'],
  ],
  'image-name': [
    ['passed', '<img src=a alt="{{ alt }}">'],
    ['failed', '<img src=a alt="" aria-live="off">'],
    ['inapplicable', '<img src=a alt="">'],
    ['inapplicable', '<img src=a role="none">'],
  ],
  'image-file-name': [
    ['passed', '<img src="shop/harbour.jpg" alt="The harbour at noon">'],
    ['not checked', '<img src="shop/harbour" alt="Harbour">'],
    ['passed', '<img src="a/files/harbour.jpg" alt="The file is called harbour.jpg">'],
    ['passed', '<img src="a.png" alt="DSC09313">'],
    ['passed', '<a href="/get?id=4" download><img src="icon.png" alt="harbour.jpg"></a>'],
    [
      'passed',
      '<a href="/full/Harbour.jpg?x=1"><span><img src="/small/harbour.jpg" alt="harbour.jpg"></span></a>',
    ],
    ['passed', '<img src="a.png" alt="a.png" aria-label="The harbour">'],
    ['failed', '<img src="shop/harbour.jpg" alt="harbour.jpg">'],
    ['failed', '<img src="cdn/9f3a?w=200" alt="Harbour_final-2.PNG">'],
    ['failed', '<img src="/my%20harbour.webp" alt="my harbour.webp">'],
    ['failed', '<img src="/100%.webp" alt="100%.webp">'],
    ['failed', '<img src="/my harbour.webp" alt="my harbour.webp">'],
    [
      'failed',
      '<picture><source srcset="x/old pier.jpg 1x, x/IMG_20310.jpg 2x"><img src="b" alt="IMG_20310"></picture>',
    ],
    ['failed', '<img src="0f2e3d4c5b6a79880f2e.jpeg" alt="0f2e3d4c5b6a79880f2e">'],
    ['failed', '<a href="/harbour"><img src="harbour.gif" title="harbour.gif"></a>'],
    ['failed', '<input type="image" src="go.png" alt="go.png">'],
    [
      'inapplicable',
      '<img src="harbour.jpg" alt=""><img src="harbour.jpg"><img src="a" alt="a.png" hidden><input alt="a.png">',
    ],
    ['not checked', '<img src="harbour.jpg" alt="{{ file }}.jpg">'],
  ],
  'heading-name': [
    ['passed', '<h1><img src=a alt="Logo"></h1>'],
    ['failed', '<h2> </h2>'],
    ['failed', '<div role="heading" aria-level="2"><span aria-hidden="true">x</span></div>'],
    ['inapplicable', '<h1 role="presentation"></h1>'],
    ['inapplicable', '<h1 hidden></h1>'],
  ],
  'svg-name': [
    ['passed', '<svg role="img"><title>A chart</title></svg>'],
    ['passed', '<svg role="img" aria-label="A chart"></svg>'],
    ['failed', '<svg role="img"><text>A chart</text></svg>'],
    ['failed', '<svg role="img"><g><title>A chart</title></g></svg>'],
    ['inapplicable', '<svg><circle/></svg>'],
  ],
  'object-name': [
    ['passed', '<object data="a.mp3" title="Speech"></object>'],
    ['failed', '<object data="a.mp3" title=" "></object>'],
    ['inapplicable', '<object data="a.html"></object>'],
    ['not checked', '<object data="a.png"><p>text</p></object>'],
  ],
  'field-label': [
    ['passed', '<label>Name <input placeholder="x"></label>'],
    ['failed', '<input placeholder="Name">'],
    ['inapplicable', '<input>'],
  ],
  'label-in-name': [
    ['passed', '<a href="/" aria-label="Read more about us">Read more</a>'],
    ['passed', '<button aria-label="Download file">Download (pdf)</button>'],
    ['failed', '<button aria-label="Find">Search</button>'],
    ['inapplicable', '<button aria-label="Close">X</button>'],
    ['inapplicable', '<button>Search</button>'],
    ['not checked', '<button aria-label="Find"><span class="sr-only">Search</span></button>'],
  ],
  'duplicate-ids': [
    ['passed', '<p id=a></p><p id=b></p>'],
    ['failed', '<p id=a></p><p id=a></p>'],
    ['passed', '<p id="{{x}}"></p><p id="{{x}}"></p>'],
    ['inapplicable', '<p></p>'],
  ],
  'role-valid': [
    ['passed', '<div role="doc-abstract"></div>'],
    ['failed', '<div role="widget"></div>'],
    ['not checked', '<div role="{{ role }}"></div>'],
  ],
  'aria-defined': [
    ['passed', '<p aria-atomic="true"></p>'],
    ['failed', '<p aria-not-checked="true"></p>'],
    ['inapplicable', '<p></p>'],
  ],
  'aria-values': [
    ['passed', '<p aria-live="polite" aria-relevant="additions text"></p>'],
    ['failed', '<div role="textbox" aria-required="undefined"></div>'],
    ['failed', '<div role="table" aria-rowcount="2.1"></div>'],
    ['inapplicable', '<p aria-live=""></p>'],
    ['not checked', '<p aria-live="{{ x }}"></p>'],
  ],
  'aria-permitted': [
    ['passed', '<button aria-pressed="true">x</button>'],
    ['passed', '<input type="password" aria-required="true">'],
    ['failed', '<h1 aria-checked="true">x</h1>'],
    ['failed', '<div aria-label="x"></div>'],
    ['inapplicable', '<p>x</p>'],
  ],
  'aria-required': [
    ['passed', '<div role="checkbox" aria-checked="false">x</div>'],
    ['passed', '<input type="checkbox" role="switch">'],
    ['failed', '<div role="slider"></div>'],
    ['failed', '<div role="separator" tabindex="0"></div>'],
    ['inapplicable', '<div>x</div>'],
  ],
  'aria-context': [
    ['passed', '<div role="list"><div><div role="listitem">x</div></div></div>'],
    ['passed', '<div role="tablist" aria-owns="t"></div><div role="tab" id="t">x</div>'],
    ['failed', '<div role="listitem">x</div>'],
    ['failed', '<div role="list"><div role="region"><div role="listitem">x</div></div></div>'],
    ['inapplicable', '<li>x</li>'],
  ],
  'aria-owned': [
    ['passed', '<div role="list"><div role="listitem">x</div></div>'],
    ['failed', '<div role="list"><div role="tab">x</div></div>'],
    ['failed', '<div role="tablist"></div>'],
    ['not checked', '<div role="tablist"></div><script>fill()</script>'],
    ['inapplicable', '<ul></ul>'],
  ],
  'aria-references': [
    ['passed', '<p id=a>x</p><p aria-describedby="a b">y</p>'],
    ['failed', '<button aria-labelledby="gone">x</button>'],
    ['not checked', '<button aria-labelledby="made">x</button><script>make("made")</script>'],
    ['inapplicable', '<button aria-controls="gone">x</button>'],
  ],
  'aria-hidden-focus': [
    ['passed', '<fieldset disabled><div aria-hidden="true"><input></div></fieldset>'],
    ['failed', '<div aria-hidden="true"><p contenteditable>x</p></div>'],
    ['inapplicable', '<div aria-hidden="false"><input></div>'],
  ],
  'presentational-children-focus': [
    ['passed', '<button>x<span tabindex="-1">y</span></button>'],
    ['failed', '<div role="checkbox" aria-checked="true">x <a href="/">terms</a></div>'],
    ['inapplicable', '<p><a href="/">x</a></p>'],
  ],
  'decorative-exposed': [
    ['passed', '<img src=a alt="">'],
    ['failed', '<img src=a alt="" tabindex="0">'],
    ['failed', '<nav role="none" aria-label="x"></nav>'],
    ['inapplicable', '<img src=a alt="x">'],
  ],
  'frame-focus': [
    ['passed', '<iframe tabindex="-1" srcdoc="<p>x</p>"></iframe>'],
    ['failed', '<iframe tabindex="-1" srcdoc="<a href=/>x</a>"></iframe>'],
    ['not checked', '<iframe tabindex="-1" src="a.html"></iframe>'],
    ['inapplicable', '<iframe src="a.html"></iframe>'],
  ],
  'table-headers': [
    ['passed', '<table><tr><th id=a>A<td headers="a">1</table>'],
    ['failed', '<table><tr><th id=a>A<td headers="b">1</table>'],
    ['failed', '<p id=b></p><table><tr><td id=c headers="c">1</table>'],
    ['inapplicable', '<table><tr><td>1</table>'],
  ],
  'table-header-cells': [
    ['passed', '<table><tr><th>A<th>B<tr><td>1<td>2</table>'],
    ['passed', '<table><tr><th scope=row>A<td>1</table>'],
    ['failed', '<table><tr><th>A<th>B<tr><td>1</table>'],
    ['inapplicable', '<table role="presentation"><tr><th>A</table>'],
  ],
  autocomplete: [
    ['passed', '<input autocomplete="section-a shipping home tel">'],
    ['passed', '<input autocomplete="username webauthn">'],
    ['failed', '<input autocomplete="badname">'],
    ['failed', '<input autocomplete="work bday">'],
    ['inapplicable', '<input autocomplete="off"><input type="submit" autocomplete="x">'],
    ['not checked', '<input autocomplete="{{ x }}">'],
  ],
  'attribute-unique': [
    ['passed', '<p id=a></p>'],
    ['failed', '<p class="a" class="b"></p>'],
  ],
  'media-autoplay': [
    ['passed', '<audio src="a.mp3" autoplay controls></audio>'],
    ['passed', '<audio src="a.mp3#t=8,10" autoplay></audio>'],
    ['failed', '<audio src="a.mp3" autoplay></audio>'],
    ['not checked', '<video src="a.mp4" autoplay></video>'],
    ['inapplicable', '<video src="a.mp4" autoplay muted></video>'],
  ],
};

/** Cases of the W3C that were once judged wrong, in other words. */
const once: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'lang-valid': [['failed', '<p lang="  ">Bonjour</p>']],
  'heading-name': [
    ['failed', '<h1><img src=a alt="Logo" role="none"></h1>'],
    ['passed', '<h1><img src=a alt="Logo" role="none" aria-describedby="d"></h1>'],
    ['failed', '<h2 role="none" aria-label=""><span aria-hidden="true">x</span></h2>'],
  ],
  'label-in-name': [
    ['failed', '<a href="tel:1" aria-label="0 3 0. 1 2 3">030.123</a>'],
    ['passed', '<a href="tel:1" aria-label="Call 030.123">030.123</a>'],
    ['inapplicable', '<a href="?p=2" aria-label="Page two">2</a>'],
    [
      'not checked',
      '<style>button { font-family: "Font Awesome" }</style><button aria-label="Find">search</button>',
    ],
  ],
  'aria-required': [
    ['failed', '<input role="combobox" aria-expanded="true" aria-owns="l">'],
    ['passed', '<input role="combobox" aria-expanded="true" aria-controls="l">'],
    ['passed', '<input role="combobox" aria-expanded="false">'],
  ],
  'aria-context': [
    ['failed', '<div role="list"><div aria-live="polite"><div role="listitem">x</div></div></div>'],
  ],
  'aria-owned': [
    [
      'failed',
      '<div role="menu"><div role="group"><div role="group"><i role="treeitem">x</i></div></div></div>',
    ],
    [
      'passed',
      '<div role="menu"><div role="group"><div role="group"><i role="menuitem">x</i></div></div></div>',
    ],
  ],
  'frame-focus': [
    ['inapplicable', '<iframe tabindex="-1" height="1" srcdoc="<a href=/>x</a>"></iframe>'],
    ['inapplicable', '<div inert><iframe tabindex="-1" srcdoc="<a href=/>x</a>"></iframe></div>'],
    ['failed', '<iframe tabindex="-1" width="100" srcdoc="<a href=/>x</a>"></iframe>'],
  ],
  'table-header-cells': [
    ['passed', '<table><tr><th>A<th>B<tr><th>C<td>1</table>'],
    ['not checked', '<div role="grid"><div role="row"><i role="columnheader">A</i></div></div>'],
  ],
};

describe('what the W3C decides and was judged wrong', () => {
  for (const [id, list] of Object.entries(once)) {
    it.each(list)(`${id}: %s for %s [R2-092]`, async (verdict, html) => {
      expect(await verdictOf(id, html)).toBe(verdict);
    });
  }
});

describe('roles that inherit from a link', () => {
  for (const role of ['doc-backlink', 'doc-biblioref', 'doc-glossref', 'doc-noteref'])
    it(`${role} needs a name [R2-093]`, async () => {
      expect(await verdictOf('link-name', `<a href="#n" role="${role}"></a>`)).toBe('failed');
      expect(await verdictOf('link-name', `<a href="#n" role="${role}">1</a>`)).toBe('passed');
      expect(
        await verdictOf('label-in-name', `<a href="#n" role="${role}" aria-label="b">Note</a>`),
      ).toBe('failed');
    });

  it('a cover is an image [R2-093]', async () => {
    expect(await verdictOf('image-name', '<img src=a role="doc-cover">')).toBe('failed');
    expect(await verdictOf('image-name', '<img src=a role="doc-cover" alt="A book">')).toBe(
      'passed',
    );
  });
});

describe('each rule about HTML', () => {
  for (const [id, list] of Object.entries(cases)) {
    it.each(list)(`${id}: %s for %s`, async (verdict, html) => {
      expect(await verdictOf(id, html)).toBe(verdict);
    });
  }

  it('has an id, a category and a severity of its own, and names its success criterion', () => {
    expect(new Set(htmlRules.map(({ id }) => id)).size).toBe(htmlRules.length);
    expect(criteria.get('button-name')).toMatchObject({
      severity: 'major',
      category: 'quality',
      description: 'Every button has a name (WCAG 4.1.2)',
    });
    expect(htmlRules.filter(({ wcag }) => wcag === undefined).map(({ id }) => id)).toEqual([
      'attribute-unique',
      'link-target',
      'secure-forms',
      'secure-resources',
      'resources-exist',
    ]);
  });
});

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const data = '<tr><td>Name</td><td>Age</td></tr><tr><td>Ann</td><td>7</td></tr>';
const script = '<script src="a.js"></script>';

const expertCases: Readonly<Record<string, readonly (readonly [Verdict, string])[]>> = {
  'link-purpose': [
    ['failed', '<p>For the price <a href="a">Click here!</a></p>'],
    ['failed', '<p>The price is <a href="a">here</a>.</p>'],
    ['failed', '<a href="a"><img src=a alt="Read more"></a>'],
    ['failed', '<p><a href="a">Read more »</a></p>'],
    ['failed', '<div><h2>Tea</h2><a href="a">Learn more</a></div>'],
    ['failed', '<p>Tee: <a href="a">hier klicken</a></p>'],
    ['failed', '<svg><a href="#m"><text>Go</text></a></svg>'],
    ['passed', '<p>Tea keeps you warm. <a href="a">Read more</a></p>'],
    ['passed', '<li>Green tea: <a href="a">details</a></li>'],
    ['passed', '<table><tr><td>Tea</td><td><a href="a">Details</a></td></tr></table>'],
    ['passed', '<h2 id="t">Tea</h2><a href="a" aria-describedby="t">Read more</a>'],
    ['passed', '<a href="a" aria-label="Read more about tea">Read more</a>'],
    ['passed', '<a href="a">Read more<span class="sr-only"> about tea</span></a>'],
    ['passed', '<a href="a">Here comes the sun</a>'],
    ['passed', '<a href="a">More tea</a>'],
    ['passed', '<nav><a href="#d">Details</a></nav><h2 id="d">Details</h2>'],
    ['passed', '<code><a href="a">&lt;this&gt;</a></code>'],
    ['inapplicable', '<a href="a" hidden>click here</a>'],
    ['inapplicable', '<a href="a" role="button">More</a>'],
    ['inapplicable', '<a>more</a>'],
    ['inapplicable', '<a href="a">{{ label }}</a>'],
  ],
  'link-target': [
    ['failed', '<a href="http://example.org/">Tea</a>'],
    ['failed', '<a href="javascript:void(0)">Tea</a>'],
    ['failed', '<a href="#">Tea</a>'],
    ['failed', '<a href="https://example.org/" target="_blank" rel="opener">Tea</a>'],
    ['failed', '<a href="//example.org/" target="shop">Tea</a>'],
    ['passed', '<a href="https://example.org/" target="shop" rel="noopener">Tea</a>'],
    ['passed', '<a href="https://example.org/" target="shop">Tea</a><iframe name="shop"></iframe>'],
    ['passed', '<a href="https://example.org/" target="_blank">Tea</a>'],
    ['passed', '<a href="#">Back to top</a>'],
    ['passed', '<a href="#">↑</a>'],
    ['passed', '<a href="http://localhost:3000/">Tea</a>'],
    ['passed', '<a href="a.html" target="shop">Tea</a>'],
    ['not checked', `<a href="#">Tea</a>${script}`],
    ['inapplicable', '<a href="{{ url }}">Tea</a>'],
    ['inapplicable', '<a :href="url">Tea</a>'],
    ['inapplicable', '<link rel="profile" href="http://gmpg.org/xfn/11">'],
  ],
  'tab-order': [
    ['failed', '<button tabindex="3">Tea</button>'],
    ['failed', '<div tabindex="+1">Tea</div>'],
    ['passed', '<div tabindex="0">Tea</div>'],
    ['inapplicable', '<button tabindex="3" disabled>Tea</button>'],
    ['inapplicable', '<button tabindex="3" hidden>Tea</button>'],
    ['inapplicable', '<div tabindex="-1">Tea</div>'],
    ['inapplicable', '<div tabindex="{{ i }}">Tea</div>'],
  ],
  'clickable-role': [
    ['failed', '<div onclick="buy()">Buy</div>'],
    ['failed', '<div role="button" onclick="buy()">Buy</div>'],
    ['failed', '<div tabindex="0" onclick="buy()">Buy</div>'],
    ['failed', '<div role="button" tabindex="0" onclick="buy()">Buy</div>'],
    ['failed', '<a onclick="buy()">Buy</a>'],
    ['failed', '<img src=a alt="Buy" onclick="buy()">'],
    ['failed', '<span @click="buy">Buy</span>'],
    ['failed', '<span @click.prevent="buy">Buy</span>'],
    ['passed', '<div role="button" tabindex="0" onclick="buy()" onkeydown="key()">Buy</div>'],
    ['not checked', `<div role="button" tabindex="0" onclick="buy()">Buy</div>${script}`],
    ['not checked', '<div onclick="buy(event)"><button>Buy</button></div>'],
    ['not checked', '<div class="shade" onclick="close()"></div>'],
    ['inapplicable', '<button onclick="buy()">Buy</button>'],
    ['inapplicable', '<a href="a" onclick="buy()">Buy</a>'],
    ['inapplicable', '<label onclick="buy()">Buy</label>'],
    ['inapplicable', '<div onclick="event.stopPropagation()">Buy</div>'],
    ['inapplicable', '<div onclick="buy()" aria-hidden="true">Buy</div>'],
  ],
  'table-has-headers': [
    ['failed', `<table>${data}<tr><td>Bob</td><td>9</td></tr></table>`],
    ['failed', `<table><caption>Ages</caption>${data}</table>`],
    ['failed', `<table><thead><tr><td>Name<td>Age</thead>${data}</table>`],
    ['passed', '<table><tr><th>Name<th>Age<tr><td>Ann<td>7<tr><td>Bob<td>9</table>'],
    ['passed', '<table><tr><th scope="row">Ann<td>7<tr><th scope="row">Bob<td>9</table>'],
    ['passed', `<table><tr><td role="columnheader">Name<td role="columnheader">Age${data}</table>`],
    ['not checked', `<table>${data}</table>`],
    ['not checked', '<table summary="Footer"><tr><td>A<td>B<tr><td>C<td>D</table>'],
    ['not checked', '<table><tr><td><p>A</p><td>B<tr><td>C<td>D<tr><td>E<td>F</table>'],
    ['not checked', '<table><tr><td><input><td>B<tr><td>C<td>D<tr><td>E<td>F</table>'],
    ['inapplicable', `<table role="presentation">${data}<tr><td>Bob<td>9</table>`],
    ['inapplicable', '<table><tr><td>A<td>B<td>C<td>D<td>E<td>F</table>'],
    ['inapplicable', `<table hidden>${data}<tr><td>Bob<td>9</table>`],
  ],
  'secure-forms': [
    ['failed', '<form action="http://example.org/a"><input name="q"></form>'],
    ['failed', '<form><input type="password" name="p"></form>'],
    ['failed', `<form method="get"><input type="password" name="p"></form>${script}`],
    ['failed', '<form id="f"></form><input form="f" type="Password" name="p">'],
    ['failed', '<form method="post"><button formaction="http://example.org">Send</button></form>'],
    ['passed', '<form method="POST" action="/in"><input type="password" name="p"></form>'],
    ['passed', '<form method="dialog"><input type="password" name="p"></form>'],
    ['passed', '<form><input name="q"></form>'],
    ['passed', '<form action="http://127.0.0.1:80/a"><input name="q"></form>'],
    ['not checked', `<form><input type="password" name="p"></form>${script}`],
    ['not checked', '<form @submit.prevent="in"><input type="password" name="p"></form>'],
    ['inapplicable', '<input type="password" name="p">'],
  ],
  'secure-resources': [
    ['failed', '<script src="http://example.org/a.js"></script>'],
    ['failed', '<link rel="StyleSheet" href="http://example.org/a.css">'],
    ['failed', '<img srcset="a.png 1x, http://example.org/b.png 2x" alt="">'],
    ['failed', '<video poster="HTTP://example.org/a.png"></video>'],
    ['failed', '<p style="background: url(http://example.org/a.png)">x</p>'],
    ['failed', '<style>@import "http://example.org/a.css";</style>'],
    ['failed', '<style>p { background: url( "http://example.org/a.png" ) }</style>'],
    ['passed', '<img src="https://example.org/a.png" alt="">'],
    ['passed', '<img src="//example.org/a.png" alt="">'],
    ['passed', '<img src="http://localhost/a.png" alt="">'],
    ['inapplicable', '<a href="http://example.org">x</a>'],
    ['inapplicable', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
    ['inapplicable', '<!-- <img src="http://example.org/a.png"> -->'],
    ['inapplicable', '<style>/* url(http://example.org/a.png) */</style>'],
  ],
  'media-controls': [
    ['failed', '<video src=a autoplay muted loop></video>'],
    ['passed', '<video src=a autoplay loop controls></video>'],
    ['not checked', '<video src=a autoplay muted></video>'],
    ['not checked', `<video src=a autoplay muted loop></video>${script}`],
    ['inapplicable', '<video src=a></video>'],
    ['inapplicable', '<video src=a autoplay loop hidden></video>'],
  ],
};

describe('what an expert names in the source of a page', () => {
  for (const [id, list] of Object.entries(expertCases)) {
    it.each(list)(`${id}: %s for %s [R2-095]`, async (verdict, html) => {
      expect(await verdictOf(id, html)).toBe(verdict);
    });
    it(`${id}: each finding says what to do`, () => {
      expect(htmlRules.find((rule) => rule.id === id)?.suggestedFix).toMatch(/\w/);
    });
  }

  it('tells apart what browsers block and what they load over plain HTTP', async () => {
    const [criterion] = htmlCriteria().filter(({ id }) => id === 'secure-resources');
    const content = '<script src="http://a.org/a.js"></script>\n<img src="http://a.org/a.png" alt>';
    const result = await criterion?.validate(
      { artifacts: [{ type: 'mockup', path: 'a.html', content }] },
      undefined,
      context,
    );
    expect(result?.findings).toMatchObject([{ line: 1 }, { line: 2, severity: 'minor' }]);
    expect(result?.findings?.[0]).not.toHaveProperty('severity');
  });
});
