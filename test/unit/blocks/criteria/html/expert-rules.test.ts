import { describe, expect, it } from 'vitest';
import { htmlCriteria, htmlRules } from '@/blocks/criteria/html/html-criteria.js';
import { type Verdict, verdictOf } from '../../../../support/html-verdict.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
const data = '<tr><td>Name</td><td>Age</td></tr><tr><td>Ann</td><td>7</td></tr>';
const script = '<script src="a.js"></script>';

const cases: Readonly<Record<string, readonly (readonly [Verdict, string])[]>> = {
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
  for (const [id, list] of Object.entries(cases)) {
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
