/**
 * The kind of the text below a heading. `excluded` is out of scope, `background` explains,
 * `description` may contain obligations, `requirements` and `acceptance` contain requirements. An
 * `open` heading does not decide.
 */
export type SectionKind =
  | 'excluded'
  | 'background'
  | 'description'
  | 'requirements'
  | 'acceptance'
  | 'open';

type NamedKind = Exclude<SectionKind, 'open'>;

/**
 * Words that name a kind anywhere in a heading: "Future work on exports", "Functional
 * requirements". The first kind counts.
 */
const anywhere: readonly (readonly [NamedKind, string])[] = [
  [
    'excluded',
    'out of scope, not in scope, non-goal, nongoal, non-objective, non-requirement, not included, not planned, not covered, not needed, not doing, unchanged, will not, wont have, wont do, wont fix, not change, ' +
      'alternative, considered, prior art, rejected idea, rejected option, future, later version, later phase, removed requirement, renamed requirement, constitution check, quick guideline, review checklist, acceptance checklist, execution status, execution flow',
  ],
  [
    'acceptance',
    'acceptance criterion, acceptance criteria, acceptance scenario, acceptance test, definition of done, success criteria, done when, exit criteria, expected behavior, expected behaviour, expected result, expected outcome',
  ],
  ['background', 'background, pain point'],
  [
    'requirements',
    'requirement, user story, user stories, use case, must have, should have, could have, nice to have, task, checklist, todo',
  ],
];

/** Words that name a kind at the end of a heading: "Known risks", "User stories". */
const atEnd: readonly (readonly [NamedKind, string])[] = [
  ['excluded', 'no-go, nogo, already done, exclusion, rejected, deferred, later, idea'],
  ['acceptance', 'acceptance, dod'],
  [
    'background',
    'motivation, rationale, context, reason, problem, problem statement, vision, benefit, impact, analysis, finding, observation, thought, symptom, describe the bug, to reproduce, actual behavior, actual behaviour, current behavior, current behaviour, current state, root cause, ' +
      'history, example, sample, hint, question, risk, reference, link, changelog, change log, release note, author, license, glossary, term, terminology, definition, resource, see also, assumption, open point, open issue, faq, consequence, mitigation, drawback, trade-off, pro, con, ' +
      'stakeholder, persona, target user, audience, approval, entity, entities, data model, timeline, schedule, milestone, roadmap, rollout, rollback, rollout plan, back out plan, communication plan, budget, cost, estimate, prerequisite, dependency, dependencies, execution order, implementation strategy, ' +
      'installation, install, setup, getting started, quick start, usage, contributing, project structure, troubleshooting, environment, screenshot, additional context, path convention',
  ],
  [
    'description',
    'overview, introduction, summary, abstract, description, purpose, about, note, detail, consideration, architecture, stack, module, component, file, convention, governance, development, configuration, discussion, status, progress, metric',
  ],
  [
    'requirements',
    'must, should, deliverable, what changes, constraint, to do, subtask, proposed change, requested change, solution, desired outcome, in scope, specification, action item, work item, what we want, what we need, what we will deliver, ' +
      'feature, goal, objective, scope, rule, principle, standard, policy, behavior, behaviour, edge case, decision, instruction, guideline, format, performance, security, accessibility, reliability, availability, usability, compatibility, privacy, quality, error handling, validation, limit',
  ],
];

let patterns: readonly (readonly [NamedKind, RegExp])[] | undefined;

function patternsOf(words: typeof atEnd, end: string): (readonly [NamedKind, RegExp])[] {
  return words.map(([kind, list]) => {
    const all = list.replaceAll(', ', '|').replaceAll(/[ -]/g, '[- ]');
    return [kind, new RegExp(`(?<![\\p{L}\\p{N}])(?:${all})s?${end}`, 'iu')];
  });
}

/**
 * Returns the kind of the text below a heading or label. It ignores numbers, signs and remarks in
 * parentheses.
 */
export function sectionKind(heading: string): SectionKind {
  const [, form] = /^(requirement|scenario|rule|feature):/i.exec(heading) ?? [];
  if (form !== undefined) return /^requirement$/i.test(form) ? 'requirements' : 'open';
  const name = bareHeading(heading);
  const kinds = name.split(/\s*(?:,|\/|&|\band\b)\s*/i).map(kindOfName);
  // labels below a heading such as "Goals and non-goals" decide
  if (kinds.includes('excluded') && kinds.includes('requirements')) return 'open';
  return kindOfName(name);
}

function kindOfName(name: string): SectionKind {
  patterns ??= [...patternsOf(anywhere, '(?![\\p{L}\\p{N}])'), ...patternsOf(atEnd, '$')];
  if (/^(?:why|who|appendix|is your feature request)\b/i.test(name)) return 'background';
  if (/^not\b/i.test(name)) return 'excluded';
  if (/^describe the solution/i.test(name)) return 'requirements';
  if (/^(?:how|about|what (?:is|are))\b/i.test(name)) return 'description';
  return patterns.find(([, pattern]) => pattern.test(name))?.[0] ?? 'open';
}

function bareHeading(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]|[*_`]/g, ' ')
    .replace(/['’]/g, '')
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/**
 * Returns the kind of a section from the headings above it, outermost first. Everything in an
 * excluded section is excluded.
 */
export function kindOfHeadings(kinds: readonly SectionKind[]): SectionKind {
  if (kinds.includes('excluded')) return 'excluded';
  return kinds.findLast((kind) => kind !== 'open') ?? 'open';
}

/** Returns whether a section contains requirements. */
export function isRequired(kind: SectionKind): boolean {
  return kind === 'requirements' || kind === 'acceptance';
}

/** Returns whether a section contains no requirements. */
export function isExplaining(kind: SectionKind): boolean {
  return kind === 'excluded' || kind === 'background';
}
