import { describe, expect, it } from 'vitest';
import { jsonOrText } from '../../../src/core/json-or-text.js';

describe('a text that a person typed as a value', () => {
  it.each<[string, unknown]>([
    ['{"a": [1, null]}', { a: [1, null] }],
    ['7', 7],
    ['false', false],
    ['null', null],
    ['"seven"', 'seven'],
  ])('is its JSON data: %s', (text, value) => {
    expect(jsonOrText(text)).toEqual(value);
  });

  it.each(['ship it', '', '{"a": 1', "{'a': 1}", ' yes, 7 of 9 '])(
    'is itself if it is not JSON: %s',
    (text) => {
      expect(jsonOrText(text)).toBe(text);
    },
  );
});
