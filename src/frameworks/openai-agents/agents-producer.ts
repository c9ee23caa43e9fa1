import { ReviewLoopError } from '../../core/errors.js';
import { checkKeys } from '../../core/options.js';
import { type AgentMaker, type AgentMakerOptions, agentMaker } from '../shared/agent-maker.js';
import { AgentsDriver } from './agents-driver.js';
import type { AgentsParts } from './agents-sdk.js';

export interface AgentsProducerOptions<Task, Output> extends AgentMakerOptions<Task>, AgentsParts {
  /** Returns the output from what the agent made; JSON data. @default what the agent made */
  readonly output?: ((finalOutput: unknown) => Output) | undefined;
}

/**
 * Lets an agent of the OpenAI Agents SDK do the work of a pipeline. Each call of the runner is a
 * recorded step, with the state of the run. A tool that needs approval becomes a question to a
 * person. Usage is counted once, although the SDK adds it up over all calls.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const article = definePipeline({
 *   ...agentsProducer({ runner: new Runner(), agent, fromString: RunState.fromString }),
 *   criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
 * });
 * ```
 */
export function agentsProducer<Task = string, Output = string>(
  options: AgentsProducerOptions<Task, Output>,
): AgentMaker<Task, Output> {
  const names = ['runner', 'agent', 'fromString', 'prompt', 'approve', 'output', 'onEvent'];
  checkKeys('agentsProducer', options, names);
  const { runner, agent, fromString, prompt, approve } = options;
  checkParts({ runner, agent, fromString });
  return agentMaker(new AgentsDriver(options), { prompt, approve });
}

function checkParts(parts: {
  readonly runner: unknown;
  readonly agent: unknown;
  readonly fromString: unknown;
}): void {
  const { runner, agent, fromString } = parts;
  const hasRun =
    typeof runner === 'object' &&
    runner !== null &&
    'run' in runner &&
    typeof runner.run === 'function';
  if (hasRun && typeof agent === 'object' && agent !== null && typeof fromString === 'function')
    return;
  throw new ReviewLoopError(
    'invalid_options',
    'agentsProducer needs `runner` (such as `new Runner()`), `agent`, and `fromString` ' +
      '(`RunState.fromString`)',
    { value: parts },
  );
}
