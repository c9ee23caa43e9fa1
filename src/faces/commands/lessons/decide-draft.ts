import { relative } from 'node:path';
import { type AcceptedCriterion, acceptDraft } from '../../../blocks/lessons/draft-criteria.js';
import { llmCriterion } from '../../../blocks/reviewers/llm-criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { isVisible } from '../../../core/human.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { engineErrors } from '../../../engine/errors.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import type { AskRule } from '../../../products/calibration/ask-where-unreliable.js';
import { ruleText } from '../../../products/calibration/learn-from-decisions.js';
import { type AcceptedFile, changeAccepted } from '../../cli-kit/criteria/accepted-file.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import { userName } from '../../cli-kit/require-person.js';
import { withId } from '../../reports/run-folder.js';
import { type Draft, readDrafts, whyDrafted } from './drafts.js';
import type { acceptFlags, rejectFlags } from './lessons-flags.js';

type DraftAnswer =
  | ({ readonly decision: 'accepted' } & SettingsOf<typeof acceptFlags>)
  | ({ readonly decision: 'rejected' } & SettingsOf<typeof rejectFlags>);

interface Made {
  readonly criterion?: AcceptedCriterion;
  readonly rule?: AskRule;
}

/** The audit log records the decision first. */
export async function decide(call: StoredCall, given: DraftAnswer): Promise<number> {
  const { io, store } = call;
  const answer = redactJson(given);
  const { drafts, path } = await readDrafts(call, given);
  const draft = draftOf(drafts, given.id);
  const { decision, by = userName() } = answer;
  const reason = answer.decision === 'rejected' ? { reason: answer.reason ?? '' } : undefined;
  if (reason?.reason.trim() === '')
    throw new ReviewLoopError(
      engineErrors.reason_required,
      `rejecting draft ${draft.id} requires --reason`,
    );
  if (!isVisible(by)) throw usageError('--by expects the name of a person');
  const made = answer.decision === 'accepted' ? accepted(draft, { ...answer, by }) : {};
  const { criterion, rule } = made;
  await changeAccepted({ cwd: io.cwd, path, store: store.local(io.cwd) }, async (now) => {
    refuseKnown(now, draft.id, criterion);
    const verb = decision === 'accepted' ? 'accept' : 'reject';
    await store.audit.record({
      ...{ kind: `lesson.${verb}`, who: by, verdict: whyDrafted(draft), decision: verb },
      details: {
        draft: draft.id,
        ...(criterion && { criterion: criterion.id, question: criterion.question }),
        ...(rule && { rule: ruleText(rule) }),
      },
      ...reason,
    });
    const at = new Date(systemClock.now()).toISOString();
    const kept = criterion && { criterion: criterion.id };
    // a judge has one rule: a newer one replaces it
    const others = now.judges?.filter((one) => one.criterion !== rule?.criterion) ?? [];
    return {
      ...now,
      criteria: [...now.criteria, ...(criterion ? [criterion] : [])],
      ...(rule && { judges: [...others, rule] }),
      decisions: [...now.decisions, { draft: draft.id, decision, by, at, ...kept, ...reason }],
    };
  });
  const file = relative(io.cwd, path);
  return tell(io, given.format, {
    data: { draft: draft.id, decision, criterion: criterion ?? null, rule: rule ?? null, file },
    lines: [...saidOf(draft.id, made), `stored: ${oneLine(file)}`],
  });
}

function saidOf(draft: string, { criterion, rule }: Made): string[] {
  if (rule !== undefined)
    return [
      `accepted: ${oneLine(ruleText(rule))}`,
      'next: set `learn` in the configuration, if it is not set',
    ];
  if (criterion === undefined) return [`rejected: ${oneLine(draft)}`];
  return [
    `accepted: ${oneLine(criterion.id)}, ${criterion.severity}`,
    `  ${oneLine(criterion.question)}`,
    'next: add `accepted` to the criteria of the configuration',
  ];
}

function refuseKnown(
  { decisions, criteria }: AcceptedFile,
  id: string,
  criterion: AcceptedCriterion | undefined,
): void {
  const before = decisions.find(({ draft }) => draft === id);
  if (before !== undefined) {
    const { decision, by, at } = before;
    throw usageError(`draft ${id} was ${decision} by ${by} on ${at.slice(0, 10)}`, id);
  }
  if (criteria.some((known) => known.id === criterion?.id))
    throw usageError(`a criterion ${criterion?.id} already exists; pass another id with --as`, id);
}

function draftOf(drafts: readonly Draft[], given: string): Draft {
  const [draft, ...more] = withId(drafts, given, ({ id }) => id);
  if (draft !== undefined && more.length === 0) return draft;
  const found = draft === undefined ? 'no draft' : `${more.length + 1} drafts start with`;
  throw usageError(`${found} ${JSON.stringify(given)}; see \`reviewloop lessons drafts\``, given);
}

/** Throws if the criterion is invalid, before a review uses it. */
function accepted(
  draft: Draft,
  { by = '', question, severity, as: id }: SettingsOf<typeof acceptFlags>,
): Made {
  const given = Object.entries({ question, severity, id }).filter(([, part]) => part !== undefined);
  if ('rule' in draft) {
    if (given.length === 0) return { rule: draft.rule };
    throw usageError(
      `${draft.id} is a rule about a judge; leave out --question, --severity and --as`,
      draft.id,
    );
  }
  const criterion = acceptDraft(draft, { by, ...Object.fromEntries(given) });
  llmCriterion(criterion);
  return { criterion };
}
