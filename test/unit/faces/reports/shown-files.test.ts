import { describe, expect, it } from 'vitest';
import { shownFiles } from '@/faces/reports/run-recorder.js';

const page = { type: 'page', path: 'a.html', content: '<p>a' };

describe('what a report shows of a version', () => {
  it('are its files', () => {
    expect(shownFiles({ artifacts: [page] })).toEqual([page]);
    expect(shownFiles('a text')).toEqual([{ type: 'text', path: 'output', content: 'a text' }]);
    expect(shownFiles(undefined)).toEqual([]);
  });

  it.each([
    ['a result beside files', { result: 3, artifacts: [page] }, { result: 3 }],
    ['hints', { artifacts: [page], routingHints: { to: 'x' } }, { routingHints: { to: 'x' } }],
    [
      'a further member of a file',
      { artifacts: [{ ...page, mode: '0777' }] },
      { artifacts: [{ path: 'a.html', mode: '0777' }] },
    ],
    [
      'a text in place of a type',
      { artifacts: [{ ...page, type: 'run this first' }] },
      { artifacts: [{ type: 'run this first', path: 'a.html' }] },
    ],
  ])('and as JSON what they do not show: %s', (_, output, rest) => {
    const [, result, ...others] = shownFiles(output);
    expect(others).toEqual([]);
    expect(result?.path).toBe('result');
    expect(JSON.parse(result?.content ?? '')).toEqual(rest);
  });

  it.each([[{ plan: ['x'] }], [[1, 2]], [7], [null]])(
    'and an output without files as JSON',
    (output) => {
      expect(shownFiles(output)).toEqual([
        { type: 'json', path: 'result', content: JSON.stringify(output, null, 2) },
      ]);
    },
  );

  it('shows a list of files with one that is none whole', () => {
    const output = { artifacts: [page, { path: 3 }] };
    expect(JSON.parse(shownFiles(output)[1]?.content ?? '')).toEqual(output);
  });

  it('takes a name that no file has', () => {
    const file = { type: 'text', path: 'result', content: 'x' };
    expect(shownFiles({ artifacts: [file], more: 1 }).map(({ path }) => path)).toEqual([
      'result',
      'result+',
    ]);
  });
});
