import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const file = resolve(import.meta.dirname, '../../action/answers.mjs');
const { countedApproval } = (await import(pathToFileURL(file).href)) as {
  readonly countedApproval: (report: unknown, given: object) => object | undefined;
};

const request = { approved: true, allowed: ['approve', 'reject'], digest: 'v1' };
const answer = { commit: '4f1c2d9', by: 'ann', reason: '', comment: 1, isNew: true, edited: 'e' };
const known = { '/approve': [1, 'v1', 'e'] };
const old = { ...answer, isNew: false };

it.each([
  ['what the reviewers approve, by a new comment', true, {}, {}],
  ['what an old comment was about', true, {}, { answers: [old], known }],
  ['nothing that the reviewers do not approve', false, { approved: false }, {}],
  ['nothing that takes no approval', false, { allowed: ['decide'] }, {}],
  ['nothing by a decision', false, {}, { answers: [{ ...answer, commit: undefined }] }],
  ['no other commit', false, {}, { head: '0123abc' }],
  ['no commit of a merge queue', false, {}, { head: undefined }],
  ['nothing by an old comment', false, {}, { answers: [old] }],
  ['no other version', false, { digest: 'v2' }, { answers: [old], known }],
  ['nothing by a changed comment', false, {}, { answers: [{ ...old, edited: 'f' }], known }],
])('a comment approves %s', (_, counts, asked, more) => {
  const report = { runId: 'r', requests: [{ ...request, ...asked }] };
  const given = { answers: [answer], known: {}, head: '4f1c2d9e0', ...more };
  const expected = { words: ['answer', 'r', 'approve', '--by', 'ann'], passages: known };
  expect(countedApproval(report, given)).toEqual(counts ? expected : undefined);
});
