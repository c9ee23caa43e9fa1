import * as z from 'zod';
import type { Decision } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { bySeverity, type Gap, isOpen } from '../core/gap.js';
import { copyJson, digestJson } from '../core/json.js';
import type { FixContext, Reviewer } from '../core/reviewer.js';
import { CallContext, type Definition } from './definition.js';
import { engineErrors } from './errors.js';
import { outputSchemaOf } from './produce.js';
import type { Run } from './run.js';
import type { JudgedVersion, ProducedVersion, VersionHistory } from './version-history.js';

export function gapsToAddress(decision: Revision, gaps: readonly Gap[]): Gap[] {
  const blocking = new Set(decision.blocking.map((gap) => gap.id));
  const others = gaps.filter((gap) => !blocking.has(gap.id) && isOpen(gap) && gap.autoFixable);
  return [...[...decision.blocking].sort(bySeverity), ...others];
}

interface Fixed<Output> extends ProducedVersion<Output> {
  readonly gaps: ReadonlySet<string>;
}

interface Fix<Task, Output> {
  readonly fixer: Reviewer<Task, Output>;
  readonly gap: Gap;
}

function fixesOf<Task, Output>(
  { definition, decision }: RevisionJob<Task, Output>,
  { review }: JudgedVersion<Output>,
): Fix<Task, Output>[] {
  const fixers = new Map<string | undefined, Reviewer<Task, Output>>();
  for (const one of definition.reviewers) if (one.fix !== undefined) fixers.set(one.id, one);
  return gapsToAddress(decision, review.gaps).flatMap((gap) => {
    // no check raised the wish of a person, whatever its name
    if (decision.note !== undefined && gap.criterionId === undefined) return [];
    const fixer = fixers.get(gap.raisedBy) ?? fixers.get(gap.criterionId);
    return fixer === undefined ? [] : [{ fixer, gap }];
  });
}

/** A fixer that fails is logged, and `address` gets its gap. */
export async function applyFixers<Task, Output>(
  job: RevisionJob<Task, Output>,
  base: JudgedVersion<Output>,
): Promise<Fixed<Output>> {
  const { run, definition } = job;
  let made: ProducedVersion<Output> = { output: base.version.output, tree: base.version.tree };
  const gaps = new Set<string>();
  for (const { fixer, gap } of fixesOf(job, base)) {
    try {
      const next = await applyFixer(job, { fixer, gap }, made);
      if (digestJson(next.output) === digestJson(made.output) && next.tree === made.tree) continue;
      made = next;
      gaps.add(gap.id);
      run.emit('fix-apply', () => ({
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
  { fixer, gap }: Fix<Task, Output>,
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

export function sameKind<Output>(before: Output, after: Output): Output {
  const kinds = [before, after].map((value) =>
    Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value,
  );
  if (kinds[0] === kinds[1]) return after;
  throw new ReviewLoopError(
    engineErrors.address_invalid,
    `expected ${kinds[0]}, like the previous output, got ${kinds[1]}`,
    { value: after },
  );
}

export type Revision = Extract<Decision, { kind: 'revise' }> & {
  readonly note?: string | undefined;
};

export interface RevisionJob<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  readonly state: VersionHistory<Output>;
  readonly decision: Revision;
}
