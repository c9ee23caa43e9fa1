import type { Decision } from '../kernel/decision.js';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import type { Finding } from '../kernel/policy.js';
import type { Version } from '../kernel/version.js';
import type { Definition } from './definition.js';
import { brokenEnding, type Ending } from './ending.js';
import { enforce } from './invariants.js';
import { type JudgedVersion, LoopState } from './loop-state.js';
import { answerFor, approvalQuestion, suspend, verdictOf } from './person.js';
import { produce } from './produce.js';
import { reviewVersion } from './review-pass.js';
import { revise } from './revise.js';
import type { Run } from './run.js';

/** A loop's next move: judge another version, or end. */
type Move<Output> = { readonly kind: 'judge'; readonly version: Version<Output> } | { readonly kind: 'end'; readonly ending: Ending<Output> };

/**
 * Produce, then review and revise in turns until the policy, a person or a bound ends it. Never rejects: whatever breaks,
 * the best reviewed version comes back.
 */
export async function loop<Task, Output>(run: Run, definition: Definition<Task, Output>, task: Task): Promise<Ending<Output>> {
  const state = new LoopState<Output>(run);
  try {
    let move = await firstVersion(run, definition, task, state);
    while (move.kind === 'judge') move = await judge(run, definition, task, state, move.version);
    return move.ending;
  } catch (error) {
    const known = error instanceof ReviewLoopError ? error : new ReviewLoopError('policy_failed', `the run broke: ${messageOf(error)}`, { cause: error });
    return brokenEnding(run.ended ?? known, state.best?.version.output);
  }
}

async function firstVersion<Task, Output>(run: Run, definition: Definition<Task, Output>, task: Task, state: LoopState<Output>): Promise<Move<Output>> {
  const version = state.versionOf(await produce(run, definition, task), undefined);
  run.throwIfEnded();
  announceVersion(run, definition, version);
  if (definition.reviewers.length === 0) return notReviewed(version);
  return overBudget(run, definition, undefined) ?? { kind: 'judge', version };
}

function notReviewed<Output>({ output }: Version<Output>): Move<Output> {
  const reason = 'review is switched off';
  return { kind: 'end', ending: { status: 'accepted', code: 'not_reviewed', reason, output, because: { kind: 'not_reviewed', by: 'configuration', reason } } };
}

/** Reviews a version, decides, and makes the next version where the decision is to revise. */
async function judge<Task, Output>(run: Run, definition: Definition<Task, Output>, task: Task, state: LoopState<Output>, version: Version<Output>): Promise<Move<Output>> {
  const parent = state.best?.version.digest === version.parent ? state.best : state.latest?.version.digest === version.parent ? state.latest : undefined;
  const reviewed = await reviewVersion(
    { run, definition, task, version, verdicts: state.verdicts },
    { parent: parent && { gaps: parent.finding.gaps, output: parent.version.output, finding: parent.finding }, seen: state.seenGaps, foresee: (finding) => state.evidence(finding) },
  );
  if (reviewed === undefined) return { kind: 'end', ending: await suspend(run, definition, version.output) };
  const judged = { version, finding: reviewed.finding };
  const better = state.best === undefined || definition.ranking(reviewed.finding, state.best.finding);
  state.take(judged, better);
  state.proposals = reviewed.proposals;
  const decision = enforce(definition.policy(state.evidence(reviewed.finding)), reviewed.finding, state.best?.finding ?? reviewed.finding);
  record(run, definition, reviewed.finding, decision, better);
  return act(run, definition, task, state, judged, approvalQuestion(definition, decision) ?? decision);
}

function record<Task, Output>(run: Run, definition: Definition<Task, Output>, finding: Finding, decision: Decision, best: boolean): void {
  const review = { ...finding, decision };
  run.reviews.push(review);
  definition.logger.info({ run: run.id, pipeline: definition.name, iteration: review.iteration, overall: review.scores.overall, gaps: review.gaps.length, decision: decision.kind }, 'review finished');
  definition.events.emit('review-end', () => ({ runId: run.id, iteration: review.iteration, review, best }));
}

async function act<Task, Output>(run: Run, definition: Definition<Task, Output>, task: Task, state: LoopState<Output>, judged: JudgedVersion<Output>, decision: Decision): Promise<Move<Output>> {
  switch (decision.kind) {
    case 'approve':
      return { kind: 'end', ending: { status: 'approved', code: 'approved', reason: decision.reason, output: judged.version.output } };
    case 'stop':
      return { kind: 'end', ending: stopped(run, state, decision) };
    case 'revise':
      return nextVersion(run, definition, task, state, decision);
    case 'ask': {
      const answer = answerFor(run, decision, judged);
      if (answer === undefined) return { kind: 'end', ending: await suspend(run, definition, judged.version.output) };
      const verdict = verdictOf(answer, judged);
      return verdict.kind === 'end' ? verdict : nextVersion(run, definition, task, state, verdict.decision);
    }
  }
}

/** A stop keeps its name, unless it was a used-up budget that made judges fail. */
function stopped<Output>(run: Run, state: LoopState<Output>, decision: Extract<Decision, { kind: 'stop' }>): Ending<Output> {
  const output = state.best?.version.output;
  const { overrun } = run.ledger;
  if (decision.status === 'inconclusive' && overrun !== undefined) return { status: 'exhausted', ...overrun, output };
  return { status: decision.status, code: decision.code, reason: decision.reason, output };
}

async function nextVersion<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  state: LoopState<Output>,
  decision: Extract<Decision, { kind: 'revise' }> & { readonly note?: string },
): Promise<Move<Output>> {
  const output = state.best?.version.output;
  const end = (ending: Omit<Ending<Output>, 'output'>): Move<Output> => ({ kind: 'end', ending: { ...ending, output } });
  const { iterations } = definition.budget;
  if (run.iteration >= iterations && decision.note === undefined) {
    return end({ status: 'exhausted', code: 'iterations', reason: `${iterations} of ${iterations} reviews done: ${decision.reason}` });
  }
  const spent = overBudget(run, definition, output);
  if (spent !== undefined) return spent;
  const revised = await revise({ run, definition, task, state, decision });
  run.throwIfEnded();
  if (revised.kind === 'stop') return end(revised);
  const version = versionFrom(state, revised.output, revised.parent);
  const seen = state.reviewedIn(version.digest);
  if (version.digest === revised.parent) return end({ status: 'stalled', code: 'output_unchanged', reason: `the revision changed nothing: ${decision.reason}` });
  if (seen !== undefined) return end({ status: 'stalled', code: 'oscillation', reason: `the revision went back to the version of iteration ${seen}: ${decision.reason}` });
  announceVersion(run, definition, version);
  return overBudget(run, definition, output) ?? { kind: 'judge', version };
}

function versionFrom<Output>(state: LoopState<Output>, output: Output, parent: string): Version<Output> {
  try {
    return state.versionOf(output, parent);
  } catch (error) {
    throw new ReviewLoopError('address_invalid', `the next version was refused: ${messageOf(error)}`, { cause: error });
  }
}

function overBudget<Task, Output>(run: Run, definition: Definition<Task, Output>, output: Output | undefined): Move<Output> | undefined {
  const { overrun } = run.ledger;
  if (overrun !== undefined) return { kind: 'end', ending: { status: 'exhausted', ...overrun, output } };
  if (run.ledger.blind && !run.warned) {
    run.warned = true;
    const message = 'a budget in tokens or money is set, but nothing reports its usage: call context.reportUsage';
    definition.logger.warn({ run: run.id }, message);
    definition.events.emit('budget-warn', () => ({ runId: run.id, iteration: run.iteration, message }));
  }
  return undefined;
}

function announceVersion<Task, Output>(run: Run, definition: Definition<Task, Output>, version: Version<Output>): void {
  definition.events.emit('version-produce', () => ({ runId: run.id, iteration: version.iteration, digest: version.digest, parent: version.parent }));
}
