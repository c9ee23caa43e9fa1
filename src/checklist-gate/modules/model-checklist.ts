import * as z from 'zod';
import { artifactsOf } from '../../core/artifact.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../../core/options.js';
import { askModel } from '../../model/answer/ask-model.js';
import {
  type AnswerReading,
  type AskModelOptions,
  checkProvider,
} from '../../model/answer/ask-options.js';
import { modelErrors } from '../../model/errors.js';
import { sectionsOf } from '../../model/prompt/sections.js';
import { systemRandom } from '../../ports/random.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { requirementKey } from '../../requirements/dedupe.js';
import type { AgentOutput } from '../../self-review/agent.js';
import {
  type ChecklistDraft,
  ChecklistDraftSchema,
  type ChecklistPhase,
  ChecklistPhaseSchema,
  ChecklistSeveritySchema,
} from '../checklist.js';
import type { ChecklistModule, DecomposeContext } from '../checklist-module.js';
import { findPlan } from '../find-plan.js';
import { selectItems } from '../select-items.js';
import { checklistModules } from './checklist-modules.js';
import { decomposePrompt } from './decompose-prompt.js';
import { milestonesOf, scopeOf } from './plan-view.js';

/** How a model adds items to a checklist. */
export interface ModelChecklistOptions
  extends Pick<
    AskModelOptions<never>,
    'reasks' | 'temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions' | 'tokens'
  > {
  readonly phase: ChecklistPhase;
  /** @default the gate's; without any it adds nothing */
  readonly provider?: LLMProvider | undefined;
  /** What the review is about, in words. @default what the ready modules of the phase are about */
  readonly aspect?: string | undefined;
  /** How many items it may add. @default 20 */
  readonly maxItems?: number | undefined;
  /** How many tokens the work may have; a larger one is refused, as items for a part of it would look like items for all of it. @default 100000 */
  readonly maxPromptTokens?: number | undefined;
  /** Told what the model named and the gate does not take, and why. @default nobody */
  readonly onDropped?: ((dropped: readonly DroppedItem[]) => void) | undefined;
}

/** An item of a model that was not taken. */
export interface DroppedItem {
  readonly scope: string;
  readonly check: string;
  readonly reason: string;
}

const AnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    items: z.array(
      z.object({ scope: z.string(), check: z.string(), severity: ChecklistSeveritySchema }),
    ),
  }),
);
type Entry = z.infer<typeof AnswerSchema>['items'][number];

const longestCheck = 500;
const asking = [
  'reasks',
  'temperature',
  'seed',
  'maxOutputTokens',
  'providerOptions',
  'tokens',
] as const;

/**
 * A module whose items a model thinks of, beside those of the modules before it. Each is checked: its scope must select something,
 * it is one line, and no other item asks the same. They have no rule, so a model or somebody else verifies them.
 *
 * @throws ReviewLoopError `invalid_options`; its `decompose` as `askModel`, and `view_truncated`
 * @example
 * ```ts
 * const gate = new ChecklistGate({ phase: 'plan-code', decompose: [planCode(), modelChecklist({ phase: 'plan-code' })], store, provider });
 * ```
 */
export function modelChecklist(options: ModelChecklistOptions): ChecklistModule<AgentOutput> {
  checkOptions(options);
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
      return asked === undefined ? [] : itemsBy(asked, { ...options, aspect }, work, context);
    },
  };
}

function checkOptions(options: ModelChecklistOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('modelChecklist', options, [
    'phase',
    'provider',
    'aspect',
    'maxItems',
    'maxPromptTokens',
    'onDropped',
    ...asking,
  ]);
  const {
    phase,
    provider,
    aspect,
    maxItems = 20,
    maxPromptTokens,
    onDropped,
    reasks = 1,
  } = options;
  if (!ChecklistPhaseSchema.safeParse(phase).success)
    throw invalid('phase', `one of ${ChecklistPhaseSchema.options.join(', ')}`, phase);
  if (provider !== undefined) checkProvider(provider);
  if (aspect !== undefined && (typeof aspect !== 'string' || aspect.trim() === ''))
    throw invalid('aspect', 'a text that is not empty', aspect);
  if (onDropped !== undefined && typeof onDropped !== 'function')
    throw invalid('onDropped', 'a function', onDropped);
  checkWhole('maxItems', maxItems, 1);
  checkWhole('reasks', reasks, 0);
  checkPositive('maxPromptTokens', maxPromptTokens);
  checkPositive('maxOutputTokens', options.maxOutputTokens);
}

async function itemsBy(
  provider: LLMProvider,
  options: ModelChecklistOptions & { readonly aspect: string },
  work: AgentOutput,
  context: DecomposeContext | undefined,
): Promise<ChecklistDraft[]> {
  const { aspect, maxItems = 20, maxPromptTokens = 100_000, onDropped } = options;
  const sections = sectionsOf(work);
  const size = await (options.tokens ?? estimatedTokens).count(
    sections.map(({ text }) => text).join('\n'),
  );
  if (size > maxPromptTokens)
    throw new ReviewLoopError(
      modelErrors.view_truncated,
      `the work has ${size} tokens, and a model is shown ${maxPromptTokens} at most`,
    );
  const known = context?.drafts ?? [];
  const nonce = systemRandom.nonce();
  const token = hashText(JSON.stringify([nonce, sections])).slice(0, 12);
  const read = ({ token: given, items }: z.infer<typeof AnswerSchema>): AnswerReading<Sifted> => {
    if (given !== token) return { problem: `\`token\` must be ${token}` };
    const value = siftItems(items, { work, known, most: maxItems });
    return items.length > 0 && value.taken.length === 0
      ? {
          problem: `no item can be used: ${value.dropped.map(({ reason }) => reason).join('; ')}`,
        }
      : { value };
  };
  const lines = known.map(({ scope, check: question }) => `${scope}: ${question}`);
  const prompt = decomposePrompt({
    aspect,
    request: context?.request,
    sections,
    known: lines,
    scopes: scopesOf(work),
    most: maxItems,
    nonce,
    token,
  });
  const given = Object.fromEntries(
    asking.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const { value } = await askModel({
    maxOutputTokens: 8000,
    ...given,
    provider,
    ...prompt,
    schema: AnswerSchema,
    schemaName: 'checklist',
    read,
    signal: context?.signal,
  });
  const { taken, dropped } = value;
  if (dropped.length > 0) onDropped?.(dropped);
  return taken;
}

/** Everything, the milestones of the plan, and the files. */
function scopesOf(work: AgentOutput): string[] {
  return [
    '*',
    ...milestonesOf(findPlan(work)).map(({ id }) => scopeOf(id)),
    ...artifactsOf(work).map(({ path }) => `file:${path}`),
  ];
}

interface Sifted {
  readonly taken: ChecklistDraft[];
  readonly dropped: DroppedItem[];
}

function siftItems(
  entries: readonly Entry[],
  {
    work,
    known,
    most,
  }: {
    readonly work: AgentOutput;
    readonly known: readonly ChecklistDraft[];
    readonly most: number;
  },
): Sifted {
  const seen = new Set(known.map(keyOf));
  const taken: ChecklistDraft[] = [];
  const dropped: DroppedItem[] = [];
  for (const { scope, check, severity } of entries) {
    const draft = ChecklistDraftSchema.safeParse({
      scope,
      check: check.replace(/\s+/g, ' ').trim(),
      severity,
    });
    const reason = draft.success
      ? whyNot(draft.data, { work, seen, full: taken.length >= most })
      : 'its scope or question is empty, too long or has control characters';
    if (draft.success && reason === undefined) {
      taken.push(draft.data);
      seen.add(keyOf(draft.data));
    } else dropped.push({ scope, check, reason: reason ?? '' });
  }
  return { taken, dropped };
}

function whyNot(
  draft: ChecklistDraft,
  {
    work,
    seen,
    full,
  }: { readonly work: AgentOutput; readonly seen: ReadonlySet<string>; readonly full: boolean },
): string | undefined {
  if (full) return 'there are as many items as were asked for';
  if (draft.check.length > longestCheck || /[\p{Cc}\p{Cf}]/u.test(draft.check))
    return 'its question is too long or has control characters';
  if (draft.scope !== '*' && !/^(?:milestone|file):/.test(draft.scope))
    return `${draft.scope} is no scope`;
  const { missing } = selectItems(work, draft.scope);
  if (missing !== undefined) return missing;
  return seen.has(keyOf(draft)) ? 'another item asks the same' : undefined;
}

function keyOf({ scope, check }: ChecklistDraft): string {
  return `${scope}\n${requirementKey(check)}`;
}
