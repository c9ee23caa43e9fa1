import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMResult } from '../../core/llm-provider.js';
import { modelErrors } from '../../model/errors.js';
import {
  clean,
  faultOfStatus,
  lacksKey,
  malformed,
  saysUsedUp,
} from '../../model/provider-fault.js';
import { usageFromCounts } from '../shared/service-client.js';
import { objectOf, textBeside } from '../shared/structured-output.js';
import type { CliAnswer, CliCall, CliOutput } from './cli-command.js';
import { failedCommand, missingStructure } from './command-errors.js';

const count = z.number().nullish().catch(undefined);

/** The used lines of `codex exec --json`. Other lines are ignored. */
const EventSchema = z.union([
  z.looseObject({
    type: z.literal('item.completed'),
    item: z.looseObject({ type: z.literal('agent_message'), text: z.string() }),
  }),
  z.looseObject({
    type: z.literal('turn.completed'),
    usage: z
      .looseObject({ input_tokens: count, cached_input_tokens: count, output_tokens: count })
      .nullish(),
  }),
  z.looseObject({ type: z.literal('turn.failed'), error: z.looseObject({ message: z.string() }) }),
]);
type CodexEvent = z.infer<typeof EventSchema>;

/**
 * Returns the answer in the events of `codex`: the file of the last message, or the last message
 * event.
 */
export async function readCodex(output: CliOutput, { request }: CliCall): Promise<CliAnswer> {
  const events = output.stdout.split('\n').flatMap(eventOf);
  const failed = events.findLast((event) => event.type === 'turn.failed');
  const completed = events.findLast((event) => event.type === 'turn.completed');
  const said = events.findLast((event) => event.type === 'item.completed')?.item.text ?? '';
  if (failed !== undefined)
    return { text: said, finish: finishOf(output, failed.error.message), usage: {} };
  if (output.exitCode !== 0) throw failedCommand(output);
  if (completed === undefined)
    throw malformed(output.place, 'no turn was completed', output.stdout);
  const text = (await output.file('last.txt')) || said;
  const {
    input_tokens: input,
    output_tokens: out,
    cached_input_tokens: cached,
  } = completed.usage ?? {};
  const answer = {
    text,
    finish: 'stop' as const,
    usage: usageFromCounts({ input, output: out, cached }),
    raw: { usage: completed.usage },
  };
  if (request.schema === undefined) return answer;
  const object = objectOf(request, text);
  if (!('object' in object))
    throw missingStructure(output, 'the last message is not JSON', answer.usage);
  return { ...answer, ...object, text: textBeside(said, text) };
}

function eventOf(line: string): CodexEvent[] {
  try {
    const found = EventSchema.safeParse(JSON.parse(line));
    return found.success ? [found.data] : [];
  } catch {
    return [];
  }
}

/**
 * Throws the error of a failed turn. A truncated or filtered answer is not an error: its finish is
 * returned.
 */
function finishOf({ place }: CliOutput, message: string): LLMResult['finish'] {
  const reason = /Incomplete response.{0,500}reason: (\w+)/i.exec(message)?.[1];
  if (reason !== undefined)
    return reason === 'max_output_tokens'
      ? 'length'
      : reason === 'content_filter'
        ? 'content-filter'
        : 'other';
  const status = /\bstatus:? (\d{3})\b/i.exec(message)?.[1];
  // Codex passes on the body of a refused request
  if (status !== undefined || /^\s*\{.*"error"/s.test(message))
    throw faultOfStatus(place, { status: Number(status ?? 400), message });
  const failed = `${place.id} failed: ${clean(place, message, 500)}`;
  if (lacksKey(message)) throw new ReviewLoopError(modelErrors.provider_unauthorized, failed);
  if (saysUsedUp(message)) throw new ReviewLoopError(modelErrors.provider_refused_request, failed);
  const passing = /high demand|stream disconnected|error sending request|timed? ?out|network/i.test(
    message,
  );
  throw new ReviewLoopError(modelErrors.provider_unavailable, failed, { retryable: passing });
}
