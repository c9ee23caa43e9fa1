import { modelErrors } from '../../../blocks/models/errors.js';
import { wrapProvider } from '../../../blocks/models/middleware/wrap-provider.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { folderFiles } from '../../../node/store-file.js';
import type { ChecklistPhase } from '../../../ports/checklist/checklist-state.js';
import { elapsedOn, systemClock } from '../../../ports/clock.js';
import type { ChecklistGate } from '../../../products/checklist-gate/checklist-gate.js';
import type { Decomposition } from '../../../products/checklist-gate/run-gate.js';
import type { Io } from '../../cli-kit/io.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { followGate, type Progress } from '../../cli-kit/show/progress.js';

interface Followed {
  readonly folder: string;
  readonly quiet: boolean;
}

const command = 'checklist';

const author = 'decompose';

export async function followDecomposition(
  io: Io,
  { provider, folder, quiet }: Followed & { readonly provider: LLMProvider | undefined },
  decompose: (provider: LLMProvider | undefined) => Promise<Decomposition>,
): Promise<Decomposition> {
  const times = new JudgeTimes(folderFiles(folder), command);
  const began = elapsedOn(systemClock);
  const begins = ['breaking the work into items', author] as const;
  return followGate(io, { times, quiet, begins }, async (progress) => {
    const made = await decompose(provider && counted(provider, progress));
    if (made.created) times.add(author, elapsedOn(systemClock) - began);
    return made;
  });
}

/** Shows the items of a checklist while they are verified, and stores how long they took. */
export async function followVerification<Value>(
  io: Io,
  {
    gate,
    phase,
    folder,
    quiet,
  }: Followed & { readonly gate: ChecklistGate; readonly phase: ChecklistPhase },
  verify: () => Promise<Value>,
): Promise<Value> {
  // items come and go; their judge stays
  const times = new JudgeTimes(folderFiles(folder), command, { nameOf: () => 'item' });
  const checks = new Map<string, string>();
  const nameOf = (id: string): string => [id, checks.get(id) ?? ''].join(' ').trim();
  const begins = ['reading the work'] as const;
  return followGate(io, { gate, times, quiet, title: phase, nameOf, begins }, async () => {
    // a state that cannot be read is an error of the verification
    const { items } = await gate.state().catch(() => ({ items: [] }));
    for (const { id, check } of items) checks.set(id, check);
    return verify();
  });
}

function counted(provider: LLMProvider, progress: Progress | undefined): LLMProvider {
  return wrapProvider(provider, async (request) => {
    const answer = await provider.generate(request);
    progress?.spend(answer.usage);
    return answer;
  });
}

/** Calls a function with a signal that is aborted after `--review-timeout`, or with `signal`. */
export async function withinSeconds<Value>(
  seconds: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  if (seconds === undefined) return work(signal);
  const late = new AbortController();
  const error = new ReviewLoopError(
    modelErrors.provider_timeout,
    `the model did not answer within ${seconds} s (--review-timeout ${seconds})`,
    { value: seconds },
  );
  const cancel = systemClock.after(seconds * 1000, () => late.abort(error));
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (fault) {
    throw late.signal.aborted && !signal.aborted ? error : fault;
  } finally {
    cancel();
  }
}
