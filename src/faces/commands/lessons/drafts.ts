import { dirname, resolve } from 'node:path';
import { fileLessons } from '../../../adapters/stores/file/file-lessons.js';
import {
  basisText,
  type CriterionDraft,
  draftCriteria,
  draftFromReasons,
  type RejectionReason,
} from '../../../blocks/lessons/draft-criteria.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { nodeErrors } from '../../../node/errors.js';
import { isThere } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
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
  readAccepted,
} from '../../cli-kit/criteria/accepted-file.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import { loadConfig } from '../../config/load-config.js';
import { readLabelFile, storedLabels } from '../calibration/stored-labels.js';
import type { draftsFlags, requirementsFlags } from './lessons-flags.js';

export type Draft = CriterionDraft | JudgeDraft;

type Decision = AcceptedFile['decisions'][number];

type Places = Pick<SettingsOf<typeof draftsFlags>, 'lessons' | 'labels' | 'criteria'>;

export async function readDrafts(call: StoredCall, { lessons, labels, criteria }: Places) {
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

export function whyDrafted(draft: Draft): string {
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
