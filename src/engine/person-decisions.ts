import {
  type Assessment,
  isOpenQuestion,
  type JudgedAssessment,
  type UndecidedAssessment,
} from '../core/assessment.js';
import { type AskDecision, openQuestions, questionText } from '../core/decision.js';
import type { Gap } from '../core/gap.js';
import { hashText } from '../core/hash.js';
import { digestJson } from '../core/json.js';
import type { UndecidedReview } from '../core/policy.js';
import { StoredVerdictSchema, verdictKey } from '../ports/verdict-store.js';
import { decisionUnknown } from './human-answers.js';
import type { Judging, ReviewerReply } from './reviewer-reply.js';
import { recordStep, replayStep } from './step-record.js';
import { putVerdict, takeVerdict, type VerdictPlace } from './stored-verdicts.js';

/** First what approval waits for, then what may stay open. */
export function undecidedOf(review: {
  readonly assessments: readonly Assessment[];
}): readonly UndecidedAssessment[] {
  const optional = review.assessments.filter(
    (one): one is UndecidedAssessment => one.verdict === 'undecided' && !isOpenQuestion(one),
  );
  return [...openQuestions(review), ...optional];
}

interface PersonDecision {
  readonly met: boolean;
  readonly by: string;
  readonly reason: string | undefined;
  readonly missing: string | undefined;
  /** What was asked; undefined if the record does not tell. */
  readonly question: string | undefined;
}

export function undecidedQuestion(review: UndecidedReview, reason: string): AskDecision {
  const count = openQuestions(review).length;
  return {
    kind: 'ask',
    reason,
    question: `${reason.replace(/\.$/, '')}. What do you decide? ${count === 1 ? 'It needs' : 'Each needs'} yes or no.`,
    allowed: ['decide', 'revise', 'reject', 'override'],
  };
}

/** Another set of open questions has another name. */
export function undecidedName(review: UndecidedReview): string {
  const criteria = undecidedOf(review).map(({ criterion }) => criterion);
  return `undecided:${hashText(criteria.join('\u0000')).slice(0, 16)}`;
}

/** Counts decisions about this very version, and stored ones about equal content. */
export async function withDecisions<Task, Output>(
  job: Judging<Task, Output>,
  answers: readonly ReviewerReply[],
): Promise<readonly ReviewerReply[]> {
  await takeGiven(job, answers);
  const known = decisionsAbout(job);
  return Promise.all(
    answers.map(async (answer) => {
      const assessments = await Promise.all(
        answer.assessments.map(async (assessment) =>
          assessment.verdict === 'undecided' ? decided(job, answer, assessment, known) : assessment,
        ),
      );
      return { ...answer, assessments };
    }),
  );
}

/** Records the decisions of this call, once the run is at their version. */
async function takeGiven<Task, Output>(
  { run, version }: Judging<Task, Output>,
  answers: readonly ReviewerReply[],
): Promise<void> {
  const given = run.decisions;
  if (given === undefined || given.taken || given.digest !== version.digest) return;
  const questions = new Map(
    answers.flatMap(({ assessments }) =>
      assessments.flatMap((one) =>
        one.verdict === 'undecided' ? [[one.criterion, questionText(one)] as const] : [],
      ),
    ),
  );
  const open = [...questions.keys()];
  const unknown = Object.keys(given.answer.decisions).filter((name) => !open.includes(name));
  try {
    if (unknown.length > 0) throw decisionUnknown(unknown, `version ${given.digest}`, open);
    await given.record(Object.fromEntries(questions));
    given.taken = true;
  } catch (error) {
    given.refused = error;
  }
}

/** The last decision about each criterion. */
function decisionsAbout<Task, Output>({
  run,
  version,
}: Judging<Task, Output>): ReadonlyMap<string, PersonDecision> {
  const found = new Map<string, PersonDecision>();
  for (const { answer, digest, questions } of run.journal?.decisions ?? []) {
    if (digest !== version.digest) continue;
    if (run.journal?.unheard.has(answer)) run.replaying = false;
    for (const [criterion, decision] of Object.entries(answer.decisions))
      found.set(criterion, {
        met: decision === 'yes',
        by: answer.by,
        reason: answer.reason,
        missing: answer.missing?.[criterion],
        question: questions?.[criterion],
      });
  }
  return found;
}

/** What a person decided, now or earlier; else the open assessment. */
async function decided<Task, Output>(
  job: Judging<Task, Output>,
  answer: ReviewerReply,
  assessment: UndecidedAssessment,
  known: ReadonlyMap<string, PersonDecision>,
): Promise<Assessment> {
  const { run, definition, task, version } = job;
  const store = definition.decisions;
  const given = known.get(assessment.criterion);
  const isAnother = given?.question !== undefined && given.question !== questionText(assessment);
  const decision = isAnother ? undefined : given;
  if (store === undefined)
    return decision === undefined ? assessment : byPerson(assessment, decision, answer.reviewer);
  const about = {
    reviewer: `person:${answer.reviewer}`,
    // who answered one question has not answered another one of the same id
    version: [assessment.criterion, assessment.question ?? []].flat().join('\u0000'),
    task: digestJson(task),
    view: answer.view,
  };
  const place: VerdictPlace = { store, key: verdictKey(about), about, run };
  if (decision !== undefined) {
    const made = byPerson(assessment, decision, answer.reviewer);
    await putVerdict(place, { ...answer, assessments: [made], usage: {} });
    return made;
  }
  const step = {
    name: `iter:${version.iteration}/decision:${assessment.criterion}`,
    input: place.key,
  };
  const replayed = run.journal?.resumed
    ? replayStep(run, step, StoredVerdictSchema)?.value
    : undefined;
  const taken = replayed ?? (await takeVerdict(place));
  if (taken === undefined) return assessment;
  if (replayed === undefined) await recordStep(run, step, { value: taken, usage: undefined });
  return taken.assessments[0] ?? assessment;
}

function byPerson(
  assessment: UndecidedAssessment,
  { met, by, reason, missing }: PersonDecision,
  reviewer: string,
): JudgedAssessment {
  const { criterion, coverage } = assessment;
  const said = `decided by ${by}${reason === undefined ? '' : `: ${reason}`}`;
  const base = {
    criterion,
    explanation: said,
    decidedBy: by,
    ...(coverage !== undefined && {
      category: 'missing' as const,
      coverage: {
        ...coverage,
        covered: met,
        state: met ? ('covered' as const) : ('uncovered' as const),
        coverageDetails: said,
        decidedBy: by,
      },
    }),
  };
  return met
    ? { ...base, verdict: 'pass', score: 1, gaps: [] }
    : {
        ...base,
        verdict: 'fail',
        score: 0,
        gaps: [notMet(assessment, { said, missing, reviewer })],
      };
}

function notMet(
  assessment: UndecidedAssessment,
  given: {
    readonly said: string;
    readonly missing: string | undefined;
    readonly reviewer: string;
  },
): Gap {
  const { said, missing, reviewer } = given;
  const question = questionText(assessment);
  return {
    id: '',
    severity: isOpenQuestion(assessment) ? 'major' : 'minor',
    category: assessment.coverage === undefined ? 'quality' : 'missing',
    description: missing ?? `Not met: ${question} (${said})`,
    suggestedFix: `Change it so that this holds: ${question}`,
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: assessment.criterion,
    raisedBy: reviewer,
    ...(assessment.coverage !== undefined && {
      affectedRequirement: assessment.coverage.requirement,
    }),
  };
}
