import { generateKeyPairSync } from 'node:crypto';
import { runReport } from '@/faces/reports/report-run.js';
import { criterion, definePipeline, memoryStore, type Outcome, type Policy } from '@/index.js';

/** A key of one's own. */
export function newKeys() {
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

const anyway: Policy = () => ({ kind: 'approve', reason: 'one note is no obstacle' });

/** A stored run of a text, of which one of two criteria holds; what the first returns decides. */
export async function attestedRun(
  {
    policy = anyway,
    output = 'A text.',
    first = (): boolean => true,
  }: { policy?: Policy; output?: string; first?: () => boolean } = {},
  act: (
    outcome: Outcome<string>,
    pipeline: ReturnType<typeof pipelineOf>,
  ) => Promise<Outcome<string>> = async (outcome) => outcome,
) {
  const store = memoryStore();
  const pipeline = pipelineOf({ policy, output, first, store });
  const outcome = await act(await pipeline.run('Write a text.', { runId: 'run-1' }), pipeline);
  const report = runReport(outcome, { pipeline: 'texts', task: 'Write a text.' });
  const records = (await store.read(outcome.runId)) ?? [];
  return { outcome, run: { report, records, output: outcome.output } };
}

function pipelineOf({
  policy,
  output,
  first,
  store,
}: {
  policy: Policy;
  output: string;
  first: () => boolean;
  store: ReturnType<typeof memoryStore>;
}) {
  return definePipeline<string, string>({
    name: 'texts',
    produce: async () => output,
    reviewers: [criterion('first', first), criterion('liked', () => false)],
    policy,
    budget: { reviews: 1 },
    store,
  });
}
