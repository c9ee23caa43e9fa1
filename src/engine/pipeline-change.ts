import * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer } from '../core/human.js';
import { digestJson } from '../core/json.js';
import type { JournalRecord } from '../ports/store.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';
import { answerOrPending } from './run-questions.js';
import type { RunResult } from './run-result.js';
import { suspend } from './suspend-run.js';

type Choice = Exclude<Definition<never, never>['onChange'], 'ask'>;

/**
 * Compares a continued run with the pipeline that began it. If they differ, the run says so, and
 * does what `onChange` tells. Returns a result if a person has to choose first.
 */
export async function withChange<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
): Promise<RunResult<Output> | undefined> {
  const { journal } = run;
  if (journal === undefined || isOver(journal.ended)) return undefined;
  const now = partsOf(definition);
  const before = lastParts(journal.records);
  if (before === undefined) {
    // begun without code of the pipeline: from here on it is known
    if (journal.records.every(({ type }) => type === 'run')) await record(run, 'parts', now);
    return undefined;
  }
  const changes = changesBetween(before, now);
  if (changes.length === 0) return undefined;
  run.changed = Object.freeze([...changes]);
  const choice =
    definition.onChange === 'ask' ? chosen(run, changes, digestJson(now)) : definition.onChange;
  definition.logger.warn(
    {
      run: run.id,
      pipeline: definition.name,
      changes: changes.join('; '),
      action: choice ?? 'ask',
    },
    'the pipeline changed since the run was last continued',
  );
  if (choice === undefined) return suspend(run, definition, undefined);
  await record(run, choice === 'restart' ? 'restart' : 'parts', now);
  return undefined;
}

/** Replaying such a run changes nothing. */
function isOver(ended: { readonly status: string } | undefined): boolean {
  return ended !== undefined && ended.status !== 'suspended';
}

function lastParts(records: readonly JournalRecord[]): PipelineParts | undefined {
  const step = records.findLast((one) => one.type === 'step' && isParts(one.name));
  if (step?.type === 'step') return z.record(z.string(), z.string()).safeParse(step.value).data;
  const [header] = records;
  return header?.type === 'run' ? header.parts : undefined;
}

function isParts(name: string): boolean {
  return name === 'parts' || name === 'restart';
}

async function record(run: Run, name: 'parts' | 'restart', value: PipelineParts): Promise<void> {
  const at = run.ports.clock.now();
  await run.journal?.append({ type: 'step', name, input: digestJson(value), value, at });
}

/** Without an answer, the question becomes pending. */
function chosen(run: Run, changes: readonly string[], digest: string): Choice | undefined {
  const source = { from: 'produce', digest } as const;
  const answer = answerOrPending(run, 'changed', source, {
    question: `The pipeline changed while the run waited: ${changes.join('; ')}. Continue or restart?`,
    allowed: ['reply'],
    subject: { changes: [...changes] },
    responseSchema: { type: 'string', enum: ['continue', 'restart'] },
  });
  return answer === undefined ? undefined : choiceOf(answer);
}

function choiceOf(answer: HumanAnswer): Choice {
  const value = answer.kind === 'reply' ? answer.value : undefined;
  if (value === 'continue' || value === 'restart') return value;
  throw new ReviewLoopError('policy_failed', 'the answer is neither `continue` nor `restart`', {
    value,
  });
}

/** Versions by name. */
export type PipelineParts = Readonly<Record<string, string>>;

/**
 * Only what can change a verdict: the `version` of the pipeline, which stands for the functions,
 * its reviewers with their versions, and the settings that are data.
 */
export function partsOf<Task, Output>(definition: Definition<Task, Output>): PipelineParts {
  const { version = '', reviewers, budget, weights, failFast, allowEmpty, human } = definition;
  const settings = {
    reviews: budget.reviews,
    weights: { ...weights },
    failFast,
    allowEmpty,
    human: { policy: human?.policy ?? 'auto', onReject: human?.onReject ?? 'end' },
  };
  const parts: Record<string, string> = { version, settings: digestJson(settings).slice(0, 16) };
  for (const { id, version: judge, tier } of reviewers)
    parts[`reviewer ${id}`] = `${judge} (${tier})`;
  return parts;
}

export function changesBetween(before: PipelineParts, after: PipelineParts): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => changeOf(name, before[name], after[name]));
}

function changeOf(name: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${name} was added`;
  if (after === undefined) return `${name} was removed`;
  if (name === 'settings') return 'the settings changed';
  return `${name} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
}
