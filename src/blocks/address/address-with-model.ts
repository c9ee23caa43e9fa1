import { type Artifacts, artifactsOf } from '../../core/artifact.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import { jsonIn } from '../../core/json-or-text.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { flag } from '../../core/options.js';
import type { StepContext } from '../../core/step.js';
import { askModel } from '../models/answer/ask-model.js';
import {
  type AnswerReading,
  type AskModelOptions,
  checkCallOptions,
} from '../models/answer/ask-options.js';
import { artifactShown } from './address-prompt.js';
import { applyEdits, type Edits, EditsSchema, unfit } from './apply-edits.js';
import { mergeOutput } from './merge-output.js';
import { editsPrompt } from './revision-prompt.js';

export interface AddressWithModelOptions
  extends Pick<AskModelOptions<never>, 'reasks' | 'temperature' | 'seed' | 'tokens'>,
    Pick<AskModelOptions<never>, 'maxOutputTokens' | 'providerOptions' | 'timeoutMs'> {
  /** The model that fixes. @default the provider of the pipeline */
  readonly provider?: LLMProvider | undefined;
  /** Whether the model may change files without a gap. @default false */
  readonly allowOtherFiles?: boolean | undefined;
}

export interface ModelAddressContext
  extends Pick<StepContext, 'step' | 'signal' | 'reportUsage' | 'budget'> {
  /** The prompt with the output and its gaps. */
  readonly prompt: string;
  readonly note?: string | undefined;
  readonly regressed?: readonly Gap[] | undefined;
  readonly lessons?: string | undefined;
}

/** An `address` function that asks a model. */
export interface ModelAddress {
  <Output>(output: Output, gaps: readonly Gap[], context: ModelAddressContext): Promise<Output>;
  /** Returns the same function with a provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => ModelAddress) | undefined;
}

/**
 * Creates an `address` function that asks a model for edits: whole files, or replacements of text
 * that occurs exactly once. It refuses edits of files without a gap and edits that do not fit; then
 * nothing changes.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = [llmCriterion({ id: 'clear', question: 'Is it clear?' })];
 * const address = addressWithModel();
 * const article = definePipeline({ produce: write, address, reviewers, provider });
 * ```
 */
export function addressWithModel(options: AddressWithModelOptions = {}): ModelAddress {
  checkCallOptions('addressWithModel', options, { allowOtherFiles: flag }, ['maxPromptTokens']);
  const { provider } = options;
  if (provider !== undefined) return addressing(provider, options);
  const missing: ModelAddress = () =>
    Promise.reject(
      new ReviewLoopError('provider_missing', 'address needs a model, and no provider is set'),
    );
  return Object.assign(missing, {
    withProvider: (given: LLMProvider) => addressing(given, options),
  });
}

function addressing(
  provider: LLMProvider,
  { allowOtherFiles = false, ...options }: AddressWithModelOptions,
): ModelAddress {
  return async (output, gaps, context) => {
    const mayTouch = touchable(output, gaps, allowOtherFiles);
    const read = (edits: Edits): AnswerReading<typeof output> => {
      try {
        return { value: improved(output, edits, mayTouch) };
      } catch (error) {
        if (error instanceof ReviewLoopError) return { problem: error.what };
        throw error;
      }
    };
    const { prompt, note, regressed = [], lessons = '' } = context;
    const more = editsPrompt({ note, regressed, lessons, secret: prompt });
    const messages = [prompt, more].map((content) => ({ role: 'user' as const, content }));
    const { value } = await askModel({
      ...options,
      provider,
      messages,
      schema: EditsSchema,
      schemaName: 'improvements',
      repair: true,
      read,
      context,
    });
    return value;
  };
}

/** The files with gaps, or any if a gap names no place. */
function touchable(output: unknown, gaps: readonly Gap[], all: boolean): (path: string) => boolean {
  if (typeof output === 'string') return (path) => path === 'output';
  const named = gaps.map((gap) => gap.affectedArtifact ?? gap.location?.file);
  if (all || named.includes(undefined)) return () => true;
  return (path) => named.includes(path);
}

function improved<Output>(
  output: Output,
  edits: Edits,
  mayTouch: (path: string) => boolean,
): Output {
  const { artifacts, deleted } = applyEdits(artifactsOf(output), edits, {
    mayTouch,
    longest: artifactShown,
  });
  if (typeof output === 'string') {
    if (deleted.length > 0) throw unfit('the output cannot be deleted');
    return (artifacts[0]?.content ?? output) as Output;
  }
  if (hasArtifacts(output))
    return mergeOutput(output, {
      artifacts: [...artifacts],
      deleted,
      result: resultOf(edits, output.result),
    });
  if (artifacts.length > 0) throw unfit('this output has no artifacts; give `result`');
  return mergeOutput<Artifacts>(
    { artifacts: [], result: output },
    { result: resultOf(edits, output) },
  ).result as Output;
}

function hasArtifacts(output: unknown): output is Artifacts {
  return (
    typeof output === 'object' &&
    output !== null &&
    'artifacts' in output &&
    Array.isArray(output.artifacts)
  );
}

function resultOf({ result }: Edits, current: unknown): unknown {
  if (result === undefined || result.trim() === '') return undefined;
  const value = jsonIn(result);
  if (typeof current === 'string') return typeof value === 'string' ? value : result;
  if (value === undefined) throw unfit('`result` must be JSON text');
  return value;
}
