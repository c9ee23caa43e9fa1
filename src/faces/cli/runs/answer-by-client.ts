import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { ClientAnswer } from '../../mcp/people-tools.js';
import { answerRun, findRun } from './answer-run.js';

/**
 * Answers a run for a client of the Model Context Protocol. The output of the process belongs to the
 * protocol, so nothing is shown.
 */
export async function answerByClient(
  call: StoredCall,
  { runId, version, decisions, reason, by }: ClientAnswer,
): Promise<number> {
  const { report } = await findRun(call.store, runId);
  if (report.version !== version) throw usageError(`run ${runId} has another version now`);
  const io = {
    ...call.io,
    terminal: undefined,
    github: undefined,
    out: async () => {},
    err: () => {},
  };
  return answerRun(
    { ...call, io },
    {
      ...{ id: runId, answer: 'decide', decisions, reason, by },
      ...{ question: undefined, format: 'json', quiet: true, report: [] },
    },
  );
}
