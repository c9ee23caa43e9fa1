import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { checkKeys } from '../../../core/options.js';
import type { Outcome } from '../../../core/outcome.js';
import { answerAsked, type Replied, ReplySchema } from '../shared/answer-asked.js';
import { membersOf } from '../shared/ending.js';
import { reviewParts, runIdFrom } from '../shared/review-parts.js';
import { importLanggraph } from './graph-producer.js';

export interface ReviewNodeOptions<Task, Output, State, Update> {
  readonly task: (state: State) => Task;
  /** Returns what the node changes in the state. Look at `status`: a run may end without approval. */
  readonly update: (outcome: Outcome<Output>) => Update;
}

/** What a node of LangGraph receives beside the state, as far as it is used. */
export interface NodeConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Writes into a stream with the mode `custom`. */
  readonly writer?: ((part: never) => void) | undefined;
}

/**
 * Returns a node of LangGraph that runs a pipeline. A question to a person becomes an `interrupt`
 * whose value is the request. Resume with `{ id, digest, answer }`. A reply that does not count, such
 * as one about another version, is told: the question is asked again, with `refused`, or the node
 * throws `request_answered` if somebody else has ended the run.
 *
 * A stream of the graph with the mode `custom` contains what a review finds: `data-review`,
 * `data-gaps`, `data-request` and `data-outcome`.
 *
 * The run has the id of the thread and of the visit of the node, so a graph that is resumed continues
 * it. The store of the pipeline must outlive the process as the checkpointer does.
 *
 * @throws ReviewLoopError `invalid_options`; the node throws `peer_missing`, and what `run` throws
 *   for misuse
 */
export function reviewNode<Task, Output, State, Update>(
  pipeline: Pipeline<Task, Output>,
  options: ReviewNodeOptions<Task, Output, State, Update>,
): (state: State, config: NodeConfig) => Promise<Update> {
  checkKeys('reviewNode', options, ['task', 'update']);
  const { task, update } = options;
  return async (state, { configurable = {}, signal, writer }) => {
    const { interrupt } = await importLanggraph();
    const { thread_id: thread, checkpoint_ns: visit } = configurable;
    const given = {
      ...(thread !== undefined && { runId: runIdFrom(`${String(thread)}:${String(visit)}`) }),
      ...(signal !== undefined && { signal }),
      // the types of a stream are the user's, so its writer takes no type of ours
      ...(writer !== undefined && { on: reviewParts((part) => writer(part as never)) }),
    };
    const again = (): Promise<Outcome<Output>> => pipeline.run(task(state), given);
    let now: Replied<Output> = { outcome: await again() };
    const late = now.outcome.status === 'suspended' ? undefined : lateReply(configurable);
    if (late !== undefined)
      now = await answerAsked(pipeline, now.outcome, { reply: late, again, options: given }).catch(
        (error: unknown) => {
          // a reply to another node that waits
          if (membersOf(error)['code'] === 'request_unknown') return now;
          throw error;
        },
      );
    while (now.outcome.status === 'suspended') {
      const [request] = now.outcome.requests;
      const { refused } = now;
      // a graph gives earlier replies again, by their position: each one must name its question
      const reply = interrupt(refused === undefined ? request : { ...request, refused });
      now = await answerAsked(pipeline, now.outcome, { reply, again, options: given });
    }
    return update(now.outcome);
  };
}

/** The node does not ask, so LangGraph would drop it. */
function lateReply(configurable: Readonly<Record<string, unknown>>): unknown {
  const { resume, nullResume } = membersOf(configurable['__pregel_scratchpad']);
  return [resume, nullResume].flat().findLast((one) => ReplySchema.safeParse(one).success);
}
