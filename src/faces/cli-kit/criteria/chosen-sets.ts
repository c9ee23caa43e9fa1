import { dirname, relative, resolve } from 'node:path';
import { criteriaFrom } from '../../../blocks/reviewers/criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { reviewerOf } from '../../../products/self-review/agent-context.js';
import type { AgentReviewCriteria } from '../../../products/self-review/review-criterion.js';
import type { ConfiguredCriteria } from '../../config/config.js';
import type { ConfiguredPages, ConfiguredTool } from '../../config/config-parts.js';
import { criteriaNames } from '../../config/config-schema.js';
import { configErrors } from '../../config/errors.js';
import { acceptedPath, readAccepted } from './accepted-file.js';
import {
  type CriteriaSet,
  criteriaSet,
  type RequirementsOptions,
  requirementsId,
  reviewersOf,
} from './criteria-sets.js';

export interface SetsOptions {
  readonly cwd: string;
  readonly output: AgentOutput;
  readonly judgesTask: boolean;
  readonly how: RequirementsOptions;
  readonly pages: { readonly asked: boolean; readonly options: ConfiguredPages };
  readonly lint: { readonly asked: boolean; readonly options: ConfiguredTool };
  readonly spelling: { readonly asked: boolean; readonly options: ConfiguredTool };
  readonly configFile: string | undefined;
}

/** The requirements of the task belong to them, unless left out by name. */
export async function setsOf(
  criteria: ConfiguredCriteria,
  around: SetsOptions,
): Promise<CriteriaSet[]> {
  let sets = await chosenSets(criteria, around);
  for (const withMore of [withPages, withLint, withSpelling]) sets = await withMore(sets, around);
  if (!around.judgesTask)
    return sets.flatMap((set) => {
      const reviewers = set.reviewers.filter(({ id }) => id !== requirementsId);
      return reviewers.length === 0 ? [] : [{ ...set, reviewers }];
    });
  const judged = sets.some(({ reviewers }) => reviewers.some(({ id }) => id === requirementsId));
  return judged ? sets : [...sets, await criteriaSet('requirements', around.how)];
}

async function withPages(sets: CriteriaSet[], around: SetsOptions): Promise<CriteriaSet[]> {
  const { pages, output } = around;
  if (!pages.asked || sets.some(({ name }) => name === 'page')) return sets;
  const count = output.artifacts.filter(({ type }) => type === 'mockup').length;
  if (count === 0) return sets;
  const { pageSet } = await import('./page-set.js');
  return [...sets, { ...(await pageSet(around, sets)), why: plural(count, 'page') }];
}

async function withLint(sets: CriteriaSet[], around: SetsOptions): Promise<CriteriaSet[]> {
  const { lint, output } = around;
  if (!lint.asked || sets.some(({ name }) => name === 'code-lint')) return sets;
  const { isLinted } = await import('../../../blocks/reviewers/command/eslint.js');
  const count = output.artifacts.filter(isLinted).length;
  return count === 0 ? sets : [...sets, { ...(await lintSet(around)), why: plural(count, 'file') }];
}

async function withSpelling(sets: CriteriaSet[], around: SetsOptions): Promise<CriteriaSet[]> {
  const { spelling, output } = around;
  if (!spelling.asked || sets.some(({ name }) => name === 'spelling')) return sets;
  const { isSpelled } = await import('../../../blocks/reviewers/command/cspell.js');
  const count = output.artifacts.filter(isSpelled).length;
  return count === 0
    ? sets
    : [...sets, { ...(await spellingSet(around)), why: plural(count, 'file') }];
}

async function lintSet(around: SetsOptions): Promise<CriteriaSet> {
  const { eslint } = await import('../../../blocks/reviewers/command/eslint.js');
  const options = toolOptions(around, around.lint.options);
  return { name: 'code-lint', reviewers: [eslint<AgentOutput>(options)] };
}

async function spellingSet(around: SetsOptions): Promise<CriteriaSet> {
  const { cspell } = await import('../../../blocks/reviewers/command/cspell.js');
  const options = toolOptions(around, around.spelling.options);
  return { name: 'spelling', reviewers: [cspell<AgentOutput>(options)] };
}

/** The tool is that of the working folder; its configuration may be named beside ours. */
function toolOptions({ cwd, configFile }: SetsOptions, { config }: ConfiguredTool) {
  const beside = dirname(resolve(cwd, configFile ?? 'reviewloop.config.js'));
  return { folder: cwd, config: config === undefined ? undefined : resolve(beside, config) };
}

async function chosenSets(
  criteria: ConfiguredCriteria,
  around: SetsOptions,
): Promise<CriteriaSet[]> {
  const own = { judge: around.how.judge, source: around.how.source };
  if (typeof criteria === 'string') return named(criteria, around);
  if (isOfAgent(criteria))
    return [{ name: criteria.agentId, reviewers: reviewersOf(criteria, own) }];
  if (!isList(criteria))
    return [{ name: 'own', reviewers: criteriaFrom<AgentOutput, AgentRequest>(criteria) }];
  const sets: CriteriaSet[] = [];
  for (const entry of criteria) {
    if (typeof entry === 'string') {
      const taken = new Set(sets.map(({ name }) => name));
      sets.push(...(await named(entry, around)).filter(({ name }) => !taken.has(name)));
    } else if (isOfAgent(entry))
      sets.push({ name: entry.agentId, reviewers: reviewersOf(entry, own) });
    else
      sets.push({
        name: entry.id,
        reviewers: ['review' in entry ? entry : reviewerOf<AgentOutput, AgentRequest>(entry)],
      });
  }
  return sets;
}

async function named(name: string, around: SetsOptions): Promise<CriteriaSet[]> {
  const { cwd, output, how } = around;
  const known = criteriaNames.find((candidate) => candidate === name);
  if (known === undefined)
    throw new ReviewLoopError(
      configErrors.config_invalid,
      `unknown criteria ${JSON.stringify(name)}; the names are ${criteriaNames.join(', ')}`,
      { value: name },
    );
  if (known === 'accepted') return [await acceptedSet(cwd)];
  const { filesAround, pageSet } = await import('./page-set.js');
  if (known === 'page') return [await pageSet(around)];
  if (known === 'code-lint') return [await lintSet(around)];
  if (known === 'spelling') return [await spellingSet(around)];
  const files = await filesAround(around);
  if (known !== 'auto') return [await criteriaSet(known, how, files)];
  const { fittingSets } = await import('./auto-criteria.js');
  return Promise.all(
    (await fittingSets(output)).map(async ({ name: fitting, why }) => ({
      ...(await criteriaSet(fitting, how, files)),
      why,
    })),
  );
}

async function acceptedSet(cwd: string): Promise<CriteriaSet> {
  const path = await acceptedPath(cwd);
  const { criteria = [] } = (await readAccepted(cwd, path)) ?? {};
  if (criteria.length === 0)
    throw new ReviewLoopError(
      configErrors.config_invalid,
      `${relative(cwd, path)} contains no accepted criterion; see \`reviewloop lessons drafts\``,
      { value: 'accepted' },
    );
  const { llmCriterion } = await import('../../../blocks/reviewers/llm-criterion.js');
  return {
    name: 'accepted',
    reviewers: criteria.map((options) =>
      reviewerOf<AgentOutput, AgentRequest>(llmCriterion(options)),
    ),
  };
}

export function isOfAgent(criteria: object): criteria is AgentReviewCriteria {
  return 'agentId' in criteria && typeof criteria.agentId === 'string' && 'criteria' in criteria;
}

export function isList(
  criteria: ConfiguredCriteria,
): criteria is Extract<ConfiguredCriteria, readonly unknown[]> {
  return Array.isArray(criteria);
}
