import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { jsonIn } from '../../core/json-or-text.js';
import type { LLMResult } from '../../core/llm-provider.js';
import { modelErrors } from '../../model/errors.js';
import {
  clean,
  faultOfStatus,
  lacksKey,
  malformed,
  refused,
  saysUsedUp,
} from '../../model/provider-fault.js';
import { usageFromCounts } from '../shared/service-client.js';
import { textBeside } from '../shared/structured-output.js';
import type { CliAnswer, CliCall, CliOutput } from './cli-command.js';
import { failedCommand, missingStructure } from './command-errors.js';

const text = z.string().nullish().catch(undefined);
const count = z.number().nullish().catch(undefined);

/** The output of `claude --output-format json`. Its members depend on the version. */
const ClaudeResultSchema = z.looseObject({
  type: z.literal('result'),
  subtype: text,
  is_error: z.boolean().nullish(),
  api_error_status: count,
  result: text,
  stop_reason: text,
  structured_output: z.unknown().optional(),
  total_cost_usd: count,
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
    })
    .nullish()
    .catch(undefined),
  modelUsage: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});
type ClaudeResult = z.infer<typeof ClaudeResultSchema>;

/**
 * Returns the answer of `claude`. Only `is_error` and the exit code show a failure, not `subtype`.
 */
export async function readClaude(output: CliOutput, { request }: CliCall): Promise<CliAnswer> {
  const result = resultIn(output.stdout);
  if (result === undefined)
    throw output.exitCode === 0
      ? malformed(output.place, 'no result object in the output', output.stdout)
      : failedCommand(output);
  const usage = usageOf(result);
  const answer = {
    usage,
    ...modelOf(result),
    raw: { subtype: result.subtype, stop_reason: result.stop_reason, usage: result.usage },
  };
  if (result.is_error === true)
    return { ...answer, text: '', finish: brokenFinish(output, result, usage) };
  if (output.exitCode !== 0) throw failedCommand(output);
  if (result.stop_reason === 'refusal') throw refused(output.place, result.result ?? '', usage);
  const finish = result.stop_reason === 'max_tokens' ? 'length' : 'stop';
  if (request.schema === undefined || finish === 'length')
    return { ...answer, text: result.result ?? '', finish };
  const object = structureOf(output, result, usage);
  const text = textBeside(result.result ?? '', JSON.stringify(object));
  return { ...answer, text, object, finish };
}

function structureOf(
  output: CliOutput,
  { structured_output: object }: ClaudeResult,
  usage: LLMResult['usage'],
): object {
  if (object === undefined) throw missingStructure(output, '`structured_output` is missing', usage);
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw missingStructure(output, '`structured_output` is not an object', usage);
  return object;
}

/**
 * Returns the result object: the whole output, the last matching message of a list, or the last
 * matching line.
 */
function resultIn(stdout: string): ClaudeResult | undefined {
  const trimmed = stdout.trim();
  const whole = jsonIn(trimmed);
  const candidates = Array.isArray(whole)
    ? whole.toReversed()
    : whole === undefined
      ? trimmed.split('\n').toReversed().map(jsonIn)
      : [whole];
  for (const candidate of candidates) {
    const found = ClaudeResultSchema.safeParse(candidate);
    if (found.success) return found.data;
  }
  return undefined;
}

/**
 * Throws the error of the result. An answer that was too long is not an error: its finish is
 * returned.
 */
function brokenFinish(
  { place, stdout }: CliOutput,
  result: ClaudeResult,
  usage: LLMResult['usage'],
): LLMResult['finish'] {
  const said = result.result ?? result.subtype ?? 'no reason given';
  if (typeof result.api_error_status === 'number')
    throw faultOfStatus(place, { status: result.api_error_status, message: said });
  if (result.stop_reason === 'refusal') throw refused(place, said, usage);
  if (/output token maximum/i.test(said)) return 'length';
  const message = `${place.id} failed: ${clean(place, said, 500)}`;
  if (result.subtype === 'error_max_structured_output_retries')
    throw missingStructure({ place, stdout }, clean(place, said, 500), usage);
  if (result.subtype === 'error_max_budget_usd')
    throw new ReviewLoopError('budget_exceeded', message);
  if (lacksKey(said)) throw new ReviewLoopError(modelErrors.provider_unauthorized, message);
  if (saysUsedUp(said)) throw new ReviewLoopError(modelErrors.provider_refused_request, message);
  throw new ReviewLoopError(modelErrors.provider_unavailable, message, { retryable: true });
}

function usageOf({ usage, total_cost_usd: costUsd }: ClaudeResult): LLMResult['usage'] {
  const input =
    typeof usage?.input_tokens === 'number'
      ? usage.input_tokens +
        (usage.cache_read_input_tokens ?? 0) +
        (usage.cache_creation_input_tokens ?? 0)
      : undefined;
  return usageFromCounts({
    input,
    output: usage?.output_tokens,
    cached: usage?.cache_read_input_tokens,
    costUsd,
  });
}

function modelOf({ modelUsage }: ClaudeResult): Pick<CliAnswer, 'model'> {
  const [model] = Object.keys(modelUsage ?? {});
  return model === undefined ? {} : { model };
}
