import type { Io } from '../../cli-kit/io.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { followGate, type Progress } from '../../cli-kit/show/progress.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { wrapProvider } from '../../model/middleware/wrap-provider.js';
import { folderFiles } from '../../node/store-file.js';
import { elapsedOn, systemClock } from '../../ports/clock.js';
import type { ChecklistPhase } from '../checklist.js';
import type { ChecklistGate } from '../checklist-gate.js';
import type { Decomposition } from '../decompose-work.js';

/** What the calls of a checklist share while they are shown. */
interface Followed {
  /** The state directory, which also stores times. */
  readonly folder: string;
  readonly quiet: boolean;
}

const command = 'checklist';
const author = 'decompose';

/** Shows a decomposition with what its model used, and stores how long it took. */
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
