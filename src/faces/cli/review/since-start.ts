import { needsWholeWork } from '../../../blocks/criteria/artifact-criterion.js';
import { type HonestWorkOptions, honestWorkOf } from '../../../blocks/criteria/diff/honest-work.js';
import { definePipeline } from '../../../blocks/pipeline/define-pipeline.js';
import type { Artifact } from '../../../core/artifact.js';
import { type Assessment, isJudged, VerifiedAssessments } from '../../../core/assessment.js';
import { type DecoratedReview, decorate } from '../../../core/decorate-reviewer.js';
import type { Gap } from '../../../core/gap.js';
import { identifyGaps } from '../../../core/gap-identity.js';
import { mapBounded } from '../../../core/map-bounded.js';
import type { ReviewerAnswer } from '../../../core/reviewer.js';
import { savedTrees } from '../../../node/git/saved-trees.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { requirementsId } from '../../cli-kit/criteria/criteria-sets.js';
import { artifactTypes, type FileReviewer } from '../../cli-kit/inputs/read-inputs.js';
import type { Since } from './review-settings.js';

type Subject = DecoratedReview<AgentRequest, AgentOutput>;

/**
 * Requirements, commands and links are judged with the files around the difference. Findings that
 * the start had too are left out. If not all files can be read, a requirement cannot fail: it stays
 * undecided. Unless `honest` is `false`, one more judges what the difference weakens.
 */
export function sinceStart(
  reviewers: readonly FileReviewer[],
  since: Since,
  honest: HonestWorkOptions | false,
): FileReviewer[] {
  const texts = new Texts(since);
  const compared = reviewers.map((reviewer) => {
    const role = roleOf(reviewer, since);
    const decorated = decorate(reviewer, {
      tag: `since ${since.start} ${since.now}`,
      reply: (subject) => judged(subject, { role, texts, whole: since.whole }),
    });
    // the scope of the reviewer is applied to all files
    return role.readsAll ? { ...decorated, scope: undefined } : decorated;
  });
  return honest === false ? compared : [...compared, honestSince(since, honest)];
}

function honestSince(
  { root, trees, start, now, changed }: Since,
  options: HonestWorkOptions,
): FileReviewer {
  const reviewed = new Set(changed);
  const criterion = honestWorkOf<AgentOutput>(async (_, { signal }) => {
    const saved = savedTrees({ root, store: trees, signal });
    return (await saved.diff(start, now)).filter(({ path }) => reviewed.has(path));
  }, options);
  return decorate(criterion, { tag: `since ${start} ${now}` });
}

interface Role {
  readonly isRequirements: boolean;
  /** Whether it reads the files around the changed ones, too. */
  readonly readsAll: boolean;
  /** Whether findings that the start had too are left out. */
  readonly compares: boolean;
}

function roleOf({ id, tier }: FileReviewer, { commands }: Since): Role {
  const isRequirements = id === requirementsId;
  const isCommand = commands.includes(id);
  return {
    isRequirements,
    readsAll: isRequirements || isCommand || needsWholeWork(id),
    compares: !isRequirements && !isCommand && tier === 'code',
  };
}

interface Judging {
  readonly role: Role;
  readonly texts: Texts;
  readonly whole: boolean;
}

async function judged(subject: Subject, { role, texts, whole }: Judging): Promise<ReviewerAnswer> {
  const { isRequirements, readsAll, compares } = role;
  const answer = readsAll ? await withAll(subject, texts) : await subject.answer();
  if (isRequirements && !whole) return mapped(answer, undecidedIfFailed);
  return compares ? withoutOld(answer, { subject, texts, readsAll }) : answer;
}

/** Those of both states, each read once. */
class Texts {
  readonly #since: Since;
  #around: Promise<readonly Artifact[]> | undefined;
  #before: Promise<readonly Artifact[]> | undefined;

  constructor(since: Since) {
    this.#since = since;
  }

  around(): Promise<readonly Artifact[]> {
    this.#around ??= this.#read(this.#since.now, this.#since.around);
    return this.#around;
  }

  before(): Promise<readonly Artifact[]> {
    const { start, changed, renamed } = this.#since;
    this.#before ??= this.#read(start, changed, renamed);
    return this.#before;
  }

  async #read(
    tree: string,
    paths: readonly string[],
    renamed: Since['renamed'] = {},
  ): Promise<readonly Artifact[]> {
    const trees = savedTrees({ root: this.#since.root, store: this.#since.trees });
    const typeOf = artifactTypes([]);
    const found = new Map<string, Artifact>();
    // what is asked for together is read by one process of git
    await mapBounded(paths, 1024, async (path) => {
      const content = await trees.text(tree, renamed[path] ?? path);
      if (content !== undefined) found.set(path, { type: typeOf(path), path, content });
    });
    return paths.flatMap((path) => found.get(path) ?? []);
  }
}

async function withAll(
  { reviewer, subject, context }: Subject,
  texts: Texts,
): Promise<ReviewerAnswer> {
  const output = await joined(subject.output, texts);
  const scoped = reviewer.scope?.({ task: subject.task, output });
  return reviewer.review({ ...subject, output: isOutput(scoped) ? scoped : output }, context);
}

function isOutput(value: unknown): value is AgentOutput {
  return (
    typeof value === 'object' &&
    value !== null &&
    'artifacts' in value &&
    Array.isArray(value.artifacts)
  );
}

async function joined(output: AgentOutput, texts: Texts): Promise<AgentOutput> {
  return { ...output, artifacts: [...output.artifacts, ...(await texts.around())] };
}

interface Compared {
  readonly subject: Subject;
  readonly texts: Texts;
  readonly readsAll: boolean;
}

async function withoutOld(
  answer: ReviewerAnswer,
  { subject, texts, readsAll }: Compared,
): Promise<ReviewerAnswer> {
  const found = assessmentsOf(answer).flatMap((one) => (isJudged(one) ? one.gaps : []));
  if (found.length === 0) return answer;
  const { reviewer, subject: now } = subject;
  const before: AgentOutput = { artifacts: [...(await texts.before())] };
  const output = readsAll ? await joined(before, texts) : before;
  if (output.artifacts.length === 0) return answer;
  const pipeline = definePipeline<AgentRequest, AgentOutput>({
    name: 'start',
    reviewers: [reviewer],
    allowEmpty: true,
  });
  const { gaps } = await pipeline.review(now.task, output);
  const read = readsAll ? await joined(now.output, texts) : now.output;
  const named = identifyGaps(found, read, { gaps, output }, new Set());
  const old = new Set(found.filter((_, index) => named[index]?.lifecycle === 'persisting'));
  return old.size === 0 ? answer : mapped(answer, (one) => withoutGaps(one, old));
}

function withoutGaps(assessment: Assessment, old: ReadonlySet<Gap>): Assessment {
  if (!isJudged(assessment)) return assessment;
  const gaps = assessment.gaps.filter((gap) => !old.has(gap));
  if (assessment.verdict === 'fail' && gaps.length === 0)
    return {
      verdict: 'skipped',
      criterion: assessment.criterion,
      reason: 'its findings are older than the session',
    };
  return { ...assessment, gaps };
}

/** Not all files were read, so what is missing may be in another one. */
function undecidedIfFailed(assessment: Assessment): Assessment {
  if (assessment.verdict !== 'fail') return assessment;
  const { criterion, explanation, coverage } = assessment;
  return {
    verdict: 'undecided',
    criterion,
    reason: `only the changed files were read: ${explanation}`,
    decidableBy: ['person'],
    ...(coverage && {
      question: coverage.requirement,
      coverage: { ...coverage, covered: false, state: 'unsure' },
    }),
  };
}

function assessmentsOf(answer: ReviewerAnswer): readonly Assessment[] {
  return 'assessments' in answer ? answer.assessments : answer;
}

function mapped(answer: ReviewerAnswer, change: (one: Assessment) => Assessment): ReviewerAnswer {
  const changed = assessmentsOf(answer).map(change);
  if (answer instanceof VerifiedAssessments) return new VerifiedAssessments(...changed);
  return 'assessments' in answer ? { ...answer, assessments: changed } : changed;
}
