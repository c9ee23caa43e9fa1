import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { plural } from '../../cli-kit/show/progress.js';
import { userName } from '../../cli-kit/user-name.js';
import { GapSeveritySchema, type Severity } from '../../core/severity.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';
import type { CriterionDraft } from '../draft-criteria.js';
import {
  type DraftAnswer,
  type DraftDecision,
  decideDraft,
  type LessonPlaces,
  readDrafts,
} from './decide-draft.js';

const help = `
Lessons are kept by a pipeline with \`learn: fileLessons('.reviewloop/lessons.jsonl')\`, or in the database of --store. A kind
of gap that came up more than once is a draft of a checklist item. A draft judges nothing until a person accepts it, in
better words. What was accepted stands in reviewloop.criteria.json, which belongs under version control, and judges
where the criteria hold the name \`accepted\`. Every decision is recorded in the audit log first.

Exit codes: 0 done, 1 a file or the audit log is broken, 2 wrong use.

Examples:
  reviewloop lessons drafts
  reviewloop lessons accept lesson-missing-major --question 'Does every form field have a label?' --as labels
  reviewloop lessons reject lesson-quality-minor --reason 'a matter of taste'
  reviewloop review site --task TASK.md --criteria accepted --provider anthropic:MODEL`;

interface LessonFlags {
  readonly lessons?: string;
  readonly criteria?: string;
  readonly store: string;
  readonly format: 'text' | 'json';
  readonly all?: boolean;
  readonly question?: string;
  readonly severity?: Severity;
  readonly as?: string;
  readonly reason?: string;
  readonly by: string;
}

/** `reviewloop lessons`: what runs taught becomes checklist items that a person answers for. */
export function lessonsCommand(io: Io): Command {
  const drafts = common(
    new Command('drafts')
      .summary('list the drafts')
      .description('Lists the checklist items that lessons propose, the most frequent first.'),
  )
    .option('--all', 'also those that were accepted or rejected')
    .action((flags: LessonFlags) => list(io, flags));
  const accept = common(
    new Command('accept')
      .summary('make a draft a criterion')
      .description('Makes a draft a criterion that a model is asked about.'),
  )
    .argument('<id>', 'the draft, or the start of its id')
    .option('--question <text>', 'the yes-or-no question (default: that of the draft)')
    .addOption(
      new Option(
        '--severity <severity>',
        'how much a failure weighs (default: that of the draft)',
      ).choices(GapSeveritySchema.options),
    )
    .option('--as <id>', 'what the criterion is called (default: as the draft)')
    .option('--by <name>', 'who accepts it', userName())
    .action((id: string, { question, severity, as, by, ...flags }: LessonFlags) =>
      decide(io, flags, id, { decision: 'accepted', question, severity, as, by }),
    );
  const reject = common(
    new Command('reject')
      .summary('drop a draft')
      .description('Drops a draft: it is listed no more.'),
  )
    .argument('<id>', 'the draft, or the start of its id')
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who rejects it', userName())
    .action((id: string, { reason, by, ...flags }: LessonFlags) =>
      decide(io, flags, id, { decision: 'rejected', reason, by }),
    );
  return new Command('lessons')
    .summary('make checklist items of what runs taught')
    .description(
      'Lists what runs taught as drafts of checklist items, which a person accepts or rejects.',
    )
    .addCommand(drafts)
    .addCommand(accept)
    .addCommand(reject)
    .addHelpText('after', help);
}

function common(command: Command): Command {
  return command
    .option(
      '--lessons <file>',
      'a file of lessons (default: lessons.jsonl of the store, or those of its database)',
    )
    .option(
      '--criteria <file>',
      'the file of accepted criteria (default: reviewloop.criteria.json, found upward)',
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption());
}

function placesOf(
  io: Io,
  { lessons, criteria, store }: Pick<LessonFlags, 'lessons' | 'criteria' | 'store'>,
): LessonPlaces {
  return { lessons, criteria, store: resolve(io.cwd, storeFolder(store)) };
}

async function list(io: Io, flags: LessonFlags): Promise<void> {
  const { drafts, decisions } = await readDrafts(io, placesOf(io, flags));
  const decided = new Map(decisions.map((decision) => [decision.draft, decision]));
  const listed = drafts.filter(({ id }) => flags.all === true || !decided.has(id));
  if (flags.format === 'json')
    return io.out(
      `${terminalSafeJson({ schemaVersion: 1, drafts: listed.map((draft) => ({ ...draft, decided: decided.get(draft.id) ?? null })) })}\n`,
    );
  const lines = listed.flatMap((draft) => linesOf(draft, decided.get(draft.id)));
  const open = listed.find(({ id }) => !decided.has(id));
  const next =
    open === undefined
      ? []
      : [`next: reviewloop lessons accept ${oneLine(open.id)} --question "..."`];
  await io.out(
    `${(lines.length === 0 ? [drafts.length === 0 ? 'no drafts: no kind of gap came up more than once in what runs taught' : 'no open drafts; --all lists those that were decided'] : [...lines, ...next]).join('\n')}\n`,
  );
}

function linesOf(
  { id, severity, question, basis }: CriterionDraft,
  decided: DraftDecision | undefined,
): string[] {
  const state = decided === undefined ? '' : `, ${decided.decision} by ${oneLine(decided.by)}`;
  return [
    `${oneLine(id)}  ${severity}, seen ${plural(basis.seen, 'time')} in ${plural(basis.lessons, 'lesson')}${state}`,
    `  ${oneLine(question)}`,
  ];
}

async function decide(
  io: Io,
  flags: Pick<LessonFlags, 'lessons' | 'criteria' | 'store' | 'format'>,
  id: string,
  answer: DraftAnswer,
): Promise<void> {
  const { criterion, draft, file } = await decideDraft(io, placesOf(io, flags), id, answer);
  if (flags.format === 'json')
    return io.out(
      `${terminalSafeJson({ schemaVersion: 1, draft, decision: answer.decision, criterion: criterion ?? null, file })}\n`,
    );
  const said =
    criterion === undefined
      ? [`rejected: ${draft}`]
      : [
          `accepted: ${oneLine(criterion.id)}, ${criterion.severity}`,
          `  ${oneLine(criterion.question)}`,
          'next: name `accepted` among the criteria of the configuration',
        ];
  await io.out(`${[...said, `kept: ${oneLine(file)}`].join('\n')}\n`);
}
