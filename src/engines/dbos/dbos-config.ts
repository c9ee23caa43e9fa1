import { checkPlain, invalid } from '../../core/options.js';
import { systemRandom } from '../../ports/random.js';
import { appVersion } from './dbos-api.js';

/**
 * Returns the configuration of DBOS: that of the caller, with what workers need to find each other.
 *
 * @param worker - The id of this process in the store, if it has one.
 * @throws ReviewLoopError `invalid_options` for a setting with which runs would be left behind
 */
export function dbosConfig(given: object, worker: string | undefined, queues: readonly string[]) {
  checkPlain('config', given);
  const settings = new Map<string, unknown>(Object.entries(given));
  const executorID = settings.get('executorID') ?? worker;
  if (executorID !== worker && worker !== undefined)
    throw invalid(
      'config.executorID',
      `left out: it is \`store.worker\` (${worker}), by which others find the work of a dead worker`,
      executorID,
    );
  const applicationVersion = settings.get('applicationVersion') ?? appVersion;
  if (applicationVersion !== appVersion)
    throw invalid(
      'config.applicationVersion',
      `left out: it is '${appVersion}', and a worker takes only workflows of its own version`,
      applicationVersion,
    );
  const others = settings.get('listenQueues') ?? [];
  if (!Array.isArray(others)) throw invalid('config.listenQueues', 'a list of queues', others);
  return {
    name: 'reviewloop',
    executorID: `reviewloop-${systemRandom.id()}`,
    ...given,
    ...(worker !== undefined && { executorID: worker }),
    applicationVersion,
    listenQueues: [...queues, ...others],
  };
}
