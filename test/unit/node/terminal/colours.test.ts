import { expect, it } from 'vitest';
import { hasColours, movesCursor } from '@/node/terminal/colours.js';

const terminal = { isTTY: true };

it.each([
  ['a terminal', terminal, {}, true, true],
  ['a pipe', {}, {}, false, false],
  ['NO_COLOR', terminal, { NO_COLOR: '1' }, false, false],
  ['an empty NO_COLOR', terminal, { NO_COLOR: '' }, true, true],
  ['TERM=dumb', terminal, { TERM: 'dumb' }, false, false],
  ['FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1' }, true, false],
  ['FORCE_COLOR before NO_COLOR', terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false, false],
  ['FORCE_COLOR of a dumb terminal', terminal, { FORCE_COLOR: '1', TERM: 'dumb' }, true, false],
])('one rule for colours: %s [R2-085]', (_, stream, environment, colours, cursor) => {
  expect([hasColours(stream, environment), movesCursor(stream, environment)]).toEqual([
    colours,
    cursor,
  ]);
});
