import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

const file = resolve(import.meta.dirname, '../../action/answers.mjs');
interface Answers {
  readonly answers: readonly object[];
  readonly known: object;
}
const { answersIn, countedAnswers, countedApproval } = (await import(pathToFileURL(file).href)) as {
  readonly answersIn: (comments: readonly object[], about: object) => Answers;
  readonly countedAnswers: (report: unknown, given: Answers) => { readonly people: unknown[] };
  readonly countedApproval: (report: unknown, given: object) => object | undefined;
};

describe('a comment', () => {
  const about = { author: 'author', pushedAt: '2026-11-29T10:00:00Z' };
  const made = {
    ...{ id: 5, user: { type: 'User', login: 'ann' }, author_association: 'MEMBER' },
    created_at: '2026-11-29T10:05:00Z',
  };
  const undecided = [{ id: 'R1', criterion: 'requirement:warm' }];
  const request = { approved: true, allowed: ['approve'], digest: 'v1' };
  const report = { runId: 'r', version: 'v', undecided, coverage: [], requests: [request] };
  const head = '4f1c2d9e0';
  const author = { user: { type: 'User', login: 'author' } };
  const countedOf = (body: string, more: object) => {
    const given = answersIn([{ ...made, body: `Fine.\n/reviewloop ${body}\n`, ...more }], about);
    const approval = countedApproval(report, { ...given, head });
    return {
      decided: countedAnswers(report, given).people.length,
      approves: approval !== undefined,
    };
  };

  it.each<[string, string, object, number, boolean]>([
    ['of a maintainer decides', 'R1=yes looks warm', {}, 1, false],
    ['of a maintainer approves', `approve ${head} ship it`, {}, 0, true],
    ['of a stranger', 'R1=yes', { author_association: 'CONTRIBUTOR' }, 0, false],
    ['of a bot', 'R1=yes', { user: { type: 'Bot', login: 'helper[bot]' } }, 0, false],
    ['of the author', 'R1=yes', author, 0, false],
    ['of the author approves nothing', `approve ${head}`, author, 0, false],
    ['before the push', 'R1=yes', { created_at: '2026-11-29T09:59:00Z' }, 0, false],
    ['about another question', 'R2=yes', {}, 0, false],
    ['with another word', 'R1=maybe', {}, 0, false],
    ['about another commit', 'approve 0123abc', {}, 0, false],
    ['about no commit', 'approve', {}, 0, false],
    ['that only speaks of it', 'is a tool', {}, 0, false],
  ])('%s: %s', (_, body, more, decided, approves) =>
    expect(countedOf(body, more)).toEqual({ decided, approves }),
  );

  it('of the author counts if the workflow says so', () => {
    vi.stubEnv('REVIEWLOOP_SELF_ANSWER', 'true');
    expect(countedOf('R1=yes', author)).toEqual({ decided: 1, approves: false });
  });
});

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
