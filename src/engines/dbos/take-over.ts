import { handOnDead, type SharedStore } from '../wake.js';
import { type DbosApi, statusOnly, workflowName } from './dbos-api.js';

/**
 * Hands on the workflows of workers whose lease is over. DBOS itself recovers only those of its own
 * executor id.
 */
export function takeOver(
  dbos: Pick<DbosApi, 'listWorkflows' | 'resumeWorkflows'>,
  store: Pick<SharedStore, 'deadWorkers' | 'forgetWorkers'>,
): Promise<void> {
  return handOnDead(store, async (executorId) => {
    const query = { executorId, workflowName, ...statusOnly };
    const left = await dbos.listWorkflows({ ...query, status: ['PENDING'] });
    for (const queueName of new Set(left.map((one) => one.queueName))) {
      const ids = left.filter((one) => one.queueName === queueName).map((one) => one.workflowID);
      if (queueName !== undefined) await dbos.resumeWorkflows(ids, { queueName });
    }
  });
}
