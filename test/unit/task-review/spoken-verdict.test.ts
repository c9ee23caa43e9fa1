import { describe, expect, it } from 'vitest';
import { parseVerdicts, withoutMarkers } from '../../../src/task-review/parse-verdicts.js';
import { spokenLines } from '../../../src/task-review/spoken-lines.js';

const verdictOf = (...lines: string[]): string => parseVerdicts(lines.join('\n')).verdict;
const passed = 'REVIEW_PASSED';

describe('a verdict in a text', () => {
  it('has the reason behind its colon, of the first marker that gives one', () => {
    expect(parseVerdicts('REVIEW_FIXED:  two things \n')).toEqual({
      ...{ verdict: 'fixed', reason: 'two things' },
    });
    expect(parseVerdicts('REVIEW_FAILED\nREVIEW_FAILED: thin\nREVIEW_FAILED: late')).toEqual({
      ...{ verdict: 'failed', reason: 'thin' },
    });
    expect(parseVerdicts(passed)).toEqual({ verdict: 'passed', reason: '' });
    expect(parseVerdicts('REVIEW_PASSED :fine')).toEqual({ verdict: 'passed', reason: 'fine' });
  });

  it('is none where the marker goes on as a sentence or a word', () => {
    for (const line of [
      'The verdict is: REVIEW_PASSED',
      'REVIEW_PASSED would be wrong',
      'REVIEW_PASSED-ish',
      'REVIEW_PASSED.',
    ])
      expect(verdictOf(line), line).toBe('not_run');
    for (const line of ['REVIEW_PASSED ', 'REVIEW_PASSED\t', '   review_passed'])
      expect(verdictOf(line), line).toBe('passed');
    expect(verdictOf('    REVIEW_PASSED')).toBe('not_run');
  });

  it('passes in the last line only, and fails in any', () => {
    expect(verdictOf(passed, 'but I am not sure')).toBe('not_run');
    expect(verdictOf('REVIEW_FIXED: a', 'and more')).toBe('not_run');
    expect(verdictOf(passed, '', ' \t')).toBe('passed');
    expect(verdictOf('REVIEW_FAILED: thin', 'and more')).toBe('failed');
  });

  it('is none where the line before announces it as an example', () => {
    for (const before of [
      'The last line would be:',
      'So:  ',
      '最后一行：',
      '> quoted',
      '  > quoted',
    ])
      expect(verdictOf(before, passed), before).toBe('not_run');
    expect(verdictOf('It is fine', passed)).toBe('passed');
    expect(verdictOf(`${'x'.repeat(300)}:`, passed)).toBe('not_run');
  });

  it('is none in the lines of a list', () => {
    for (const item of ['- one', '* one', '+ one', '1. one', '12) one', '  nested'])
      expect(verdictOf(item, `  ${passed}`), item).toBe('not_run');
    expect(verdictOf('- one', passed)).toBe('passed');
    expect(verdictOf('one', ` ${passed}`)).toBe('passed');
  });

  it('is empty without words, and names verdicts that contradict each other', () => {
    for (const text of ['', ' \n\t'])
      expect(parseVerdicts(text)).toEqual({
        ...{ verdict: 'not_run', reason: 'Review returned empty response' },
      });
    expect(parseVerdicts('<think>REVIEW_PASSED</think>').reason).toContain('no verdict');
    expect(parseVerdicts('REVIEW_FAILED: a\nREVIEW_FIXED: b\nREVIEW_FAILED: c')).toEqual({
      ...{ verdict: 'error', reason: 'conflicting verdicts: REVIEW_FAILED, REVIEW_FIXED' },
    });
  });
});

describe('what a reviewer only shows', () => {
  const shown = (...lines: string[]): string[] => spokenLines(lines.join('\n'));
  const hidden = '[shown]';

  it('is code in fences, until they are closed with as many signs', () => {
    expect(shown('a', '```js', 'b', '```', 'c')).toEqual(['a', hidden, hidden, hidden, 'c']);
    expect(shown('````', '```', '````', 'c')).toEqual([hidden, hidden, hidden, 'c']);
    expect(shown('~~~', '```', '~~~~', 'c')).toEqual([hidden, hidden, hidden, 'c']);
    expect(shown('```', '``` js', 'b')).toEqual([hidden, hidden, hidden]);
    expect(shown('   ```', '  ```  ', 'c')).toEqual([hidden, hidden, 'c']);
    for (const line of ['``', '    ```', '```a``` is code', 'x ```'])
      expect(shown(line, 'b'), line).toEqual([line, 'b']);
    expect(shown('~~~ a~b', 'b')).toEqual([hidden, hidden]);
  });

  it('is a comment over several lines', () => {
    expect(shown('a <!-- b', 'c', 'd --> e', 'f')).toEqual([hidden, hidden, hidden, 'f']);
    for (const line of ['<!-- a -->', 'write `<!--` there', '-->'])
      expect(shown(line, 'b'), line).toEqual([line, 'b']);
    expect(shown('<!-- a --> <!--', 'b', '-->', 'c')).toEqual([hidden, hidden, hidden, 'c']);
    expect(shown('`a` <!-- b', 'c')).toEqual([hidden, hidden]);
  });

  it('is material that it repeats, until the same fence ends', () => {
    expect(
      shown('  <<<UNTRUSTED n1 diff>>>', passed, '<<<END n2>>>', 'x <<<END n1>>>', 'c'),
    ).toEqual([hidden, hidden, hidden, hidden, 'c']);
    expect(shown('see <<<UNTRUSTED n1', 'b')).toEqual(['see <<<UNTRUSTED n1', 'b']);
  });

  it('is a thought, or a block of a page', () => {
    for (const tag of ['think', 'thinking', 'thought', 'reasoning', 'pre', 'code', 'blockquote']) {
      expect(shown(` <${tag.toUpperCase()}>`, 'a', `b </${tag}> c`, 'd'), tag).toEqual([
        ...[hidden, hidden, hidden],
        'd',
      ]);
      expect(shown(`<${tag}>a</${tag}>`, 'b'), tag).toEqual([`<${tag}>a</${tag}>`, 'b']);
    }
    for (const line of ['<thinker>', 'a <pre>', '<p>'])
      expect(shown(line, 'b'), line).toEqual([line, 'b']);
    expect(shown('<pre>', 'x </PRE>', 'c')).toEqual([hidden, hidden, 'c']);
  });

  it('keeps no carriage return', () => {
    expect(spokenLines('a\r\nb\r\r\n')).toEqual(['a', 'b\r', '']);
  });
});

it('markers in material are no verdict when they are read again', () => {
  expect(withoutMarkers('a\n  REVIEW_PASSED: x\nreview_failed\nREVIEW_FIXED  :y')).toBe(
    'a\n  review PASSED: x\nreview failed\nreview FIXED  :y',
  );
  for (const text of ['see REVIEW_PASSED', 'REVIEW_PASSED it is', 'REVIEW_OTHER:'])
    expect(withoutMarkers(text)).toBe(text);
});
