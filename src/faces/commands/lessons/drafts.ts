import { dirname, relative, resolve } from 'node:path';
import { llmCriterion } from '../../../blocks/reviewers/llm-criterion.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import type { Severity } from '../../../core/gap.js';
import { isVisible } from '../../../core/human.js';
import { digestJson } from '../../../core/json.js';
import { plural } from '../../../core/plural.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { engineErrors } from '../../../engine/errors.js';
import { nodeErrors } from '../../../node/errors.js';
import { isThere } from '../../../node/files.js';
import type { AuditSink } from '../../../ports/audit-chain.js';
import { systemClock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import type { AskRule } from '../../../products/calibration/ask-where-unreliable.js';
import type { ReadLabel } from '../../../products/calibration/labels.js';
import {
  type Agreement,
  type JudgeLesson,
  type Learned,
  learnFromDecisions,
} from '../../../products/calibration/learn-from-decisions.js';
import {
  type AcceptedCriterion,
  acceptDraft,
  type CriterionDraft,
  draftCriteria,
} from '../../../products/lessons/draft-criteria.js';
import {
  draftFromReasons,
  type RejectionReason,
} from '../../../products/lessons/draft-from-reasons.js';
import { fileLessons } from '../../../products/lessons/file-lessons.js';
import {
  type AcceptedFile,
  type AcceptedPlace,
  acceptedPath,
  changeAccepted,
  readAccepted,
} from '../../cli-kit/criteria/accepted-file.js';
import { usageError } from '../../cli-kit/errors.js';
import type { Io } from '../../cli-kit/io.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { loadConfig } from '../../config/load-config.js';
import { isOfOneTask, readLabelFile, storedLabels } from '../calibration/stored-labels.js';

export interface LessonPlaces {
  readonly store: StoreHandle;
  /** A file of lessons; undefined reads those of the store. */
  readonly lessons: string | undefined;
  /** A file of labels; undefined takes that of the configuration. */
  readonly labels: string | undefined;
  /** The file of accepted criteria; undefined searches for one. */
  readonly criteria: string | undefined;
}

export type Draft = CriterionDraft | JudgeDraft;

async function draftsOf(io: Io, places: LessonPlaces): Promise<readonly Draft[]> {
  const { learned, reasons } = await readAnswers(io, places);
  return [
    ...judgeDrafts(learned),
    ...draftFromReasons(reasons),
    ...(await draftsFromLessons(io, places)),
  ];
}

export function whyDrafted(draft: Draft): string {
  if ('rule' in draft) return basisText(draft.basis);
  const { seen, lessons } = draft.basis;
  return draft.from === 'people'
    ? `said in ${plural(seen, 'answer')}`
    : `seen ${plural(seen, 'time')} in ${plural(lessons, 'lesson')}`;
}

async function draftsFromLessons(
  io: Io,
  { store, lessons }: LessonPlaces,
): Promise<CriterionDraft[]> {
  if (lessons === undefined)
    return draftCriteria(store.exists() ? await (await store.lessons()).lessons() : []);
  const path = resolve(io.cwd, lessons);
  if (!(await isThere(path)))
    throw new ReviewLoopError(nodeErrors.file_unreadable, `cannot read ${lessons}: no such file`, {
      value: lessons,
    });
  return draftCriteria(await fileLessons(path).lessons());
}

export type DraftDecision = AcceptedFile['decisions'][number];

export type DraftAnswer =
  | {
      readonly decision: 'accepted';
      readonly by: string;
      readonly question: string | undefined;
      readonly severity: Severity | undefined;
      readonly as: string | undefined;
    }
  | { readonly decision: 'rejected'; readonly by: string; readonly reason: string | undefined };

export async function readDrafts(
  io: Io,
  places: LessonPlaces,
): Promise<{ readonly drafts: readonly Draft[]; readonly decisions: readonly DraftDecision[] }> {
  const { cwd, path } = await placeOf(io, places);
  return {
    drafts: await draftsOf(io, places),
    decisions: (await readAccepted(cwd, path))?.decisions ?? [],
  };
}

/**
 * Accepts a draft as a criterion, or rejects it for good. The audit log records the decision first.
 *
 * @returns The criterion of an accepted draft, and the file with the decisions.
 */
export async function decideDraft(
  io: Io,
  places: LessonPlaces,
  id: string,
  given: DraftAnswer,
): Promise<{
  readonly criterion: AcceptedCriterion | undefined;
  readonly rule: AskRule | undefined;
  readonly draft: string;
  readonly file: string;
}> {
  const answer = redactJson(given);
  const draft = draftOf(await draftsOf(io, places), id);
  if (answer.decision === 'rejected' && (answer.reason ?? '').trim() === '')
    throw new ReviewLoopError(
      engineErrors.reason_required,
      `rejecting draft ${draft.id} requires --reason`,
    );
  if (!isVisible(answer.by)) throw usageError('--by expects the name of a person');
  const { criterion, rule } = answer.decision === 'accepted' ? accepted(draft, answer) : {};
  const place = await placeOf(io, places);
  await changeAccepted(place, async (now) => {
    const before = now.decisions.find((decided) => decided.draft === draft.id);
    if (before !== undefined)
      throw usageError(
        `draft ${draft.id} was ${before.decision} by ${before.by} on ${before.at.slice(0, 10)}`,
        id,
      );
    if (now.criteria.some((known) => known.id === criterion?.id))
      throw usageError(
        `a criterion ${criterion?.id} already exists; pass another id with --as`,
        id,
      );
    const reason = answer.decision === 'rejected' ? answer.reason : undefined;
    await audited(places.store.audit, { draft, criterion, rule, by: answer.by, reason });
    const decided: DraftDecision = {
      draft: draft.id,
      decision: answer.decision,
      by: answer.by,
      at: new Date(systemClock.now()).toISOString(),
      ...(criterion !== undefined && { criterion: criterion.id }),
      ...(reason !== undefined && { reason }),
    };
    return {
      ...now,
      criteria: criterion === undefined ? now.criteria : [...now.criteria, criterion],
      ...(rule !== undefined && { judges: [...othersThan(rule, now.judges), rule] }),
      decisions: [...now.decisions, decided],
    };
  });
  return { criterion, rule, draft: draft.id, file: relative(place.cwd, place.path) };
}

/** A judge has one rule: a newer one replaces it. */
function othersThan({ criterion }: AskRule, rules: readonly AskRule[] = []): readonly AskRule[] {
  return rules.filter((rule) => rule.criterion !== criterion);
}

async function placeOf(io: Io, { criteria, store }: LessonPlaces): Promise<AcceptedPlace> {
  return {
    cwd: io.cwd,
    path: criteria === undefined ? await acceptedPath(io.cwd) : resolve(io.cwd, criteria),
    store: store.local(io.cwd),
  };
}

function draftOf(drafts: readonly Draft[], id: string): Draft {
  const found =
    id === '' ? [] : drafts.filter((draft) => draft.id === id || draft.id.startsWith(id));
  const [draft] = found.filter((candidate) => candidate.id === id).concat(found);
  if (draft === undefined || (found.length > 1 && draft.id !== id))
    throw usageError(
      [
        found.length > 1 ? `${found.length} drafts start with` : 'no draft',
        `${JSON.stringify(id)}; see \`reviewloop lessons drafts\``,
      ].join(' '),
      id,
    );
  return draft;
}

/**
 * Returns the criterion or the rule of a draft. It throws if the criterion is invalid, before a
 * review uses it.
 */
function accepted(
  draft: Draft,
  { by, question, severity, as }: Extract<DraftAnswer, { decision: 'accepted' }>,
): { readonly criterion?: AcceptedCriterion; readonly rule?: AskRule } {
  if ('rule' in draft) {
    if (question !== undefined || severity !== undefined || as !== undefined)
      throw usageError(
        `${draft.id} is a rule about a judge; leave out --question, --severity and --as`,
        draft.id,
      );
    return { rule: draft.rule };
  }
  const criterion = acceptDraft(draft, {
    by,
    ...(question !== undefined && { question }),
    ...(severity !== undefined && { severity }),
    ...(as !== undefined && { id: as }),
  });
  llmCriterion(criterion);
  return { criterion };
}

interface Decided {
  readonly draft: Draft;
  readonly criterion: AcceptedCriterion | undefined;
  readonly rule: AskRule | undefined;
  readonly by: string;
  readonly reason: string | undefined;
}

async function audited(
  audit: AuditSink,
  { draft, criterion, rule, by, reason }: Decided,
): Promise<void> {
  const isAccepted = criterion !== undefined || rule !== undefined;
  const details = {
    draft: draft.id,
    ...(criterion !== undefined && { criterion: criterion.id, question: criterion.question }),
    ...(rule !== undefined && { rule: ruleText(rule) }),
  };
  try {
    const verdict = whyDrafted(draft);
    await audit.record({
      kind: `lesson.${isAccepted ? 'accept' : 'reject'}`,
      who: by,
      verdict,
      decision: isAccepted ? 'accept' : 'reject',
      details,
      ...(reason !== undefined && { reason }),
    });
  } catch (error) {
    throw isReviewError(error)
      ? error
      : new ReviewLoopError(
          portErrors.audit_unwritable,
          `cannot record the decision about ${draft.id} in the audit log: ${messageOf(error)}`,
          { cause: error },
        );
  }
}

/** A proposed rule about a judge. It changes nothing until a person accepts it. */
interface JudgeDraft {
  readonly status: 'draft';
  readonly id: string;
  readonly rule: AskRule;
  readonly basis: Pick<JudgeLesson, 'passes' | 'fails' | 'overridden'>;
}

function judgeDrafts({ judges }: Learned): JudgeDraft[] {
  return judges.flatMap(({ criterion, rule, passes, fails, overridden }) =>
    rule === undefined || isOfOneTask(criterion)
      ? []
      : [
          {
            status: 'draft' as const,
            id: `judge-${criterion}-${digestJson(rule).slice(0, 6)}`,
            rule,
            basis: { passes, fails, overridden },
          },
        ],
  );
}

export function ruleText({ criterion, passFrom, failTo }: AskRule): string {
  const asked = [
    ...(passFrom === undefined ? [] : [whenAsked('pass', passFrom, 'below')]),
    ...(failTo === undefined ? [] : [whenAsked('fail', failTo, 'above')]),
  ];
  return `ask a person when ${criterion} says ${asked.join(', or ')}`;
}

function whenAsked(verdict: string, bound: number | null, side: string): string {
  return bound === null ? verdict : `${verdict} with a score ${side} ${bound}`;
}

function basisText({ passes, fails, overridden }: JudgeDraft['basis']): string {
  const of = (name: string, { agreed, of: all }: Agreement): string =>
    `${agreed} of ${all} ${name}`;
  const accepted = overridden === 0 ? '' : `; ${overridden} fails were overridden`;
  return `people agreed with ${of('passes', passes)} and ${of('fails', fails)}${accepted}`;
}

export interface AnswerPlaces {
  readonly store: StoreHandle;
  /** A file of labels; undefined takes that of `learn` in the configuration. */
  readonly labels: string | undefined;
}

/** What people answered: what it says about judges, and why they rejected work. */
export interface ReadAnswers {
  readonly learned: Learned;
  readonly reasons: readonly RejectionReason[];
}

/** Reads the answers of people in stored runs and in a file of labels. */
export async function readAnswers(
  io: Io,
  { store, labels: named }: AnswerPlaces,
): Promise<ReadAnswers> {
  const { config, file } = await loadConfig(io.cwd);
  const { labels, ...bars } = typeof config.learn === 'object' ? config.learn : {};
  const configured =
    labels === undefined
      ? undefined
      : resolve(dirname(resolve(io.cwd, file ?? 'reviewloop.config.js')), labels);
  const path = named ?? configured;
  const all = [
    ...(await storedLabels(store)).labels,
    ...(path === undefined ? [] : await readLabelFile(io, path)),
  ];
  return { learned: learnFromDecisions(all, bars), reasons: all.flatMap(reasonOf) };
}

/** Only who rejects says what is wrong; who overrides says why that does not matter. */
function reasonOf({ id, label, overridden, reason }: ReadLabel): RejectionReason[] {
  if (label === 'pass' || overridden === true || reason === undefined) return [];
  return [{ run: id.split(':')[0] ?? id, reason }];
}
