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
        {
          label: 'result',
          text: JSON.stringify(
            { result: { n: 1 }, qualityScore: 0.9, selfReviewResult: {}, routingHints: [] },
            null,
            2,
          ),
        },
      ],
    ],
    [{ artifacts: ['odd'] }, [{ label: 'output', text: '{\n  "artifacts": [\n    "odd"\n  ]\n}' }]],
  ])('%j', (view, expected) => {
    expect(sectionsOf(view)).toEqual(expected);
  });
});

describe('what a judge is shown of an output', () => {
  const kind = { type: 'doc', path: 'a.md', content: 'tea' };
  const evil = '<EVIL>';
  const places: Readonly<Record<string, unknown>> = {
    'a text': evil,
    'a member': { text: evil },
    'a member called __proto__': JSON.parse(`{"__proto__":"${evil}"}`),
    'the content of a file': { artifacts: [{ ...kind, content: evil }] },
    'the path of a file': { artifacts: [{ ...kind, path: evil }] },
    'the type of a file': { artifacts: [{ ...kind, type: evil }] },
    'another member of a file': { artifacts: [{ ...kind, html: evil }] },
    'another member of a second file': { artifacts: [kind, { ...kind, html: { deep: [evil] } }] },
    'another member of a file alone': { ...kind, html: evil },
    'another member of a list of files': [kind, { ...kind, html: evil }],
    'the type of a file alone': { ...kind, type: evil },
    'a file that is none': { artifacts: [kind, { path: 'b', content: evil }] },
    'the result': { artifacts: [kind], result: evil },
    ...Object.fromEntries(
      ['routingHints', 'qualityScore', 'selfReviewResult', 'more'].map((name) => [
        name,
        { artifacts: [kind], [name]: evil },
      ]),
    ),
  };

  it.each(Object.entries(places))('contains %s', (_, view) => {
    expect(JSON.stringify(sectionsOf(view))).toContain(evil);
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
