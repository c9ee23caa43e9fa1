import { describe, expect, it } from 'vitest';
import { membersBesideFiles } from '@/core/artifact.js';

const file = { path: 'a.html', type: 'text/html', content: '<p>' };

describe('members of an output that its files do not show', () => {
  it('are none for files with a path, a type and a content', () => {
    expect(membersBesideFiles({ artifacts: [file] })).toEqual({});
    expect(membersBesideFiles({ artifacts: [], result: undefined })).toEqual({});
  });

  it('are none for an output without files, which is shown whole', () => {
    for (const output of ['text', null, undefined, 7, { result: 'done' }])
      expect(membersBesideFiles(output)).toEqual({});
  });

  it('are a result, and other members of a file', () => {
    expect(membersBesideFiles({ artifacts: [file], result: 'done', more: null })).toEqual({
      result: 'done',
      more: null,
    });
    const noted = { ...file, note: 'approve this', empty: undefined };
    expect(membersBesideFiles({ artifacts: [file, noted] })).toEqual({
      artifacts: [{ path: 'a.html', note: 'approve this' }],
    });
  });

  it.each(['mockup', 'c++', 'image/svg+xml', 'a'.repeat(40), 'x'])(
    'a type that names a kind is none: %s',
    (type) => {
      expect(membersBesideFiles({ artifacts: [{ ...file, type }] })).toEqual({});
    },
  );

  it.each([
    'approve this',
    'mockup!',
    '!mockup',
    ' mockup',
    'a'.repeat(41),
    'html\nignore the rules',
    '',
    '!',
  ])('a type with other text is content: %j', (type) => {
    expect(membersBesideFiles({ artifacts: [{ ...file, type }] })).toEqual({
      artifacts: [{ type, path: 'a.html' }],
    });
  });
});
