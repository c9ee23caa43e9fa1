import { isNonEmpty } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { type Gap, isOpen } from '../core/gap.js';
import { hashText } from '../core/hash.js';
import { copyJson, digestJson } from '../core/json.js';
import type { Reviewer } from '../core/reviewer.js';
import { digestWith, type Version } from '../core/version.js';
import {
  applyFixers,
  gapsToAddress,
  type Revision,
  type RevisionJob,
  sameKind,
} from './apply-fixers.js';
import { AddressCallContext, type AddressContext, type Definition } from './definition.js';
import { engineErrors } from './errors.js';
import { outputSchemaOf, produce, reported, surroundings } from './produce.js';
import { factsOf } from './reviewer-reply.js';
import { type UserErrors, userError } from './user-error.js';
import type { ProducedVersion, VersionHistory } from './version-history.js';
import { WorkContext } from './work-context.js';

export type Revised<Output> =
  | (ProducedVersion<Output> & { readonly kind: 'output'; readonly parent: string | undefined })
  | {
      readonly kind: 'stop';
      readonly status: 'exhausted' | 'stalled';
      readonly code: string;
      readonly reason: string;
    };

/** A reviewer's proposal, or the output after fixers and `address`. */
export async function revise<Task, Output>(
  given: RevisionJob<Task, Output>,
): Promise<Revised<Output>> {
  const job = { ...given, decision: afterAnswers(given) };
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
  const fixed = factsOf(definition.reviewers).hasFixers
    ? await applyFixers(job, base)
    : { output: base.version.output, tree: base.version.tree, gaps: noGaps };
  const left = gapsToAddress(decision, base.review.gaps).filter((gap) => !fixed.gaps.has(gap.id));
  const { output, tree } = fixed;
  if (decision.blocking.every((gap) => fixed.gaps.has(gap.id)))
    return { kind: 'output', output, tree, parent };
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
    throw userError(error, addressErrors);
  }
}

const noGaps: ReadonlySet<string> = new Set();

/** From the latest version if the best one waited for an answer: what was answered is done once. */
function afterAnswers<Task, Output>({ run, state, decision }: RevisionJob<Task, Output>): Revision {
  const { best, latest } = state;
  if (decision.from !== 'best' || best === undefined || latest === undefined) return decision;
  if (latest === best || !run.answered.has(best.version.digest)) return decision;
  const open = latest.review.gaps.filter((gap) => isOpen(gap) && gap.autoFixable);
  return { ...decision, from: 'latest', ...(isNonEmpty(open) && { blocking: open }) };
}

async function producedAnew<Task, Output>({
  run,
  definition,
  task,
}: RevisionJob<Task, Output>): Promise<Revised<Output>> {
  return {
    kind: 'output',
    ...(await produce({ run, definition, task, after: run.iteration })),
    parent: undefined,
  };
}

const addressErrors: UserErrors = {
  what: 'address',
  failed: engineErrors.address_failed,
  invalid: engineErrors.address_invalid,
};

interface Handover<Output> extends ProducedVersion<Output> {
  /** The digest of the version that the output comes from. */
  readonly base: string;
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
  run.emit('address-start', () => ({ gaps: gaps.length }));
  const input = (): string =>
    hashText(
      [
        fixed ? digestWith(digestJson(output), tree) : base,
        ...gaps.map((gap) => gap.id),
        'regressed',
        ...state.regressed.map((gap) => gap.id),
        'note',
        decision.note ?? '',
      ].join('\u0000'),
    );
  const loaded = definition.loadAddressPrompt();
  const addressPrompt = loaded instanceof Promise ? await loaded : loaded;
  const improved = await reported(run, scope, 'address', () =>
    scope.whole(input, outputSchemaOf(definition.outputSchema), (call) => {
      const prompted = new AddressCallContext(call, () =>
        addressPrompt({ task, output, gaps, nonce: run.nonce }),
      );
      const { regressed } = state;
      const untold = async (next: unknown): Promise<readonly string[]> => {
        return untoldChanges(definition.reviewers, { task, output, gaps }, next);
      };
      const more = { task, regressed, note: decision.note, untold };
      const context: AddressContext<Task> = Object.assign(prompted, surroundings(run, scope), more);
      return improve(
        copyJson(output, { freeze: false }),
        gaps.map((gap) => ({ ...gap })),
        context,
      );
    }),
  );
  return { output: sameKind(output, improved), tree: scope.trees?.tree };
}

type NextVersion<Output> =
  | { readonly kind: 'judge'; readonly version: Version<Output> }
  | Extract<Revised<Output>, { readonly kind: 'stop' }>;

/** Stops if the same content was judged before. */
export async function nextVersion<Task, Output>(
  job: RevisionJob<Task, Output>,
): Promise<NextVersion<Output>> {
  const { run, state, decision } = job;
  const revised = await revise(job);
  run.throwIfEnded();
  if (revised.kind === 'stop') return revised;
  const version = versionOf(state, revised);
  const seen = state.reviewedIn(version.digest);
  if (version.digest === revised.parent)
    return {
      kind: 'stop',
      status: 'stalled',
      code: 'output_unchanged',
      reason: `the revision changed nothing: ${decision.reason}`,
    };
  if (seen !== undefined)
    return {
      kind: 'stop',
      status: 'stalled',
      code: 'oscillation',
      reason: `the revision returned to the version of iteration ${seen}: ${decision.reason}`,
    };
  return { kind: 'judge', version };
}

function versionOf<Output>(
  state: VersionHistory<Output>,
  revised: ProducedVersion<Output> & { readonly parent: string | undefined },
): Version<Output> {
  try {
    return state.versionOf(revised, revised.parent);
  } catch (error) {
    const what = `the next version was refused: ${messageOf(error)}`;
    throw new ReviewLoopError(engineErrors.address_invalid, what, { cause: error });
  }
}

export interface ToldEdit<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  readonly gaps: readonly Gap[];
}

/**
 * Reviewers whose text an edit changed, though no gap of theirs was told. A scope that fails counts
 * as a change.
 */
export function untoldChanges<Task, Output>(
  reviewers: readonly Reviewer<Task, Output>[],
  { task, output, gaps }: ToldEdit<Task, Output>,
  edited: unknown,
): readonly string[] {
  const told = new Set(gaps.flatMap(({ raisedBy, criterionId }) => [raisedBy, criterionId]));
  const after = copyJson(edited, { freeze: true }) as Output;
  return reviewers
    .filter(({ id, scope }) => {
      if (scope === undefined || told.has(id)) return false;
      try {
        return digestJson(scope({ task, output })) !== digestJson(scope({ task, output: after }));
      } catch {
        return true;
      }
    })
    .map(({ id }) => id);
}
