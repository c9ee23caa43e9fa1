import { resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import type { Reviewer } from '../../../core/reviewer.js';
import type { LabelledExample } from '../../../products/calibration/calibrate-options.js';
import { calibrationErrors } from '../../../products/calibration/errors.js';
import type { CalibratableJudge } from '../../../products/calibration/judge-pipeline.js';
import type { ReadLabel } from '../../../products/calibration/labels.js';
import { type AgentOutput, agentRequest, textOutput } from '../../../products/self-review/agent.js';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { usageError } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { loadConfig } from '../../config/load-config.js';
import { loadModule } from '../../config/load-module.js';
import type { calibrateFlags } from './calibration-flags.js';
import { readLabelFile } from './stored-labels.js';

interface Settings extends Pick<SettingsOf<typeof calibrateFlags>, 'config'> {
  readonly judge: string;
  readonly labels: string;
}

type Judge = CalibratableJudge<unknown, unknown>;

export interface ChosenJudge {
  readonly judge: Judge;
  readonly examples: readonly LabelledExample[];
  /** The id of a judge that is a plain function. */
  readonly id?: string | undefined;
}

export async function chosenJudge(io: Io, settings: Settings): Promise<ChosenJudge> {
  const labels = aboutJudge(await readLabelFile(io, settings.labels), settings);
  const { judge: named } = settings;
  const hash = named.lastIndexOf('#');
  if (hash > 0) return exported(io, [named.slice(0, hash), named.slice(hash + 1)], labels);
  const examples = labels.map(({ task, output, ...label }) => ({
    ...label,
    task: typeof task === 'string' ? agentRequest({ id: label.id, description: task }) : task,
    output: typeof output === 'string' ? textOutput(output) : output,
  }));
  const loaded = await loadConfig(io.cwd, settings.config);
  const { reviewers } = await chooseCriteria({
    cwd: io.cwd,
    output: examples[0]?.output as AgentOutput,
    options: [],
    config: loaded.config,
    configFile: loaded.file,
  });
  const judge = reviewers.find(({ id }) => id === named);
  if (judge === undefined)
    throw usageError(
      `no criterion ${named} in ${loaded.file ?? 'the criteria that fit the examples'}; ` +
        `the criteria are ${reviewers.map(({ id }) => id).join(', ')}`,
      named,
    );
  return { judge: judge as Judge, examples };
}

async function exported(
  io: Io,
  [file, name]: readonly [file: string, name: string],
  labels: readonly ReadLabel[],
): Promise<ChosenJudge> {
  const module = await loadModule(resolve(io.cwd, file), file);
  const judge = module[name];
  const names = Object.keys(module).join(', ');
  if (judge === undefined)
    throw usageError(
      `${file} exports no ${name}; it exports ${names === '' ? 'nothing' : names}`,
      name,
    );
  return {
    judge: judge as Judge,
    examples: labels,
    ...(typeof judge === 'function' && { id: name }),
  };
}

function aboutJudge(labels: readonly ReadLabel[], { judge, labels: file }: Settings): ReadLabel[] {
  const name = judge.slice(judge.lastIndexOf('#') + 1);
  const own = labels.filter(({ criterion = name }) => criterion === name);
  if (own.length === 0)
    throw new ReviewLoopError(
      calibrationErrors.labels_invalid,
      `${file} contains no label about ${name}, only about other criteria`,
      { value: file },
    );
  return own;
}

export function askingReviewer(judge: Judge): Reviewer<unknown, unknown> {
  if (typeof judge === 'object' && 'review' in judge && judge.asks !== undefined) return judge;
  throw usageError(
    '--confirm-with requires a --judge that asks a model, such as llmCriterion(...)',
  );
}
