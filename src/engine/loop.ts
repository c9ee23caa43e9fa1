import type { Decision } from '../core/decision.js';
import type { Version } from '../core/version.js';
import type { NamedQuestion } from './ask-people.js';
import type { Definition } from './definition.js';
import { decide, enforceInvariants } from './fail-closed.js';
import { produce } from './produce.js';
import { announceVersion, recordReview, reviewVersion } from './review-version.js';
import { factsOf } from './reviewer-reply.js';
import type { Run } from './run.js';
import type { RunResult, StoppedResult } from './run-result.js';
import { type JudgedVersion, VersionHistory } from './version-history.js';

/** Loaded on the first revision; a version that is approved at once needs none. */
let revising: typeof import('./revise.js') | undefined;

/** Loaded on first use: most runs ask nobody. */
function loadPeople(): Promise<typeof import('./ask-people.js')> {
  return import('./ask-people.js');
}

type NextStep<Output> =
  | { readonly version: Version<Output>; readonly ending?: undefined }
  | { readonly ending: RunResult<Output> };

interface Decided<Output> {
  readonly judged: JudgedVersion<Output>;
  readonly decision: Decision;
}

type Question = Extract<Decision, { kind: 'ask' }>;

type Revision = Extract<Decision, { kind: 'revise' }> & { readonly note?: string };

export class Loop<Task, Output> {
  readonly #run: Run;
  readonly #definition: Definition<Task, Output>;
  readonly #task: Task;
  readonly #state: VersionHistory<Output>;
  #produced: Version<Output> | undefined;

  constructor(run: Run, definition: Definition<Task, Output>, task: Task) {
    this.#run = run;
    this.#definition = definition;
    this.#task = task;
    this.#state = new VersionHistory(run, factsOf(definition.reviewers).judges);
  }

  /** Never rejects: after any error, the result contains the best reviewed version. */
  async perform(): Promise<RunResult<Output>> {
    try {
      let move = await this.#firstVersion();
      while (move.ending === undefined) move = await this.#judge(move.version);
      return await this.#finish(move.ending);
    } catch (error) {
      const { endOfError } = await import('./end-of-error.js');
      return this.#finish(await endOfError(this.#run, this.#definition, error, this.#best));
    }
  }

  /** Applies an override, and leaves the returned version in the workspace. */
  async #finish(result: RunResult<Output>): Promise<RunResult<Output>> {
    const run = this.#run;
    const isAnswered = run.override !== undefined || run.journal?.answers.size;
    const final = isAnswered ? await (await loadPeople()).overridden(run, result) : result;
    return run.trees === undefined ? final : run.trees.leave(final);
  }

  /** The best reviewed version; before the first review, the produced one. */
  get #best(): Version<Output> | undefined {
    return this.#state.best?.version ?? this.#produced;
  }

  async #firstVersion(): Promise<NextStep<Output>> {
    await this.#run.trees?.begin();
    const onUnrecorded = (output: Output): void => {
      this.#produced = this.#state.versionOf({ output, tree: undefined }, undefined);
    };
    const version = this.#state.versionOf(
      await produce({
        run: this.#run,
        definition: this.#definition,
        task: this.#task,
        onUnrecorded,
      }),
      undefined,
    );
    this.#produced = version;
    this.#run.throwIfEnded();
    announceVersion(this.#run, version);
    return this.#definition.reviewers.length === 0
      ? { ending: (await import('./end-of-error.js')).notReviewed(version) }
      : ((this.#limitsSpending ? await this.#overBudget() : undefined) ?? { version });
  }

  async #judge(version: Version<Output>): Promise<NextStep<Output>> {
    const run = this.#run;
    const definition = this.#definition;
    const decided = await (run.tracer === undefined
      ? this.#review(version)
      : run.tracer.review(version, definition.reviewers.length, () => this.#review(version)));
    if (decided === undefined)
      return { ending: await (await loadPeople()).suspend(run, definition, version) };
    const { judged, decision } = decided;
    if (decision.kind === 'ask')
      return this.#ask(judged, { name: (await loadPeople()).decisionName, question: decision });
    const question =
      (definition.human ?? run.journal?.requests.size)
        ? (await loadPeople()).questionAfter(run, definition.human, { ...judged, decision })
        : undefined;
    return question === undefined ? this.#act(judged, decision) : this.#ask(judged, question);
  }

  /** Undefined if reviewers wait for a person. */
  async #review(version: Version<Output>): Promise<Decided<Output> | undefined> {
    const run = this.#run;
    const definition = this.#definition;
    const state = this.#state;
    const reviewed = await reviewVersion(
      {
        run,
        definition,
        task: this.#task,
        version,
        verdicts: state.verdicts,
        best: state.bestSoFar,
      },
      {
        parent: state.parentOf(version),
        seen: state.seenGaps,
        decisionIf: (review) => state.evidence(review),
      },
    );
    if (reviewed === undefined) return undefined;
    const { review } = reviewed;
    const judged = { version, review };
    const best =
      state.best === undefined || this.#isBetter(judged, state.best) ? judged : state.best;
    state.take(judged, best, reviewed);
    const decided = decide(definition.policy, state.evidence(review));
    const enforced = enforceInvariants(decided instanceof Promise ? await decided : decided, {
      review,
      best: best.review,
      dissent: reviewed.dissent,
    });
    const decision = enforced instanceof Promise ? await enforced : enforced;
    const recorded = recordReview(run, definition, {
      undecided: review,
      decision,
      better: best === judged,
    });
    if (recorded !== undefined) await recorded;
    return { judged, decision };
  }

  /** A tie keeps the best one, unless it waited for an answer. */
  #isBetter({ review }: JudgedVersion<Output>, best: JudgedVersion<Output>): boolean {
    const { ranking } = this.#definition;
    const waited = this.#run.answered.has(best.version.digest);
    return ranking(review, best.review) || (waited && !ranking(best.review, review));
  }

  #act(
    judged: JudgedVersion<Output>,
    decision: Exclude<Decision, Question>,
  ): NextStep<Output> | Promise<NextStep<Output>> {
    const { version } = judged;
    switch (decision.kind) {
      case 'approve':
        return {
          ending: { status: 'approved', code: 'approved', reason: decision.reason, version },
        };
      case 'accept': {
        const { code, reason } = decision;
        return {
          ending: {
            status: 'accepted',
            code,
            reason,
            version,
            acceptance: { kind: 'advisory', by: 'policy', reason },
          },
        };
      }
      case 'stop':
        return { ending: this.#stopped(decision) };
      case 'revise':
        return this.#revise(decision);
    }
  }

  async #ask(judged: JudgedVersion<Output>, question: NamedQuestion): Promise<NextStep<Output>> {
    const { askPerson } = await loadPeople();
    const effect = await askPerson(this.#run, this.#definition, judged, question);
    return effect.kind === 'end' ? effect : this.#revise(effect.decision);
  }

  /** `exhausted` if an exceeded budget made judges fail. */
  #stopped({ status, code, reason }: Extract<Decision, { kind: 'stop' }>): RunResult<Output> {
    const { overrun } = this.#run.ledger;
    if (status === 'inconclusive' && overrun !== undefined)
      return { status: 'exhausted', ...overrun, version: this.#best };
    const { best, latest } = this.#state;
    const place =
      best?.version.digest === latest?.version.digest
        ? ''
        : ` (in review ${latest?.version.iteration}; the version of review ${best?.version.iteration} is returned)`;
    return { status, code, reason: `${reason}${place}`, version: this.#best };
  }

  /** Returns why the version that the run would return is not approved: what its own review said. */
  #reasonOfBest(reason: string): string {
    const { best, latest } = this.#state;
    const own = this.#run.reviews.findLast(({ version }) => version === best?.version.digest);
    return best === latest ? reason : (own?.decision.reason ?? reason);
  }

  async #revise(given: Revision): Promise<NextStep<Output>> {
    const run = this.#run;
    const definition = this.#definition;
    const decision = { ...given, reason: this.#reasonOfBest(given.reason) };
    const { reviews } = definition.budget;
    if (run.iteration >= reviews && decision.note === undefined) {
      return this.#end({
        status: 'exhausted',
        code: 'iterations',
        reason: `${reviews} of ${reviews} reviews done: ${decision.reason}`,
      });
    }
    const spent = this.#limitsSpending ? await this.#overBudget() : undefined;
    if (spent !== undefined) return spent;
    revising ??= await import('./revise.js');
    const next = await revising.nextVersion({
      run,
      definition,
      task: this.#task,
      state: this.#state,
      decision,
    });
    if (next.kind === 'stop') return this.#end(next);
    announceVersion(run, next.version);
    return (this.#limitsSpending ? await this.#overBudget() : undefined) ?? next;
  }

  get #limitsSpending(): boolean {
    const { tokens, costUsd } = this.#definition.budget;
    return tokens !== undefined || costUsd !== undefined;
  }

  async #overBudget(): Promise<NextStep<Output> | undefined> {
    const run = this.#run;
    const { overrun, blind } = run.ledger;
    if (overrun !== undefined) return this.#end({ status: 'exhausted', ...overrun });
    if (blind && !run.warned) warnOfMissingUsage(run, this.#definition);
    return undefined;
  }

  #end(ending: Omit<StoppedResult<Output>, 'version'>): NextStep<Output> {
    return { ending: { ...ending, version: this.#best } };
  }
}

/** Warns once, after a reviewer was asked, if a budget is set but nothing reports usage. */
export function warnOfMissingUsage<Task, Output>(
  run: Run,
  { reviewers, logger }: Definition<Task, Output>,
): void {
  if (!run.reviews.some(({ reused }) => (reused?.verdicts ?? 0) < reviewers.length)) return;
  run.warned = true;
  const message =
    'a budget in tokens or money is set, but nothing reports its usage: call context.reportUsage';
  logger.warn({ run: run.id }, message);
  run.emit('budget-warn', () => ({ message }));
}
