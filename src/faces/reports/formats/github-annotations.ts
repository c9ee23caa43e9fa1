import type { RunReport } from '../run-report.js';
import { visible } from '../shown-text.js';
import {
  checkedRuns,
  type FormatOptions,
  gatherFindings,
  plainLine,
  plainText,
  type RunFinding,
  wellFormed,
} from './findings-of.js';
import { notesOf, type RunNote } from './run-notes.js';
import { commandData, commandProperty } from './workflow-text.js';

/** How many annotations of each kind GitHub shows of one step. */
const mostOfKind = 10;

type Kind = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly kind: Kind;
  readonly title: string;
  readonly message: string;
  readonly place?: RunFinding['place'];
}

/**
 * Returns runs as workflow commands of GitHub, one on each line: the worst gaps and open questions
 * as annotations of their lines. GitHub shows 10 of each kind; the last of a kind says how many
 * more there are. No text of a gap can begin another command.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * process.stdout.write(githubAnnotations(runReport(outcome)));
 * ```
 */
export function githubAnnotations(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): string {
  const reports = checkedRuns('githubAnnotations', runs, { options });
  const notes = reports.flatMap(notesOf).filter(isShown).map(ofNote);
  const all = [...notes, ...gatherFindings(reports, options).map(ofFinding)];
  return (['error', 'warning', 'notice'] as const)
    .flatMap((kind) =>
      limited(
        all.filter((one) => one.kind === kind),
        kind,
      ),
    )
    .map((annotation) => `${commandOf(annotation)}\n`)
    .join('');
}

function isShown({ kind, level }: RunNote): boolean {
  return kind !== 'not_reviewed' && !(kind === 'undecided' && level === 'note');
}

const kinds = { error: 'error', warning: 'warning', note: 'notice' } as const;

function ofNote({ kind, level, title, message }: RunNote): Annotation {
  // whether the work is approved is said once; the gaps below have their own kinds
  const shown = kind === 'verdict' && level === 'warning' ? 'notice' : kinds[level];
  return { kind: shown, title: `reviewloop: ${title}`, message };
}

function ofFinding({
  level,
  gap,
  rule,
  state,
  justification,
  message,
  place,
}: RunFinding): Annotation {
  const word = state === 'open' ? gap.severity : state;
  return {
    kind: kinds[level],
    title: `${word}: ${rule}`,
    message: state === 'open' ? message : `${justification ?? state}\n${message}`,
    place,
  };
}

/** At most ten; the last one counts those that are left out. */
function limited(all: readonly Annotation[], kind: Kind): readonly Annotation[] {
  if (all.length <= mostOfKind) return all;
  const shown = all.slice(0, mostOfKind - 1);
  const message = `${all.length - shown.length} more of this kind are not shown here; the report of the run has them.`;
  return [...shown, { kind, title: 'reviewloop: more', message }];
}

function commandOf({ kind, title, message, place }: Annotation): string {
  const at =
    place === undefined
      ? []
      : [
          `file=${commandProperty(visible(wellFormed(place.file)))}`,
          `line=${place.region.startLine}`,
          `endLine=${place.region.endLine}`,
        ];
  const properties = [...at, `title=${commandProperty(plainLine(title, 250))}`];
  return `::${kind} ${properties.join(',')}::${commandData(plainText(message))}`;
}
