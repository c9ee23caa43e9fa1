import { describe, expect, it } from 'vitest';
import { type Verdict, verdictOf } from '../../../../support/html-verdict.js';

/** What styles make of the name of a button in a body. */
const styled: readonly (readonly [Verdict, string, string])[] = [
  ['passed', '.i::before{content:"Go"}', '<button class="a i"></button>'],
  ['failed', '.i::before{content:" "}', '<button class="i"></button>'],
  ['inapplicable', '#b{display:none}', '<button id=b></button>'],
  ['inapplicable', '.before{display:none}', '<button class="before"></button>'],
  ['inapplicable', 'form > button{visibility:hidden}', '<form><button></button></form>'],
  ['failed', 'form > button{visibility:hidden}', '<form><p><button></button></p></form>'],
  ['inapplicable', 'form button{display:none}', '<form><p><button></button></p></form>'],
  ['failed', 'nav button{display:none}', '<form><button></button></form>'],
  ['inapplicable', '[data-x=one]{display:none}', '<button data-x="one"></button>'],
  ['failed', '[data-x="two"],[data-x|="one"]{display:none}', '<button data-x="one"></button>'],
  ['inapplicable', ':root button{display:none}', '<html><button></button>'],
  ['failed', 'button:hover,button + button,svg|button{display:none}', '<button></button>'],
  ['failed', 'button{display:none} #b{display:block}', '<button id=b></button>'],
  [
    'inapplicable',
    '.b{display:none !important} #b{display:block}',
    '<button id=b class=b></button>',
  ],
  [
    'inapplicable',
    '@layer x{button{display:none}} @media screen{i{display:none}}',
    '<button></button>',
  ],
  [
    'failed',
    '@media print{button{display:none}} @supports (display:grid){button{display:none}}',
    '<button></button>',
  ],
  ['failed', 'a b c d e f button{display:none} }}} {', '<button></button>'],
];

it.each(styled)(
  'what styles say of elements, button-name: %s for %s and %s',
  async (verdict, css, body) => {
    expect(await verdictOf('button-name', `<style>${css}</style>${body}`)).toBe(verdict);
  },
);
const cases: Readonly<Record<string, readonly (readonly [string, Verdict, string])[]>> = {
  'what names an element': [
    ['button-name', 'passed', '<label for=b>Send</label><button id=b></button>'],
    ['button-name', 'passed', '<button><svg><title>Send</title></svg></button>'],
    ['button-name', 'passed', '<button><?php echo $text ?></button>'],
    ['button-name', 'passed', '<button><slot></slot></button>'],
    ['button-name', 'passed', '<button><select><option>One<option selected>Two</select></button>'],
    ['button-name', 'passed', '<button><input value="Send"></button>'],
    ['button-name', 'passed', '<button><input type="image" alt="Send"></button>'],
    ['button-name', 'passed', '<button><area alt="Send"></button>'],
    ['button-name', 'failed', '<button><input type="password" value="x"></button>'],
    ['button-name', 'failed', '<button><select></select></button>'],
    ['button-name', 'failed', '<button><script>send()</script><style>b{}</style></button>'],
    ['button-name', 'passed', '<input type="button" value="Send">'],
    ['button-name', 'passed', '<input type="submit">'],
    ['button-name', 'failed', '<input type="submit" value="">'],
    ['button-name', 'passed', '<button aria-labelledby="a b"></button><i id=a hidden>Send</i>'],
    [
      'button-name',
      'failed',
      '<button id=a aria-labelledby="b"></button><i id=b aria-labelledby="a"></i>',
    ],
    ['button-name', 'failed', '<button aria-labelledby="none"></button>'],
    ['button-name', 'passed', '<button aria-label="{{ text }}"></button>'],
    ['image-button-name', 'passed', '<label>Send<input type="image"></label>'],
    ['field-name', 'passed', '<label for=o>Sum</label><input id=o type="date">'],
    ['field-name', 'passed', '<div role="listbox" title="Teas"></div>'],
    ['menuitem-name', 'passed', '<div role="menu"><div role="menuitem"><b>Open</b></div></div>'],
    ['svg-name', 'passed', '<svg role="img"><title>Tea</title></svg>'],
    ['svg-name', 'passed', '<svg><g role="graphics-symbol"><title>Tea</title></g></svg>'],
    ['svg-name', 'failed', '<svg role="img"><g><title>Tea</title></g></svg>'],
    ['link-name', 'passed', '<svg><a href="a.html"><title>Teas</title></a></svg>'],
  ],
  'what role an element has': [
    [
      'aria-permitted',
      'passed',
      '<section aria-label="Teas" aria-roledescription="list of teas"></section>',
    ],
    ['aria-permitted', 'failed', '<div aria-label="Teas"></div>'],
    ['aria-permitted', 'failed', '<span aria-roledescription="x">x</span>'],
    ['aria-permitted', 'passed', '<input type="week" aria-placeholder="x">'],
    ['aria-permitted', 'passed', '<details><summary aria-expanded="true">x</summary></details>'],
    ['aria-permitted', 'not checked', '<tea-list aria-level="2"></tea-list>'],
    ['aria-permitted', 'not checked', '<p role="{{ role }}" aria-level="2">x</p>'],
    ['aria-permitted', 'failed', '<select multiple aria-placeholder="x"></select>'],
    ['aria-permitted', 'passed', '<select aria-expanded="true"></select>'],
    ['aria-permitted', 'passed', '<input list="l" aria-expanded="true">'],
    ['aria-permitted', 'failed', '<input type="search" aria-expanded="true">'],
    ['aria-permitted', 'failed', '<table><tr><td aria-selected="true">x</table>'],
    ['aria-permitted', 'passed', '<table role="grid"><tr><td aria-selected="true">x</table>'],
    ['aria-permitted', 'passed', '<table><tr><th scope="row" aria-sort="ascending">x</table>'],
    ['aria-permitted', 'passed', '<header aria-label="Top">x</header>'],
    ['aria-permitted', 'failed', '<article><header aria-label="Top">x</header></article>'],
    ['aria-permitted', 'passed', '<footer aria-label="End">x</footer>'],
    ['aria-permitted', 'failed', '<a aria-label="x">x</a>'],
    ['aria-required', 'failed', '<div role="separator" tabindex="0"></div>'],
    ['aria-required', 'passed', '<div role="separator"></div>'],
    ['aria-required', 'passed', '<input type="checkbox" role="switch">'],
    ['aria-required', 'failed', '<input type="text" role="switch">'],
    ['aria-required', 'failed', '<div role="heading">x</div>'],
    ['aria-required', 'inapplicable', '<h2 role="heading">x</h2>'],
    ['image-name', 'passed', '<img alt="" src="a.png"><img alt="Tea" src="a.png">'],
    ['image-name', 'failed', '<img alt="" tabindex="0" src="a.png">'],
  ],
};

describe.each(Object.entries(cases))('%s', (_, list) => {
  it.each(list)('%s: %s for %s', async (id, verdict, html) => {
    expect(await verdictOf(id, html)).toBe(verdict);
  });
});
