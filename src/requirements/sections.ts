/**
 * What a heading says about the text below it: `excluded` was not asked for, `background` explains, `description` describes and
 * may contain obligations, `requirements` and `acceptance` contain what was asked, `open` says nothing.
 */
export type SectionKind =
  | 'excluded'
  | 'background'
  | 'description'
  | 'requirements'
  | 'acceptance'
  | 'open';

/** The words of headings, the first kind that matches counts. `part` may be anywhere in a heading, `whole` is all of it. */
const words: readonly {
  readonly kind: Exclude<SectionKind, 'open'>;
  readonly part?: string;
  readonly whole?: string;
}[] = [
  {
    kind: 'excluded',
    part:
      "out[- ]of[- ]scope|not in scope|non[- ]?(?:goals?|objectives?|requirements?)|won['’]?t[- ](?:have|do|fix)|will not|not (?:included|planned|covered|needed|required|doing)|unchanged|" +
      'rejected (?:ideas?|options?|alternatives?)|alternatives?|considered|prior art|future \\w+|later (?:versions?|phases?)|review(?: (?:&|and) \\w+)? checklist|(?:removed|renamed) requirements|constitution check|quick guidelines|execution (?:status|flow)',
    whole: 'no-?gos?|already done|exclusions?|rejected|deferred|future|later|ideas?|not\\b.*',
  },
  {
    kind: 'acceptance',
    part: 'acceptance (?:criteria|criterion|scenarios?|tests?)|definition of done|success criteria|done when|exit criteria|expected (?:behaviou?r|results?|outcomes?)',
    whole: 'accept(?:ance)?|dod|ac',
  },
  {
    kind: 'background',
    whole:
      'why.*|who .*|reasons?|observations|thoughts|(?:communication|release|launch|roll-?out|back-?out|rollback) plan|is your feature request.*|(?:key )?entities|data model|background.*|motivation|rationale.*|context|(?:\\w+ )?problems?(?: statement| description)?|vision|benefits|impact|analysis|findings|symptoms?|describe the bug|steps to reproduce|(?:actual|current) \\w+|root cause.*|' +
      '(?:[\\w-]+ )?(?:history|examples?|samples?|questions?|risks?|references?|links?)(?: .*)?|change ?log|release notes|authors?|licen[cs]e|glossary|terms|terminology|definitions?|resources|see also|related(?: .*)?|appendix(?: .*)?|' +
      'assumptions?|open (?:points|issues)|faqs?|consequences|mitigations?|drawbacks|trade[- ]?offs|pros|cons|stakeholders?|(?:user )?personas?|(?:target |end )?users?|roles|(?:intended |target )?audience(?: .*)?|team|contacts?|approvals?|' +
      'timeline|schedule|milestones?|road ?map|roll-?out|rollback|budget|costs?|estimates?|prerequisites(?: .*)?|(?:[\\w-]+ ){0,2}dependencies(?: .*)?|execution order|parallel .*|implementation strategy|within each .*|' +
      'install(?:ation|ing)?(?: .*)?|setup|getting started|quick ?start|usage|contributing|project structure|troubleshooting|environment|screenshots?|logs?|additional context|labels?|attachments?|path conventions|format:.*',
  },
  {
    kind: 'description',
    whole:
      '(?:\\w+ )?overview|introduction|summary|abstract|(?:\\w+ )?description|purpose|about(?: .*)?|notes?(?: .*)?|(?:implementation|technical|design|developer|dev) (?:notes?|details|considerations)|' +
      'architecture|(?:\\w+ )?stack|modules?|components?|files?(?: changed)?|affected .*|how .*|what (?:is|are) .*|conventions|governance|development|configuration|discussion|status|progress|metrics',
  },
  {
    kind: 'requirements',
    part:
      'requirements?|user stor(?:y|ies)|use cases?|(?:must|should|could|nice)[- ](?:to[- ])?haves?|deliverables?|what changes|constraints?|to[- ]?dos?|tasks?|checklists?|proposed (?:changes?|solution)|' +
      'desired (?:behaviou?r|outcome)|describe the solution.*|in scope|specifications?|(?:action|work) items?|what (?:we|you) (?:want|need|build)',
    whole:
      '(?:\\w+ )?features?|(?:[\\w-]+ ){0,2}(?:goals?|objectives?|scope|rules?|principles|standards|policy)|behaviou?r|edge cases|decisions?|instructions|guidelines|(?:output )?format|' +
      'performance|security|accessibility|reliability|availability|usability|compatibility|privacy|error handling|validation|limits',
  },
];

let patterns: readonly (readonly [SectionKind, RegExp])[] | undefined;

/** Returns what a heading or label says about the text below it. Numbers, signs and remarks in parentheses do not count. */
export function sectionKind(heading: string): SectionKind {
  patterns ??= words.map(({ kind, part, whole }) => {
    const inside = part === undefined ? '' : `(?<![\\p{L}\\p{N}])(?:${part})(?![\\p{L}\\p{N}])|`;
    return [kind, new RegExp(`${inside}^(?:${whole})$`, 'iu')];
  });
  const [, form] = /^(requirement|scenario|rule|feature):/i.exec(heading) ?? [];
  if (form !== undefined) return /^requirement$/i.test(form) ? 'requirements' : 'open';
  const name = bareHeading(heading);
  const kinds = name.split(/\s*(?:,|\/|&|\band\b)\s*/i).map(kindOfName);
  // "Goals and non-goals": labels below such a heading say which is which.
  if (kinds.includes('excluded') && kinds.some((kind) => kind === 'requirements')) return 'open';
  return kindOfName(name);
}

function kindOfName(name: string): SectionKind {
  return patterns?.find(([, pattern]) => pattern.test(name))?.[0] ?? 'open';
}

function bareHeading(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]|[*_`]/g, ' ')
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** Returns the kind of a section by the headings above it, the outermost first: nothing leaves an excluded section. */
export function kindOfHeadings(kinds: readonly SectionKind[]): SectionKind {
  if (kinds.includes('excluded')) return 'excluded';
  return kinds.findLast((kind) => kind !== 'open') ?? 'open';
}

/** Returns whether a section contains requirements. */
export function isRequired(kind: SectionKind): boolean {
  return kind === 'requirements' || kind === 'acceptance';
}

/** Returns whether nothing in a section was asked for. */
export function isExplaining(kind: SectionKind): boolean {
  return kind === 'excluded' || kind === 'background';
}
