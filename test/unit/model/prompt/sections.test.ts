import { describe, expect, it } from 'vitest';
import { mergeSections, sectionsOf } from '../../../../src/model/prompt/sections.js';

describe('sectionsOf', () => {
  it.each([
    ['text', [{ label: 'output', text: 'text' }]],
    [7, [{ label: 'output', text: '7' }]],
    [undefined, [{ label: 'output', text: '' }]],
    [[], [{ label: 'output', text: '[]' }]],
    [
      [{ path: 'a', type: 't', content: 'x' }, 'odd'],
      [
        {
          label: 'output',
          text: JSON.stringify([{ path: 'a', type: 't', content: 'x' }, 'odd'], null, 2),
        },
      ],
    ],
    [{ path: 'a.md', type: 't', content: 'x' }, [{ label: 'artifact a.md', text: 'x' }]],
    [
      {
        artifacts: [
          { path: 'a', type: 't' },
          { path: 'A', type: 't', content: 'y' },
          { path: 'a', type: 't', content: 'z' },
        ],
      },
      [
        { label: 'artifact A', text: 'y' },
        { label: 'artifact a', text: '' },
        { label: 'artifact a', text: 'z' },
      ],
    ],
    [
      {
        artifacts: [{ path: 'a', type: 't', content: 'x' }],
        result: { n: 1 },
        more: undefined,
        qualityScore: 0.9,
        selfReviewResult: {},
        routingHints: [],
      },
      [
        { label: 'artifact a', text: 'x' },
        { label: 'result', text: '{\n  "result": {\n    "n": 1\n  }\n}' },
      ],
    ],
    [{ artifacts: ['odd'] }, [{ label: 'output', text: '{\n  "artifacts": [\n    "odd"\n  ]\n}' }]],
  ])('%j', (view, expected) => {
    expect(sectionsOf(view)).toEqual(expected);
  });
});

describe('mergeSections', () => {
  it('shows equal material once, and other material of the same name under a name of its own', () => {
    const a = { label: 'artifact a', text: 'one' };
    const other = { label: 'artifact a', text: 'two' };
    expect(mergeSections([[a], [other], [a, { label: 'b', text: 'x' }], [other]])).toEqual({
      sections: [a, { label: 'artifact a (2)', text: 'two' }, { label: 'b', text: 'x' }],
      labels: [['artifact a'], ['artifact a (2)'], ['artifact a', 'b'], ['artifact a (2)']],
    });
  });
});
