import type { Io } from '../../cli-kit/io.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { plural } from '../../core/plural.js';
import type { StoreFiles } from '../../node/store-file.js';
import { type GateJob, type GateStep, typesOf } from '../gate-job.js';
import { planReviews } from '../gate-plan.js';
import type { GateOutputs } from '../payload/gate-outputs.js';
import type { QualityGate } from '../quality-gate.js';

/** A step whose reviewers are shown while they work. */
export interface FollowedStep {
  readonly gate: QualityGate;
  readonly job: Pick<GateJob, 'name'>;
  readonly step: GateStep;
  readonly outputs: GateOutputs;
  /** The files of the store. */
  readonly files: StoreFiles;
  readonly quiet: boolean;
}

/** Shows the reviewers of a step while the step is reviewed, and stores how long they took. */
export async function followGate<Value>(
  io: Io,
  { gate, job, step, outputs, files, quiet }: FollowedStep,
  review: () => Promise<Value>,
): Promise<Value> {
  const names = namesOf(step, outputs);
  const times = new JudgeTimes(files, `gate ${job.name}/${step.id}`, { nameOf: withoutFile });
  const progress = quiet
    ? undefined
    : new Progress(io, {
        lines: false,
        title: step.id,
        nameOf: (id) => names.get(id) ?? id,
      });
  progress?.expect(times.expected());
  progress?.follow(gate);
  times.follow(gate);
  progress?.waitFor(`${step.id}: reading ${plural(Object.values(outputs).flat().length, 'file')}`);
  try {
    return await review();
  } finally {
    progress?.stop();
    await times.save();
  }
}

/** Returns the names of the tasks of a step: what is reviewed, and the file of a list. */
function namesOf(step: GateStep, outputs: GateOutputs): ReadonlyMap<string, string> {
  const { tasks } = planReviews({ reviews: step.reviews, outputs, outputTypes: typesOf(step) });
  return new Map(
    tasks.map(({ id, target, review }) => [
      id,
      target === null ? review.run_each : `${review.run_each} ${target}`,
    ]),
  );
}

/** Returns the id of a task without the number of its file: all files of a list take alike. */
function withoutFile(id: string): string {
  return id.split('/').slice(0, 2).join('/');
}
