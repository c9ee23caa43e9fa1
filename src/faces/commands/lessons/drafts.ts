import { dirname, relative, resolve } from 'node:path';
import { fileLessons } from '../../../adapters/stores/file/file-lessons.js';
import {
  type AcceptedCriterion,
  acceptDraft,
  basisText,
  type CriterionDraft,
  draftCriteria,
  draftFromReasons,
  type RejectionReason,
} from '../../../blocks/lessons/draft-criteria.js';
import { llmCriterion } from '../../../blocks/reviewers/llm-criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { isVisible } from '../../../core/human.js';
import { plural } from '../../../core/plural.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { engineErrors } from '../../../engine/errors.js';
import { nodeErrors } from '../../../node/errors.js';
import { isThere } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import type { AskRule } from '../../../products/calibration/ask-where-unreliable.js';
import {
  agreementText,
  type JudgeDraft,
  judgeDrafts,
  type Learned,
  learnFromDecisions,
  rejectionReasons,
  ruleText,
} from '../../../products/calibration/learn-from-decisions.js';
import {
  type AcceptedFile,
  acceptedPath,
  changeAccepted,
  readAccepted,
} from '../../cli-kit/criteria/accepted-file.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import { userName } from '../../cli-kit/require-person.js';
import { loadConfig } from '../../config/load-config.js';
import { withId } from '../../reports/run-folder.js';
import { readLabelFile, storedLabels } from '../calibration/stored-labels.js';
import type { acceptFlags, draftsFlags, rejectFlags, requirementsFlags } from './lessons-flags.js';

type Draft = CriterionDraft | JudgeDraft;

type Decision = AcceptedFile['decisions'][number];

type Places = Pick<SettingsOf<typeof draftsFlags>, 'lessons' | 'labels' | 'criteria'>;

async function readDrafts(call: StoredCall, { lessons, labels, criteria }: Places) {
  const { io, store } = call;
  const { learned, reasons } = await readAnswers(call, labels);
  const file = lessons === undefined ? undefined : resolve(io.cwd, lessons);
  if (file !== undefined && !(await isThere(file)))
    throw new ReviewLoopError(nodeErrors.file_unreadable, `cannot read ${lessons}: no such file`, {
      value: lessons,
    });
  const stored = store.exists() ? store.lessons : undefined;
  const book = file === undefined ? await stored?.() : fileLessons(file);
  const drafts: readonly Draft[] = [
    ...judgeDrafts(learned),
    ...draftFromReasons(reasons),
    ...draftCriteria((await book?.lessons()) ?? []),
  ];
  const path = criteria === undefined ? await acceptedPath(io.cwd) : resolve(io.cwd, criteria);
  const decided = await readAccepted(io.cwd, path);
  return { drafts, path, decisions: decided?.decisions ?? [] };
}

function whyDrafted(draft: Draft): string {
  return 'rule' in draft ? agreementText(draft.basis) : basisText(draft);
}

/**
 * Reads stored runs and a file of labels: what they say about judges, and why people rejected work.
 *
 * @param named - A file of labels. @default that of `learn` in the configuration
 */
async function readAnswers(
  { io, store }: StoredCall,
  named: string | undefined,
): Promise<{ readonly learned: Learned; readonly reasons: readonly RejectionReason[] }> {
  const { config, file = 'reviewloop.config.js' } = await loadConfig(io.cwd);
  const { labels, ...bars } = typeof config.learn === 'object' ? config.learn : {};
  const path = named ?? (labels && resolve(dirname(resolve(io.cwd, file)), labels));
  const all = [
    ...(await storedLabels(store)).labels,
    ...(path === undefined ? [] : await readLabelFile(io, path)),
  ];
  return { learned: learnFromDecisions(all, bars), reasons: rejectionReasons(all) };
}

export async function listDrafts(
  call: StoredCall,
  settings: SettingsOf<typeof draftsFlags>,
): Promise<number> {
  const { drafts, decisions } = await readDrafts(call, settings);
  const decided = new Map(decisions.map((decision) => [decision.draft, decision]));
  const listed = drafts.filter(({ id }) => settings.all || !decided.has(id));
  const lines = listed.flatMap((draft) => linesOf(draft, decided.get(draft.id)));
  const open = listed.find(({ id }) => !decided.has(id));
  if (open !== undefined)
    lines.push(
      `next: reviewloop lessons accept ${oneLine(open.id)}${'rule' in open ? '' : ' --question "..."'}`,
    );
  if (lines.length === 0)
    lines.push(
      drafts.length === 0
        ? 'no drafts: no kind of gap came up more than once, and people taught nothing yet'
        : 'no open drafts; --all lists accepted and rejected ones',
    );
  const data = listed.map((draft) => ({ ...draft, decided: decided.get(draft.id) ?? null }));
  return tell(call.io, settings.format, { data: { drafts: data }, lines });
}

function linesOf(draft: Draft, decided: Decision | undefined): string[] {
  const state = decided === undefined ? '' : `, ${decided.decision} by ${oneLine(decided.by)}`;
  const [kind, text] =
    'rule' in draft ? ['judge', ruleText(draft.rule)] : [draft.severity, draft.question];
  return [`${oneLine(draft.id)}  ${kind}, ${whyDrafted(draft)}${state}`, `  ${oneLine(text)}`];
}

const head = `# Drafts of requirements, from reasons of people who rejected work. Reword an entry, and
# put it into a requirements file. Nobody judges it while its strength is OUT.
requirements:`;

/** All are `OUT`, so that none judges until a person changes it. */
export async function listRequirements(
  call: StoredCall,
  { labels, format }: SettingsOf<typeof requirementsFlags>,
): Promise<number> {
  const { reasons } = await readAnswers(call, labels);
  const drafts = draftFromReasons(reasons).map(({ basis, ...draft }, index) => ({
    id: `L${index + 1}`,
    text: basis.examples[0] ?? draft.question,
    strength: 'OUT',
    seen: basis.seen,
  }));
  const lines = drafts.map(
    // a JSON text is a YAML text
    ({ id, text, strength, seen }) =>
      `  # in ${plural(seen, 'answer')}\n  - id: ${id}\n    text: ${JSON.stringify(oneLine(text))}\n    strength: ${strength}`,
  );
  const none = ['no drafts: no two runs were rejected for reasons that are alike'];
  return tell(call.io, format, {
    data: { requirements: drafts },
    lines: lines.length === 0 ? none : [head, ...lines],
  });
}

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
