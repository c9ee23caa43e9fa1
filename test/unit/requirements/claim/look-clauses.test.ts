import { expect, it } from 'vitest';
import { readClaims } from '@/requirements/claim/read-claims.js';

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
