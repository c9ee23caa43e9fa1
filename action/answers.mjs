// Answers that people gave as comments of the pull request: `/reviewloop R6=yes R3=no why`, and
// `/reviewloop approve COMMIT` where a person must approve what the reviewers approve.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { env, ownComment } from './github.mjs';

const mayPush = ['OWNER', 'MEMBER', 'COLLABORATOR'];
const decision = /^([\w:./-]{1,200})=(yes|no)$/i;
const approval = /^approve\s+([0-9a-f]{7,64})(?:\s+(.*))?$/i;

/** Returns the decisions and approvals of one comment, with their reason. */
function decisionsIn(body) {
  return body.split(/\r?\n/).flatMap((line) => {
    const [, said] = /^\s*\/reviewloop\s+(.+)$/.exec(line) ?? [];
    if (said === undefined) return [];
    const [, commit, why = ''] = approval.exec(said.trim()) ?? [];
    if (commit !== undefined)
      return [{ name: '', commit: commit.toLowerCase(), reason: why.slice(0, 1_000) }];
    const words = said.trim().split(/\s+/);
    const count = words.findIndex((word) => !decision.test(word));
    const given = count < 0 ? words : words.slice(0, count);
    const reason = words.slice(given.length).join(' ').slice(0, 1_000);
    return given.map((word) => {
      const [, name, value] = decision.exec(word);
      return { name: name.toLowerCase(), value: value.toLowerCase(), reason };
    });
  });
}

/**
 * Returns the answers of people who may push, without those of the author of the change, the latest
 * last; and the passages that earlier answers were about, which the comment of the review contains.
 */
export function answersIn(comments, { author, pushedAt }) {
  const answers = comments
    .filter(
      ({ user, author_association: role, body = '' }) =>
        author !== undefined &&
        user?.type === 'User' &&
        mayPush.includes(role) &&
        (user.login !== author || env('REVIEWLOOP_SELF_ANSWER') === 'true') &&
        body.includes('/reviewloop'),
    )
    .flatMap(({ id, user, body, created_at: at, updated_at: edited = at }) =>
      decisionsIn(body).map((one) => ({
        ...one,
        comment: id,
        by: user.login,
        isNew: pushedAt !== undefined && Date.parse(at) > Date.parse(pushedAt),
        edited,
      })),
    );
  return { answers, known: knownPassages(ownComment(comments)?.body ?? '') };
}

const mark = /^<!-- reviewloop:\S+ \S+ \d+ -->\n<!-- reviewloop-answers ([\w+/=]+) -->\n/;

function knownPassages(body) {
  try {
    return JSON.parse(Buffer.from(mark.exec(body)?.[1] ?? '', 'base64').toString()) ?? {};
  } catch {
    return {};
  }
}

/** Returns the line of a comment that says what each answer was about. */
export function passagesLine(passages) {
  if (Object.keys(passages).length === 0) return '';
  return `<!-- reviewloop-answers ${Buffer.from(JSON.stringify(passages)).toString('base64')} -->\n`;
}

/** Returns the digest of what a question is about: its files as they are, else the whole version. */
function passageOf({ id, criterion }, { coverage, version }) {
  const entry = coverage.find((one) => id !== undefined && one.id === id);
  const files = [...new Set((entry?.evidence ?? []).map(({ file }) => file))].sort((a, b) =>
    a < b ? -1 : 1,
  );
  const isThere = files.length > 0 && files.every((file) => file !== '' && existsSync(file));
  const about = isThere ? files.map((file) => [file, sha256(readFileSync(file))]) : version;
  return sha256(JSON.stringify([entry?.requirement ?? criterion, about]));
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * Returns the answers to open questions, by the person who gave them. One that is older than the last
 * push counts only if what it was about is unchanged.
 */
export function countedAnswers(report, { answers, known }) {
  const counted = new Map();
  for (const open of report.undecided) {
    const names = [open.id, open.criterion].map((name) => name?.toLowerCase());
    const passage = passageOf(open, report);
    const answer = answers.findLast(({ name }) => names.includes(name));
    if (answer === undefined) continue;
    const [comment, about, edited] = known[open.criterion] ?? [];
    const isSame = comment === answer.comment && about === passage && edited === answer.edited;
    if (!answer.isNew && !isSame) continue;
    const name = open.id ?? open.criterion;
    counted.set(open.criterion, { ...answer, name, passage });
  }
  return {
    people: [...byPerson(counted.values())],
    passages: Object.fromEntries(
      [...counted].map(([criterion, { comment, passage, edited }]) => [
        criterion,
        [comment, passage, edited],
      ]),
    ),
  };
}

/** The name under which the comment of the review keeps what an approval was about. */
const approvalKey = '/approve';

/** Returns the question of a run whose reviewers approve, and that waits for a person to do so. */
export function approvalAsked(report) {
  return report?.requests?.find(
    ({ approved, allowed }) => approved === true && allowed.includes('approve'),
  );
}

/**
 * Returns the approval of the version that waits for one, with what it is about. It names the last
 * commit, and is newer than its push; later it counts while no file changes.
 */
export function countedApproval(report, { answers, known, head = '' }) {
  const asked = approvalAsked(report);
  if (asked === undefined) return undefined;
  const [comment, about, edited] = known[approvalKey] ?? [];
  const found = answers.findLast(
    (one) =>
      one.commit !== undefined &&
      ((one.isNew && head.startsWith(one.commit)) ||
        (one.comment === comment && one.edited === edited && about === asked.digest)),
  );
  if (found === undefined) return undefined;
  const { by, reason } = found;
  return {
    words: ['answer', report.runId, 'approve', '--by', by, ...(reason && [`--reason=${reason}`])],
    passages: { [approvalKey]: [found.comment, asked.digest, found.edited] },
  };
}

function byPerson(answers) {
  const people = new Map();
  for (const answer of answers) people.set(answer.by, [...(people.get(answer.by) ?? []), answer]);
  return people;
}

/** Returns the words of `reviewloop answer` for the answers of one person. */
export function answerWords(runId, [by, answers]) {
  const reasons = [...new Set(answers.map(({ reason }) => reason).filter(Boolean))].join('; ');
  return [
    ...['answer', runId, 'decide', ...answers.map(({ name, value }) => `${name}=${value}`)],
    ...['--by', by],
    ...(reasons === '' ? [] : [`--reason=${reasons}`]),
  ];
}
