import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import {
  providerFor,
  providerLimits,
  reopenProvider,
} from '../../cli-kit/provider/choose-provider.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import { honestWorkIn } from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { askingFiles } from './asking-files.js';
import { chooseTrust } from './choose-trust.js';
import { filePipeline } from './file-pipeline.js';
import type { RunRequest } from './run-request.js';

/**
 * Builds the pipeline of a stored run again, in another process. It reads no files, because the
 * journal contains them.
 *
 * @throws ReviewLoopError `config_unreadable`, `config_invalid`, `usage`
 */
export async function rebuildPipeline(
  store: StoreHandle,
  request: RunRequest,
  watchdog: Watchdog,
): Promise<Pipeline<AgentRequest, AgentOutput>> {
  const { runId, cwd, config, files, plan, requirements, since } = request;
  watchdog.send({ kind: 'begin', call: { of: 'configuration' } });
  const loaded = await loadConfig(cwd, config);
  const output: AgentOutput = {
    ...(plan && { result: {} }),
    artifacts: files.map(({ path, type }) => ({ path, type })),
  };
  const chosen = providerFor(request, loaded.config);
  const { reviewers } = await chooseCriteria({
    cwd,
    output,
    options: request.criteria,
    config: loaded.config,
    configFile: loaded.file,
    asksModel: chosen !== undefined,
    requirements:
      request.requirements === false
        ? false
        : requirements && { makesSteps: false, extract: async () => requirements },
    words: request.words,
    pages: request.pages,
  });
  watchdog.send({ kind: 'end', call: { of: 'configuration' } });
  const produce = async (): Promise<AgentOutput> => {
    throw new ReviewLoopError(
      engineErrors.run_unknown,
      `the journal of run ${runId} does not contain the files that were read`,
      { value: runId },
    );
  };
  const limit = providerLimits(loaded.config.limits, store.limits);
  const provider = await reopenProvider(chosen, limit);
  const honest = since && honestWorkIn(cwd, loaded, since.root);
  const judges =
    since === undefined || honest === undefined
      ? reviewers
      : (await import('./since-start.js')).sinceStart(reviewers, since, honest);
  return filePipeline({
    settings: request,
    store,
    config: loaded.config,
    reviewers: await askingFiles(cwd, loaded.config, judges),
    produce,
    watchdog,
    provider,
    trusting: await chooseTrust(request, loaded.config, (choice) => reopenProvider(choice, limit)),
    allowEmpty: since !== undefined,
  });
}
