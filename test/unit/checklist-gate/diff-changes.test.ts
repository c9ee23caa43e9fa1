import { describe, expect, it } from 'vitest';
import {
  changesOf,
  pathsOfDiff,
  removedBy,
} from '../../../src/checklist-gate/plan/diff-changes.js';

const change = (path: string, more: object = {}) => ({
  path,
  isRenamed: false,
  isRemoved: false,
  added: [],
  removed: [],
  ...more,
});

describe('changesOf', () => {
  it.each([
    ['nothing', 'just text\n--- no diff\n', []],
    [
      'lines',
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n',
      [change('x', { added: ['new'], removed: ['old'] })],
    ],
    [
      'a new file',
      '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n',
      [change('x', { added: ['one'] })],
    ],
    [
      'a removed file',
      '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
      [change('x', { isRemoved: true, removed: ['one'] })],
    ],
    [
      'removed lines that look like a header',
      '--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ another\n same\n',
      [change('x.sql', { added: ['++ another'], removed: ['-- a comment'] })],
    ],
    [
      'two files',
      '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n',
      [
        change('x', { added: ['b'], removed: ['a'] }),
        change('y', { added: ['d'], removed: ['c'] }),
      ],
    ],
    [
      'headers of git once',
      'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n+n\n',
      [change('x', { added: ['n'] })],
    ],
    [
      'a new file that is empty',
      'diff --git a/x b/x\nnew file mode 100644\nindex 000..e69\n',
      [change('x')],
    ],
    [
      'a removed file that is empty',
      'diff --git a/x y b/x y\ndeleted file mode 100644\n',
      [change('x y', { isRemoved: true })],
    ],
    [
      'a file that was renamed as it is',
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
      [change('y', { oldPath: 'x', isRenamed: true })],
    ],
    [
      'one that was renamed and changed',
      'diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n+n\n',
      [change('y', { oldPath: 'x', isRenamed: true, added: ['n'] })],
    ],
    [
      'two names of one file',
      '--- a/x.orig\n+++ b/x\n@@ -1 +1 @@\n+n\n',
      [change('x', { oldPath: 'x.orig', added: ['n'] })],
    ],
    [
      'a time behind a name',
      '--- x\t2026-01-01\n+++ x\t2026-01-02\n@@ -1 +1 @@\n+n\n',
      [change('x', { added: ['n'] })],
    ],
    [
      'line ends of Windows',
      '--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n+n\r\n',
      [change('x', { added: ['n\r'] })],
    ],
    [
      'quoted names',
      'diff --git "a/\\303\\244 \\"q\\"\\t.md" "b/\\303\\244 \\"q\\"\\t.md"\ndeleted file mode 100644\n',
      [change('ä "q"\t.md', { isRemoved: true })],
    ],
  ])('reads %s', (_name, diff, expected) => expect(changesOf(diff)).toEqual(expected));

  it('tells every path once, and what is gone in the end', () => {
    const moved = 'diff --git a/x b/y\nrename from x\nrename to y\n';
    const made = '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n';
    expect(pathsOfDiff(`${moved}${made}`)).toEqual(['x', 'y']);
    expect([...removedBy([moved])]).toEqual(['x']);
    expect([...removedBy([moved, made])]).toEqual([]);
  });
});
