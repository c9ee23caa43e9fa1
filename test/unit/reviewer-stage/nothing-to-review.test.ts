import { describe, expect, it } from 'vitest';
import { nothingToReview } from '../../../src/reviewer-stage/nothing-to-review.js';
import { work } from './support.js';

describe('a change has something to review', () => {
  const changed = (more: object) =>
    nothingToReview({
      ...work,
      changedFiles: [{ path: 'a.ts', status: 'modified', added: 0, removed: 0, ...more }],
    });

  it.each([
    ['a file that is gone', { status: 'deleted', diff: '' }],
    ['a file with another name', { status: 'renamed', diff: '' }],
    ['a file that was left out', { omitted: 'too large', diff: '' }],
    ['a file of which only the name is known', {}],
    ['text', { content: 'x' }],
    ['a new line', { diff: '@@ -1 +1 @@\n+x' }],
    ['a line that is gone', { diff: '@@ -1 +1 @@\n-x' }],
    ['another mode', { diff: 'old mode 100644\nnew mode 100755' }],
  ])('in %s', (_, more) => {
    expect(changed(more)).toBeUndefined();
  });

  it.each([
    ['blank text', { content: ' \n' }],
    ['blank lines', { diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n+  \n-' }],
    ['lines that are not changed', { diff: '@@ -1 +1 @@\n x\n the old mode 100644 x' }],
  ])('unless it is only %s', (_, more) => {
    expect(changed(more)).toEqual(expect.any(String));
  });
});
