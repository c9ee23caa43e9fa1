import { relative, resolve } from 'node:path';
import { requirementDeciders } from '../../../blocks/criteria/deciders/requirement-deciders.js';
import type { RequirementSource } from '../../../blocks/reviewers/covered-requirement.js';
import { criteriaFrom } from '../../../blocks/reviewers/criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { isThere } from '../../../node/files.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import type { Config, ConfiguredCriteria } from '../../config/config.js';
import { criteriaNames } from '../../config/config-schema.js';
import { configErrors } from '../../config/errors.js';
import { allowedIn, loadAllowedSecrets } from '../../config/load-allowed-secrets.js';
import { checkedConfig } from '../../config/load-config.js';
import { loadModule } from '../../config/load-module.js';
import { usageError } from '../errors.js';
import { merged } from '../flags/merged.js';
import type { FileReviewer } from '../inputs/read-inputs.js';
import { isList, isOfAgent, type SetsOptions, setsOf } from './chosen-sets.js';
import { type CriteriaSet, requirementsId } from './criteria-sets.js';

export interface ChosenCriteria {
  readonly reviewers: readonly FileReviewer[];
  readonly chosen: readonly string[];
  readonly reason: string;
  readonly why: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

export interface CriteriaChoice {
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
