import * as z from 'zod';
import type { Decision } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { type Gap, isOpen } from '../core/gap.js';
import { hashText } from '../core/hash.js';
import { copyJson, digestJson } from '../core/json.js';
import type { FixContext, Reviewer } from '../core/reviewer.js';
import { bySeverity } from '../core/severity.js';
import { digestWith } from '../core/version.js';
import { AddressCallContext, CallContext } from './call-context.js';
import type { AddressContext, Definition } from './definition.js';
import { engineErrors } from './errors.js';
import {
  outputSchemaOf,
  produce,
  produceErrors,
  surroundings,
  type UserErrors,
  userError,
} from './produce.js';
import type { Run } from './run.js';
import { sameKind } from './same-kind.js';
import type { JudgedVersion, ProducedVersion, VersionHistory } from './version-history.js';
import { WorkContext } from './work-context.js';

type Revision = Extract<Decision, { kind: 'revise' }> & { readonly note?: string | undefined };

/** The result of a revision: the next output, or why the run stops. */
export type Revised<Output> =
  | (ProducedVersion<Output> & { readonly kind: 'output'; readonly parent: string | undefined })
  | {
      readonly kind: 'stop';
      readonly status: 'exhausted' | 'failed' | 'stalled';
      readonly code: string;
      readonly reason: string;
      readonly error?: ReviewLoopError | undefined;
    };

/** The run, the versions and the decision of one revision. */
export interface RevisionJob<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  readonly state: VersionHistory<Output>;
  readonly decision: Revision;
}

/** Returns the next output: a reviewer's proposal, or the output after fixers and `address`. */
export async function revise<Task, Output>(
  job: RevisionJob<Task, Output>,
): Promise<Revised<Output>> {
  const { definition, state, decision } = job;
  if (decision.from === 'anew') return producedAnew(job);
  const base = decision.from === 'latest' ? state.latest : state.best;
  if (base === undefined)
    throw new ReviewLoopError('policy_failed', 'a revision was decided on before any review');
  const parent = base.version.digest;
  const [proposal] = state.latest === base ? state.proposals : [];
  if (proposal !== undefined)
    return {
      kind: 'output',
      output: proposal as Output,
      tree: state.proposedTree ?? base.version.tree,
      parent,
    };
  const fixed = await applyFixers(job, base);
  const left = gapsToAddress(decision, base.finding.gaps).filter((gap) => !fixed.gaps.has(gap.id));
  const blockingLeft =
    decision.blocking.some((gap) => !fixed.gaps.has(gap.id)) || decision.note !== undefined;
  const { output, tree } = fixed;
  if (!blockingLeft) return { kind: 'output', output, tree, parent };
  if (definition.address === undefined) {
    if (fixed.gaps.size > 0) return { kind: 'output', output, tree, parent };
    return {
      kind: 'stop',
      status: 'exhausted',
      code: 'no_address',
      reason: `${decision.reason}; the pipeline has no \`address\` that could fix it`,
    };
  }
  try {
    return {
      kind: 'output',
      ...(await address(job, definition.address, {
        output,
        tree,
        base: parent,
        fixed: fixed.gaps.size > 0,
        gaps: left,
      })),
      parent,
    };
  } catch (error) {
    return failedBy(job.run, error, addressErrors);
  }
}

/** Returns another first output. */
async function producedAnew<Task, Output>({
  run,
  definition,
  task,
}: RevisionJob<Task, Output>): Promise<Revised<Output>> {
  try {
    return {
      kind: 'output',
      ...(await produce({ run, definition, task, after: run.iteration })),
      parent: undefined,
    };
  } catch (error) {
    return failedBy(run, error, produceErrors);
  }
}

const addressErrors: UserErrors = {
  what: 'address',
  failed: engineErrors.address_failed,
  invalid: engineErrors.address_invalid,
};

function failedBy(run: Run, thrown: unknown, errors: UserErrors): Revised<never> {
  run.throwIfEnded();
  const error = userError(run, thrown, errors);
  const { overrun } = run.ledger;
  if (error.code === 'budget_exceeded' && overrun !== undefined)
    return { kind: 'stop', status: 'exhausted', ...overrun };
  return { kind: 'stop', status: 'failed', code: error.code, reason: error.message, error };
}

/** Returns the gaps that the producer can fix, blocking ones first. */
function gapsToAddress(decision: Revision, gaps: readonly Gap[]): Gap[] {
  const blocking = new Set(decision.blocking.map((gap) => gap.id));
  const others = gaps.filter((gap) => !blocking.has(gap.id) && isOpen(gap) && gap.autoFixable);
  return [...[...decision.blocking].sort(bySeverity), ...[...others].sort(bySeverity)];
}

interface Fixed<Output> extends ProducedVersion<Output> {
  /** The ids of the gaps for which a fixer changed something. */
  readonly gaps: ReadonlySet<string>;
}

/** Applies the fixers of criteria. A fixer that fails is logged, and `address` gets its gap. */
async function applyFixers<Task, Output>(
  job: RevisionJob<Task, Output>,
  base: JudgedVersion<Output>,
): Promise<Fixed<Output>> {
  const { run, definition, decision } = job;
  const fixers = new Map(
    definition.reviewers
      .filter((reviewer) => reviewer.fix !== undefined)
      .map((reviewer) => [reviewer.id, reviewer]),
  );
  let made: ProducedVersion<Output> = { output: base.version.output, tree: base.version.tree };
  const gaps = new Set<string>();
  if (fixers.size === 0) return { ...made, gaps };
  for (const gap of gapsToAddress(decision, base.finding.gaps)) {
    const fixer = fixers.get(gap.raisedBy ?? '') ?? fixers.get(gap.criterionId ?? '');
    if (fixer === undefined) continue;
    try {
      const next = await applyFixer(job, { fixer, gap }, made);
      if (digestJson(next.output) === digestJson(made.output) && next.tree === made.tree) continue;
      made = next;
      gaps.add(gap.id);
      definition.events.emit('fix-apply', () => ({
        runId: run.id,
        iteration: base.version.iteration,
        criterion: fixer.id,
        gap: gap.id,
      }));
    } catch (error) {
      run.throwIfEnded();
      definition.logger.warn(
        { run: run.id, criterion: fixer.id, code: 'fix_failed', error: messageOf(error) },
        'a fixer failed; address gets its gap',
      );
    }
  }
  return { ...made, gaps };
}

async function applyFixer<Task, Output>(
  { run, definition, task }: RevisionJob<Task, Output>,
  { fixer, gap }: { readonly fixer: Reviewer<Task, Output>; readonly gap: Gap },
  { output, tree }: ProducedVersion<Output>,
): Promise<ProducedVersion<Output>> {
  if (tree !== undefined) await run.trees?.open(tree);
  const attempt = await run.leaf(
    { label: `fix:${fixer.id}`, timeoutMs: definition.timeouts.checkMs },
    (call) => {
      const context: FixContext = Object.assign(new CallContext(call), { task });
      return fixer.fix?.(copyJson(output, { freeze: false }), gap, context) as unknown;
    },
  );
  const next = sameKind(
    output,
    z.parse(outputSchemaOf(definition.outputSchema), copyJson(attempt, { freeze: true })) as Output,
  );
  return { output: next, tree: await run.trees?.save(true) };
}

interface Handover<Output> extends ProducedVersion<Output> {
  /** The digest of the version that the output comes from. */
  readonly base: string;
  /** Whether fixers changed the output. */
  readonly fixed: boolean;
  readonly gaps: readonly Gap[];
}

async function address<Task, Output>(
  job: RevisionJob<Task, Output>,
  improve: NonNullable<Definition<Task, Output>['address']>,
  { output, tree, base, fixed, gaps }: Handover<Output>,
): Promise<ProducedVersion<Output>> {
  const { run, definition, task, state, decision } = job;
  const scope = new WorkContext(run, {
    name: `iter:${run.iteration}/address`,
    phase: 'address',
    digest: base,
    version: base,
    timeoutMs: definition.timeouts.addressMs,
    tree,
  });
  definition.events.emit('address-start', () => ({
    runId: run.id,
    iteration: run.iteration,
    gaps: gaps.length,
  }));
  const digest = fixed ? digestWith(digestJson(output), tree) : base;
  const input = hashText(
    [
      digest,
      ...gaps.map((gap) => gap.id),
      'regressed',
      ...state.regressed.map((gap) => gap.id),
      'note',
      decision.note ?? '',
    ].join('\u0000'),
  );
  const addressPrompt = await definition.loadAddressPrompt();
  const improved = await scope.whole(input, outputSchemaOf(definition.outputSchema), (call) => {
    const prompted = new AddressCallContext(call, () =>
      addressPrompt({ task, output, gaps, nonce: run.nonce }),
    );
    const { regressed } = state;
    const more = { task, regressed, note: decision.note };
    const context: AddressContext<Task> = Object.assign(prompted, surroundings(run, scope), more);
    return improve(
      copyJson(output, { freeze: false }),
      gaps.map((gap) => ({ ...gap })),
      context,
    );
  });
  return { output: sameKind(output, improved), tree: scope.trees?.tree };
}
