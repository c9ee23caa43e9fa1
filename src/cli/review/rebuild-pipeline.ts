import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { chooseProvider, providerChoice } from '../../cli-kit/provider/choose-provider.js';
import type { Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import { loadConfig } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import type { RunRequest } from '../../reports/run-request.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { chooseTrust } from './choose-trust.js';
import { filePipeline } from './file-pipeline.js';

/**
 * The pipeline of a kept run, built again in another process. It reads no files: what was read is in the run's journal.
 *
 * @throws ReviewLoopError `config_unreadable`, `config_invalid`, `usage`
 */
export async function rebuildPipeline(
  store: string,
  request: RunRequest,
  watchdog: Watchdog,
): Promise<Pipeline<AgentRequest, AgentOutput>> {
  const {
    runId,
    cwd,
    fix,
    iterations,
    checkTimeoutMs,
    config,
    criteria: option,
    files,
    plan,
    provider: choice,
    trust,
    confirmWith,
  } = request;
  watchdog.tell({ kind: 'begin', call: { of: 'configuration' } });
  const loaded = config === false ? { config: {}, file: undefined } : await loadConfig(cwd, config);
  const output: AgentOutput = {
    ...(plan && { result: {} }),
    artifacts: files.map(({ path, type }) => ({ path, type })),
  };
  const chosen = providerChoice(choice, loaded.config);
  const { reviewers } = await chooseCriteria({
    cwd,
    output,
    option,
    config: loaded.config,
    configFile: loaded.file,
    asksModel: chosen !== undefined,
  });
  watchdog.tell({ kind: 'end', call: { of: 'configuration' } });
  const produce = async (): Promise<AgentOutput> => {
    throw new ReviewLoopError(
      'run_unknown',
      `the journal of run ${runId} does not hold what was read`,
      { value: runId },
    );
  };
  const provider = await chooseProvider({ err: () => {} }, chosen, true);
  return filePipeline({
    settings: { store, fix, iterations, checkTimeoutMs },
    config: loaded.config,
    reviewers,
    produce,
    watchdog,
    provider,
    trusting: await chooseTrust({ err: () => {} }, { trust, confirmWith }, loaded.config),
  });
}
