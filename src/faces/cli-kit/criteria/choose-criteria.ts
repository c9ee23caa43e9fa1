import { dirname, relative, resolve } from 'node:path';
import { requirementDeciders } from '../../../blocks/criteria/deciders/requirement-deciders.js';
import type { RequirementSource } from '../../../blocks/reviewers/covered-requirement.js';
import { criteriaFrom } from '../../../blocks/reviewers/criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { isThere } from '../../../node/files.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { reviewerOf } from '../../../products/self-review/agent-context.js';
import type { AgentReviewCriteria } from '../../../products/self-review/review-criterion.js';
import type { Config, ConfiguredCriteria } from '../../config/config.js';
import type { ConfiguredPages, ConfiguredTool } from '../../config/config-parts.js';
import { criteriaNames } from '../../config/config-schema.js';
import { configErrors } from '../../config/errors.js';
import { allowedIn, loadAllowedSecrets } from '../../config/load-allowed-secrets.js';
import { checkedConfig } from '../../config/load-config.js';
import { loadModule } from '../../config/load-module.js';
import { usageError } from '../errors.js';
import { merged } from '../flags/merged.js';
import type { FileReviewer } from '../inputs/read-inputs.js';
import { acceptedPath, readAccepted } from './accepted-file.js';
import {
  type CriteriaSet,
  criteriaSet,
  type RequirementsOptions,
  requirementsId,
  reviewersOf,
} from './criteria-sets.js';

export interface ChosenCriteria {
  readonly reviewers: readonly FileReviewer[];
  readonly chosen: readonly string[];
  readonly reason: string;
  readonly why: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

interface CriteriaChoice {
  readonly cwd: string;
  readonly output: AgentOutput;
  /** The values of --criteria. Each may name several sets, with commas between them. */
  readonly options: readonly string[];
  readonly config: Config;
  readonly configFile: string | undefined;
  /** Whether a model decides requirements that no check decides. @default false */
  readonly asksModel?: boolean | undefined;
  /**
   * The requirements to judge, if a file lists them; `false` leaves all of them out.
   *
   * @default those of the task
   */
  readonly requirements?: RequirementSource<AgentRequest> | false | undefined;
  /** Whether pages are also judged in a browser. @default the configuration, else false */
  readonly pages?: boolean | undefined;
  /** Whether words decide requirements. @default the configuration, else 'hint' */
  readonly words?: 'decide' | 'hint' | undefined;
}

/** `--criteria` counts, else the configuration, else the types of the files. */
export async function chooseCriteria(choice: CriteriaChoice): Promise<ChosenCriteria> {
  const { options, config, configFile } = choice;
  const configured =
    options.length > 0 ? await criteriaOptions(choice.cwd, options) : config.criteria;
  const sets = await setsOf(configured ?? 'auto', await aroundOf(choice));
  if (config.commands?.length) sets.push(await commandSet(choice.cwd, config.commands));
  const extra = config.reviewers ?? [];
  if (extra.length > 0) sets.push({ name: 'reviewers', reviewers: extra });
  const reason =
    options.length > 0
      ? options.map((option) => `--criteria ${option}`).join(' ')
      : config.criteria !== undefined
        ? (configFile ?? 'configuration')
        : 'chosen by the types of the files';
  const reviewers = distinct(sets);
  return {
    reviewers,
    chosen: sets.map(({ name }) => name),
    reason,
    why: sets.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}`])),
    names: Object.fromEntries(reviewers.flatMap(nameOf)),
  };
}

async function commandSet(
  folder: string,
  commands: NonNullable<Config['commands']>,
): Promise<CriteriaSet> {
  const { command } = await import('../../../blocks/reviewers/command/command.js');
  const reviewers = commands.map(({ cwd, ...options }) =>
    command<AgentOutput>({ ...options, ...(cwd !== undefined && { cwd: resolve(folder, cwd) }) }),
  );
  return { name: 'commands', reviewers };
}

function nameOf(reviewer: FileReviewer): [string, string][] {
  return 'name' in reviewer && typeof reviewer.name === 'string'
    ? [[reviewer.id, reviewer.name]]
    : [];
}

/** Keeps only one requirements reviewer. The pipeline refuses other duplicates. */
function distinct(sets: readonly CriteriaSet[]): FileReviewer[] {
  const taken = new Set<string>();
  return sets.flatMap(({ reviewers }) => {
    const fresh = reviewers.filter(({ id }) => !(id === requirementsId && taken.has(id)));
    for (const { id } of fresh) taken.add(id);
    return fresh;
  });
}

async function criteriaOptions(
  cwd: string,
  options: readonly string[],
): Promise<ConfiguredCriteria> {
  const chosen: ConfiguredCriteria[] = [];
  for (const option of options) {
    const names = (await isThere(resolve(cwd, option))) ? [option] : option.split(',');
    for (const name of names) chosen.push(await criteriaOption(cwd, name.trim()));
  }
  const [first = 'auto', ...others] = chosen;
  return others.length === 0 ? first : chosen.flatMap(entriesOf);
}

async function criteriaOption(cwd: string, option: string): Promise<ConfiguredCriteria> {
  const name = criteriaNames.find((known) => known === option);
  if (name !== undefined) return name;
  const path = resolve(cwd, option);
  if (option === '' || !(await isThere(path)))
    throw usageError(
      `--criteria ${option} is not a file and not one of ${criteriaNames.join(', ')}`,
      option,
    );
  const shown = relative(cwd, path);
  const exported = await loadModule(path, shown);
  const criteria = exported['criteria'] ?? exported['default'];
  if (criteria === undefined)
    throw new ReviewLoopError(
      configErrors.config_invalid,
      `${shown} exports neither \`criteria\` nor a default`,
      { value: option },
    );
  const config = await checkedConfig(
    { criteria: typeof criteria === 'function' ? instanceOf(criteria, shown) : criteria },
    shown,
    async () => () => undefined,
  );
  return config.criteria ?? 'auto';
}

function instanceOf(criteria: unknown, shown: string): unknown {
  try {
    return Reflect.construct(criteria as new () => unknown, []);
  } catch (cause) {
    throw new ReviewLoopError(
      configErrors.config_invalid,
      `${shown} exports a function that is not a class of criteria`,
      { cause },
    );
  }
}

async function aroundOf({
  cwd,
  output,
  config,
  configFile,
  asksModel,
  requirements,
  words,
  pages,
}: CriteriaChoice): Promise<SetsOptions> {
  const { entries } = await loadAllowedSecrets(cwd, { config, file: configFile });
  const allowedSecrets = allowedIn(cwd, entries);
  return {
    cwd,
    output,
    pages: turnedOn(config.pages, pages),
    lint: turnedOn(config.lint),
    spelling: turnedOn(config.spelling),
    configFile,
    judgesTask: requirements !== false && config.requirements !== false,
    how: {
      judge:
        asksModel === true
          ? (await import('../../../blocks/reviewers/model-coverage.js')).modelCoverage()
          : undefined,
      words: merged(sources, { words }, config).words,
      deciders: requirementDeciders(),
      allowedSecrets,
      ...(requirements && { source: requirements }),
    },
  };
}

const sources = { words: { flag: 'words', member: 'words', usual: 'hint' } } as const;

function turnedOn<Options extends object>(
  configured: boolean | Options | undefined,
  flag = false,
): { readonly asked: boolean; readonly options: Options | Record<never, never> } {
  return {
    asked: flag || (configured !== undefined && configured !== false),
    options: typeof configured === 'object' ? configured : {},
  };
}

function entriesOf(criteria: ConfiguredCriteria): Extract<ConfiguredCriteria, readonly unknown[]> {
  if (typeof criteria === 'string') return [criteria];
  if (isList(criteria)) return criteria;
  return isOfAgent(criteria) ? [criteria] : criteriaFrom<AgentOutput, AgentRequest>(criteria);
}

interface SetsOptions {
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
async function setsOf(criteria: ConfiguredCriteria, around: SetsOptions): Promise<CriteriaSet[]> {
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

function isOfAgent(criteria: object): criteria is AgentReviewCriteria {
  return 'agentId' in criteria && typeof criteria.agentId === 'string' && 'criteria' in criteria;
}

function isList(
  criteria: ConfiguredCriteria,
): criteria is Extract<ConfiguredCriteria, readonly unknown[]> {
  return Array.isArray(criteria);
}
