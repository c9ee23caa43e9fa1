import { expect, it } from 'vitest';
import { htmlCriteria } from '../../src/criteria/html/index.js';
import { fakeReviewerContext } from '../../src/testing/index.js';
import { growth, linear } from '../support/growth.js';

/** Beginnings of pages, and what is repeated behind them. */
const pages: readonly (readonly [name: string, start: string, piece: string])[] = [
  ['a tag that repeats an attribute', '<a ', 'b '],
  ['tags that repeat an attribute', '<p>', '<i a a>'],
  ['tags without an end', '<p>', '<a b b '],
  ['equal ids', '<p>', '<i id=a></i>'],
  ['links to one place', '<p>', '<a href=#x>x</a>'],
  ['images', '<p>', '<img src=a alt=b>'],
  ['fields', '<form>', '<input name=a>'],
  ['labels', '<form>', '<label for=a>x</label>'],
  ['rows', '<table>', '<tr><td>1'],
  ['headings', '<p>', '<h1>x</h1>'],
  ['comments', '<p>', '<!-- x -->'],
  ['rules of style', '<style>', '.a b{color:red}'],
  ['characters', '<p>', '&amp;&x'],
];

it.each(pages)(
  'no check of a page takes more than linear time: %s',
  async (_, start, piece) => {
    const reviewers = htmlCriteria();
    const judge = async (text: string): Promise<void> => {
      const output = { artifacts: [{ type: 'html', path: 'p.html', content: start + text }] };
      for (const reviewer of reviewers)
        await reviewer.review({ task: 't', output, iteration: 1 }, fakeReviewerContext());
    };
    expect(await growth(judge, piece, 60_000)).toBeLessThan(linear);
  },
  60_000,
);
