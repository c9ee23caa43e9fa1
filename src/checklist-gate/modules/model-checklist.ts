import * as z from 'zod';
import { artifactsOf } from '../../core/artifact.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { call, filled, invalid, required, whole } from '../../core/options.js';
import { askModel } from '../../model/answer/ask-model.js';
import {
  type AnswerReading,
  type AskModelOptions,
  checkCallOptions,
} from '../../model/answer/ask-options.js';
import { modelErrors } from '../../model/errors.js';
import { answerToken } from '../../model/prompt/fence.js';
import { type PromptSection, sectionsOf } from '../../model/prompt/sections.js';
import { systemRandom } from '../../ports/random.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import type { AgentOutput } from '../../self-review/agent.js';
import {
  type ChecklistDraft,
  type ChecklistPhase,
  ChecklistPhaseSchema,
  ChecklistSeveritySchema,
} from '../checklist.js';
import type { ChecklistModule, DecomposeContext } from '../checklist-module.js';
import { findPlan } from '../plan/find-plan.js';
import { checklistModules } from './checklist-modules.js';
import { decomposePrompt } from './decompose-prompt.js';
import { type DroppedItem, type ModelItemLimits, modelItems } from './model-items.js';
import { milestonesOf, scopeOf } from './plan-view.js';

export type { DroppedItem };

export interface ModelChecklistOptions
  extends Pick<AskModelOptions<never>, 'reasks' | 'temperature' | 'seed' | 'tokens'>,
    Pick<AskModelOptions<never>, 'maxOutputTokens' | 'providerOptions'> {
  /** The phase of the gate. */
  readonly phase: ChecklistPhase;
  /** The model. Without any model, the module adds nothing. @default the gate's `provider` */
  readonly provider?: LLMProvider | undefined;
  /** The subject of the review, in words. @default the aspects of the phase's built-in modules */
  readonly aspect?: string | undefined;
  /** The maximum number of items that the model may add; from 1. @default 20 */
  readonly maxItems?: number | undefined;
  /**
   * The maximum size of the work in tokens; above 0. A larger work is an error, because items for a
   * part of it would look like items for all of it.
   *
   * @default 100000
   */
  readonly maxPromptTokens?: number | undefined;
  /** Receives the items that the module refused, with the reason. @default none */
  readonly onDropped?: ((dropped: readonly DroppedItem[]) => void) | undefined;
}

const AnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    items: z.array(
      z.object({ scope: z.string(), check: z.string(), severity: ChecklistSeveritySchema }),
    ),
  }),
);

/** The options that the module passes to `askModel`. */
const modelOptions = [
  'reasks',
  'temperature',
  'seed',
  'maxOutputTokens',
  'providerOptions',
  'tokens',
] as const;

/**
 * Creates a module whose items a model proposes. The model sees the items of the modules before it.
 * Each item must be one line, have a scope that selects something, and ask something new. The items
 * have no rule, so `verify` or a model verifies them.
 *
 * @throws ReviewLoopError `invalid_options`; its `decompose` throws `view_truncated` and the errors
 *   of `askModel`
 * @example
 * ```ts
 * const decompose = [planCode(), modelChecklist({ phase: 'plan-code', maxItems: 10 })];
 * const gate = new ChecklistGate({ phase: 'plan-code', decompose, store, provider });
 * ```
 */
export function modelChecklist(options: ModelChecklistOptions): ChecklistModule<AgentOutput> {
  checkCallOptions('modelChecklist', options, table, ['timeoutMs']);
  const { phase, provider } = options;
  const aspect =
    options.aspect ??
    checklistModules(phase)
      .map((module) => module.aspect)
      .join('; ');
  return {
    name: `model:${phase}`,
    phase,
    aspect,
    rules: [],
    decompose: async (work, context) => {
      const asked = provider ?? context?.provider;
      if (asked === undefined) return [];
      return proposedItems(asked, { options: { ...options, aspect }, work, context });
    },
  };
}

const table = {
  phase: required((name, value) => {
    if (!ChecklistPhaseSchema.safeParse(value).success)
      throw invalid(name, `one of ${ChecklistPhaseSchema.options.join(', ')}`, value);
  }),
  ...{ aspect: filled(), maxItems: whole(1), onDropped: call },
};

interface Proposal {
  readonly options: ModelChecklistOptions & { readonly aspect: string };
  readonly work: AgentOutput;
  readonly context: DecomposeContext | undefined;
}

async function proposedItems(
  provider: LLMProvider,
  { options, work, context }: Proposal,
): Promise<ChecklistDraft[]> {
  const { aspect, maxItems = 20, onDropped } = options;
  const sections = sectionsOf(work);
  await checkSize(options, sections);
  const known = context?.drafts ?? [];
  const nonce = systemRandom.nonce();
  const token = answerToken(nonce, aspect);
  const limits = { work, known, maxItems };
  const given = Object.fromEntries(
    modelOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const { value } = await askModel({
    maxOutputTokens: 8000,
    ...given,
    provider,
    ...decomposePrompt({
      aspect,
      request: context?.request,
      sections,
      known: known.map(({ scope, check }) => `${scope}: ${check}`),
      scopes: scopesOf(work),
      maxItems,
      nonce,
      token,
    }),
    schema: AnswerSchema,
    schemaName: 'checklist',
    read: (answer) => readItems(answer, token, limits),
    signal: context?.signal,
  });
  const { drafts, dropped } = value;
  if (dropped.length > 0) onDropped?.(dropped);
  return drafts;
}

/** @throws ReviewLoopError `view_truncated` */
async function checkSize(
  { tokens = estimatedTokens, maxPromptTokens = 100_000 }: ModelChecklistOptions,
  sections: readonly PromptSection[],
): Promise<void> {
  const size = await tokens.count(sections.map(({ text }) => text).join('\n'));
  if (size > maxPromptTokens)
    throw new ReviewLoopError(
      modelErrors.view_truncated,
      `the work has ${size} tokens; modelChecklist allows ${maxPromptTokens} (maxPromptTokens)`,
    );
}

/** Returns the usable items of an answer, or the problem of an answer without any. */
function readItems(
  { token: repeated, items }: z.infer<typeof AnswerSchema>,
  token: string,
  limits: ModelItemLimits,
): AnswerReading<ReturnType<typeof modelItems>> {
  if (repeated !== token) return { problem: `\`token\` must be ${token}` };
  const value = modelItems(items, limits);
  return items.length > 0 && value.drafts.length === 0
    ? { problem: `no item can be used: ${value.dropped.map(({ reason }) => reason).join('; ')}` }
    : { value };
}

/** Returns the scopes of a work: everything, its milestones and its files. */
function scopesOf(work: AgentOutput): string[] {
  return [
    '*',
    ...milestonesOf(findPlan(work)).map(({ id }) => scopeOf(id)),
    ...artifactsOf(work).map(({ path }) => `file:${path}`),
  ];
}
