import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '@/requirements/claim/claim.js';
import { readClaims } from '@/requirements/claim/read-claims.js';

const many = Number.POSITIVE_INFINITY;

function numberOf(requirement: string): string | undefined {
  const claims = readClaims(requirement);
  return claims
    ?.map((claim) => {
      if (claim.about === 'look') return claim.look;
      return claim.about === 'number' ? shown(claim) : claim.property;
    })
    .join(' & ');
}

function shown({ kind, text, quantity }: Extract<Claim, { about: 'number' }>): string {
  const { from, to, least, most } = quantity;
  const bounds = [least, from, to, most].map((n) => (n === many ? '*' : String(n))).join(' ');
  return `${kind}${text === undefined ? '' : ` "${text}"`} ${bounds}`;
}

describe('reading a requirement as claims', () => {
  it.each([
    ['The page must have an image', 'image 1 1 * *'],
    ['The page must have images', 'image 1 2 * *'],
    ['The page must have three images', 'image 3 3 3 *'],
    ['The page must have exactly three images.', 'image 3 3 3 3'],
    ['The page has at least 3 images', 'image 3 3 * *'],
    ['The page must not have more than 3 images', 'image 0 0 3 3'],
    ['The page must not have fewer than 3 images', 'image 3 3 * *'],
    ['There must be only one h1', 'h1 1 1 1 1'],
    ['Between 2 and 4 links must be present', 'link 2 2 4 4'],
    ['The page must not use tables', 'table 0 0 0 0'],
    ['The page mustn’t use tables', 'table 0 0 0 0'],
    ['Never use tables', 'table 0 0 0 0'],
    ['Avoid tables', 'table 0 0 0 0'],
    ['Add a footer to the page', 'footer 1 1 * *'],
    ['Tables are not allowed', 'table 0 0 0 0'],
    ['No tables or images', 'table 0 0 0 0 & image 0 0 0 0'],
    [
      'The page must have a header, a nav and a footer',
      'header 1 1 * * & nav 1 1 * * & footer 1 1 * *',
    ],
    ['The page must have a nav and must not use tables', 'nav 1 1 * * & table 0 0 0 0'],
    ['Do not use tables and do not use iframes', 'table 0 0 0 0 & iframe 0 0 0 0'],
    ['The page must not use tables and must have a nav', 'table 0 0 0 0 & nav 1 1 * *'],
    ['Use a nav and avoid tables', 'nav 1 1 * * & table 0 0 0 0'],
    ['The page must show "Opening hours"', 'text "Opening hours" 1 1 * *'],
    ['A "Send" button must be shown', 'button "Send" 1 1 * *'],
    ['The page must have a heading titled “Tea”', 'heading "Tea" 1 1 * *'],
    ['The page title must be "Tea"', 'title "Tea" 1 1 * *'],
    ['Set the language of the page to German', 'lang "de" 1 1 * *'],
    ['The text must not exceed 300 words', 'word 0 0 300 300'],
    ['The text must be longer than 10 lines', 'line 11 11 * *'],
    ['Create `docs/a.md`', 'file "docs/a.md" 1 1 * *'],
    ['All links must have discernible text', 'name'],
    ['No image without alt text', 'alt'],
    ['Please ensure that all form fields are labelled', undefined],
    ['Label all form fields', 'label'],
    ['Use the `<main>` element', 'tag "main" 1 1 * *'],
  ])('%s', (requirement, expected) => {
    expect(numberOf(requirement)).toBe(expected);
  });

  it.each([
    'The heading must be pretty',
    'The page must show the opening hours',
    'The form must have a large submit button',
    'The page must have a nav on small screens',
    'The page must have an image when it has a video',
    'Images only for decoration must have alt text',
    'All images except the logo must have alt text',
    'The page must have an image or a video',
    'The page must not have tables and images',
    'The page must not have a table and a form',
    'Do not use tables and show images',
    'The page must not have a table, a form',
    'The page must have a link to the form',
    'Add a link to the page',
    'The page must have a link to the website',
    'The page must not use placeholders',
    'The page may have tables',
    'Tables are allowed',
    'The page must have any images',
    'Use style.css',
    'Must the page have a table?',
    'The page must have a table (of prices)',
    'Links to "Home" must be blue',
    'The page must have several images',
    'Use a light background',
    'The page must have a table: prices',
    '',
    'x'.repeat(5000),
  ])('leaves undecided: %s [R2-030]', (requirement) => {
    expect(readClaims(requirement)).toBeUndefined();
  });

  it('an unknown word anywhere makes a sentence unread', () => {
    const sentence = fc.constantFrom(
      'The page must have exactly one h1',
      'The form must not have a submit button',
      'All images must have alt text',
      'No broken links',
      'The text must be at most 300 words long',
      'The page title must be "Tea"',
      'Every page must have a title, a nav and a footer',
      'The page must have a nav and must not use tables',
    );
    const word = fc.constantFrom('blue', 'only', 'if', 'when', 'sometimes', 'large', 'not', 'xyz');
    fc.assert(
      fc.property(sentence, word, fc.nat(20), (text, added, at) => {
        const words = text.split(' ');
        words.splice(at % (words.length + 1), 0, added);
        const read = readClaims(words.join(' '));
        // "not" and "only" may be part of another sentence that is understood
        if (added === 'not' || added === 'only')
          expect(read === undefined || JSON.stringify(read) !== '').toBe(true);
        else expect(read).toBeUndefined();
      }),
    );
  });

  it('"not" turns a claim into its opposite', () => {
    const thing = fc.constantFrom(
      'a table',
      'a form',
      'a heading "Tea"',
      'an iframe',
      'the text "Tea"',
    );
    fc.assert(
      fc.property(thing, (text) => {
        const [positive] = readClaims(`The page must have ${text}`) ?? [];
        const [negative] = readClaims(`The page must not have ${text}`) ?? [];
        if (positive?.about !== 'number' || negative?.about !== 'number') throw new Error(text);
        expect(positive.quantity).toEqual({ from: 1, to: many, least: 1, most: many });
        expect(negative).toEqual({ ...positive, quantity: { from: 0, to: 0, least: 0, most: 0 } });
      }),
    );
  });

  it('any text is read in a time that grows with its length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        readClaims(text);
        readClaims(`The page must ${text}`);
      }),
    );
    readClaims('and '.repeat(100));
    readClaims('a table and '.repeat(33));
    readClaims(`The page must have ${'"a" '.repeat(90)}`);
  });
});

it.each([
  ['All text must have a contrast of at least 4.5:1', { look: 'contrast', least: 4.5 }],
  ['The contrast of all text must be at least 7 to 1', { look: 'contrast', least: 7 }],
  ['Text must meet WCAG AA contrast requirements', { look: 'contrast', least: 'enough' }],
  ['The page must not scroll horizontally at 320 px', { look: 'width', width: 'narrow' }],
  ['There must be no horizontal scrolling on phones', { look: 'width', exactly: false }],
  ['The site must not have horizontal scrolling on a desktop', { look: 'width', width: 'wide' }],
  ['The heading must be blue', { look: 'colour', colour: 'blue', negated: false, of: 'thing' }],
  ['The footer must not have a dark background', { of: 'background', negated: true }],
  ['The image must come before the form', { look: 'order', relation: 'before' }],
  ['The "Buy" button must be visible without scrolling', { look: 'seen', where: 'unscrolled' }],
  ['The navigation must be hidden on small screens', { look: 'seen', negated: true }],
  ['The text "A b" must not be hidden', { look: 'seen', negated: false, where: 'anywhere' }],
])('reads how a page must look: %s', (requirement, claim) => {
  expect(readClaims(requirement)).toEqual([expect.objectContaining(claim)]);
});

it.each([
  'All text must have a good contrast',
  'The contrast must be at least 4.5 to 1',
  'All text must have a contrast of at least 4.5 to 1 in dark mode',
  'The page must not scroll horizontally',
  'The page must not scroll horizontally at 500 px',
  'A heading must be blue',
  'The heading must be blue or green',
  'The heading must be bluish',
  'The heading must be blue when the mouse is over it',
  'The image must not come before the form',
  'The menu must be visible after a click',
  'The logo must be above the heading',
])('leaves unread what it does not know: %s', (requirement) => {
  expect(readClaims(requirement)).toBe(undefined);
});
