import { plural } from '../../../core/plural.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { AskRule } from '../../../products/calibration/ask-where-unreliable.js';
import type { AcceptedCriterion } from '../../../products/lessons/draft-criteria.js';
import { draftFromReasons } from '../../../products/lessons/draft-from-reasons.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import {
  type Draft,
  type DraftAnswer,
  type DraftDecision,
  decideDraft,
  type LessonPlaces,
  readAnswers,
  readDrafts,
  ruleText,
  whyDrafted,
} from './drafts.js';
import type { acceptFlags, draftsFlags, rejectFlags, requirementsFlags } from './lessons-flags.js';

type DraftsSettings = SettingsOf<typeof draftsFlags>;

type DecideSettings = Pick<
  SettingsOf<typeof acceptFlags>,
  keyof SettingsOf<typeof acceptFlags> & keyof SettingsOf<typeof rejectFlags>
>;

export async function listDrafts(call: StoredCall, settings: DraftsSettings): Promise<number> {
  const { io } = call;
  const { drafts, decisions } = await readDrafts(io, placesOf(call, settings));
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
  return tell(io, settings.format, { data: { drafts: data }, lines });
}

export async function decide(
  call: StoredCall,
  settings: DecideSettings,
  answer: DraftAnswer,
): Promise<number> {
  const { io } = call;
  const { id, format } = settings;
  const {
    criterion = null,
    rule = null,
    draft,
    file,
  } = await decideDraft(io, placesOf(call, settings), id, answer);
  return tell(io, format, {
    data: { draft, decision: answer.decision, criterion, rule, file },
    lines: [...saidOf(draft, criterion, rule), `stored: ${oneLine(file)}`],
  });
}

function saidOf(
  draft: string,
  criterion: AcceptedCriterion | null,
  rule: AskRule | null,
): string[] {
  if (rule !== null)
    return [
      `accepted: ${oneLine(ruleText(rule))}`,
      'next: set `learn` in the configuration, if it is not set',
    ];
  if (criterion === null) return [`rejected: ${oneLine(draft)}`];
  return [
    `accepted: ${oneLine(criterion.id)}, ${criterion.severity}`,
    `  ${oneLine(criterion.question)}`,
    'next: add `accepted` to the criteria of the configuration',
  ];
}

function placesOf(
  { store }: StoredCall,
  { lessons, labels, criteria }: Pick<DraftsSettings, 'lessons' | 'labels' | 'criteria'>,
): LessonPlaces {
  return { lessons, labels, criteria, store };
}

function linesOf(draft: Draft, decided: DraftDecision | undefined): string[] {
  const state = decided === undefined ? '' : `, ${decided.decision} by ${oneLine(decided.by)}`;
  const [kind, text] =
    'rule' in draft ? ['judge', ruleText(draft.rule)] : [draft.severity, draft.question];
  return [`${oneLine(draft.id)}  ${kind}, ${whyDrafted(draft)}${state}`, `  ${oneLine(text)}`];
}

const head = `# Drafts of requirements, from reasons of people who rejected work. Reword an entry, and
# put it into a requirements file. Nobody judges it while its strength is OUT.
requirements:`;

/**
 * Prints drafts of entries of a requirements file, and returns the exit code. All are `OUT`, so that
 * none judges until a person changes it.
 */
export async function listRequirements(
  { io, store }: StoredCall,
  { labels, format }: SettingsOf<typeof requirementsFlags>,
): Promise<number> {
  const { reasons } = await readAnswers(io, { labels, store });
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
  return tell(io, format, {
    data: { requirements: drafts },
    lines: lines.length === 0 ? none : [head, ...lines],
  });
}
