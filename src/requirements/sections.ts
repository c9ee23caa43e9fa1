import { isQuestion } from './noise.js';

/**
 * The kind of the text below a heading. `excluded` is out of scope, `background` explains, `unclear`
 * explains or is a part of the product, `description` may contain obligations, `requirements` and
 * `acceptance` contain requirements. An `open` heading does not decide.
 */
export type SectionKind =
  | 'excluded'
  | 'background'
  | 'unclear'
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
      'alternative solution, alternative approach, alternative design, alternative option, considered, prior art, rejected idea, rejected option, future work, future version, future phase, future possibility, future possibilities, future improvement, future enhancement, future extension, later version, later phase, hors périmètre, fuera de alcance, fora do escopo, fuori ambito, buiten scope, nicht im umfang, abgrenzung, 非目标, removed requirement, renamed requirement, not part of, not in this, next release, later release, second phase, next phase, next iteration, non-guarantee, constitution check, quick guideline, review checklist, review & acceptance checklist, review and acceptance checklist, validation checklist, execution status, execution flow, agent record, qa result',
  ],
  [
    'acceptance',
    'acceptance criterion, acceptance criteria, acceptance checklist, acceptance scenario, acceptance test, definition of done, success criteria, done when, exit criteria, expected behavior, expected behaviour, expected result, expected outcome, expected response, expected output',
  ],
  [
    'background',
    'background information, background and, root cause, reproduction step, existing solution, drawbacks of, pain point, open item, open topic, evaluation criteria, selection criteria, assessment criteria, grading criteria, marking criteria, scoring criteria, rubric, judging, review note, document history, lessons learned, learning goal, learning objective, learning outcome, success metric, steps to reproduce, traceability, completion note, debug log, file list',
  ],
  [
    'requirements',
    'technical assumption, requirement, anforderung, exigence, requisito, user story, user stories, use case, must have, should have, could have, nice to have, bonus, stretch goal, task, checklist, todo',
  ],
];

/** Words that name a kind at the end of a heading: "Known risks", "User stories". */
const atEnd: readonly (readonly [NamedKind, string])[] = [
  [
    'excluded',
    'no-go, nogo, already done, exclusion, rejected, deferred, future, later, planned, upcoming, coming soon, backlog, idea',
  ],
  ['acceptance', 'acceptance, dod, done'],
  [
    'background',
    'conclusion, pitch, evidence, table of contents, table of content, background, motivation, rationale, observed, reproduction, repro, preliminary remark, customer problem, user problem, occasion, as-is, as is, acknowledgement, acknowledgment, kudos, grading, marking, handing in, hand-in, turning in, turning it in, handing it in, turn-in, afterwards, actual, actual result, step taken, contexte, contexto, contesto, kontext, hintergrund, ausgangslage, achtergrond, bakgrund, glossar, offene frage, abbreviation, acronym, known problem, known issue, known gap, workaround, agenda, appetite, rabbit hole, kpi, next meeting, contact, attachment, test data, inspiration, context, problem, problem statement, mission statement, vision, observation, thought, symptom, describe the bug, to reproduce, actual behavior, actual behaviour, current behavior, current behaviour, current state, root cause, ' +
      'example, sample, risk, next step, changelog, change log, release note, glossary, term, terminology, see also, assumption, open question, open point, open issue, faq, consequence, mitigation, drawback, trade-off, pro, con, ' +
      'stakeholder, persona, target user, target audience, milestone, roadmap, rollout plan, back out plan, communication plan, prerequisite, dependency, dependencies, execution order, implementation order, implementation strategy, suggested approach, suggested step, recommended step, ' +
      'installation, getting started, quick start, development, contributing, project structure, troubleshooting, additional context, path convention',
  ],
  [
    'description',
    'entity, entities, monetization, monetisation, monetization strategy, monetization strategies, overview, introduction, summary, abstract, description, purpose, about, note, file, governance, discussion, status, progress, metric, in short, in brief, in a nutshell',
  ],
  [
    'unclear',
    'limitation, boundary, boundaries, pointer, reason, benefit, impact, analysis, finding, history, hint, question, reference, link, author, license, available resource, additional resource, useful resource, helpful resource, learning resource, external resource, audience, approval, timeline, date, deadline, remark, schedule, rollout, rollback, budget, cost, estimate, install, setup, usage, environment, screenshot, alternative, driver, fact, situation, logistics, research, interview, survey, market, competition, competitor, competitive landscape, positioning, business model, go-to-market, opportunity, disclaimer, housekeeping, feedback, credit, evaluation, evaluation plan, evaluation strategy, award, prize, submission, participation, help, cause, lesson, attendee, participant, process, training, supervision, practical matter, practicality, practicalities, organisation, organization, administration, coordination, communication',
  ],
  [
    'requirements',
    'build order, story, stories, tech stack, technology stack, technologies, technology, non-negotiable, preferred, pillar, must, should, guarantee, remedy, remedies, expectation, service level, deliverable, fix, proposal, what changes, constraint, to do, subtask, change, solution, recommendation, desired outcome, in scope, specification, action item, work item, what we want, what we need, what we will deliver, ' +
      'feature, capability, capabilities, user journey, user flow, functionality, functionalities, consideration, goal, objective, scope, rule, principle, standard, policy, behavior, behaviour, edge case, decision, instruction, guideline, format, performance, security, accessibility, reliability, availability, usability, compatibility, privacy, quality, error handling, validation, limit, implementation, invariant',
  ],
];

/** Matches questions of templates for issues, which are as long as sentences. */
const ofTemplate = /^(?:is your feature request|describe alternatives)\b|^(?:who|why)\b[^?]*$/i;
/** Matches the state of a section that is done or not for now: "Scope (out)", "Login - later". */
const leftOut =
  /(?:\(|\s[-–—]\s)((?:out(?: of scope)?|(?:already )?(?:completed|done|shipped|delivered)|archived|deferred|(?:tbd )?later|future)(?=\s*(?:[-–—,:)]|$))|not (?:in|part)\b)[^()]{0,60}\)?\s*$/i;
/** Matches a state of what exists. The requirements that it met stay requirements. */
const isDone = /^(?:already|completed|done|shipped|delivered)\b/i;

/** Matches a name in code, which is no word for a section: "`make install`:". */
const onlyCode = /^[\s*_\d.)]{0,8}`[^`]{1,80}`[\s*_:：]{0,6}$/;

let patterns: readonly (readonly [NamedKind, RegExp])[] | undefined;

/** Returns the words of headings that name a kind. */
export function sectionWords(): { readonly kind: NamedKind; readonly word: string }[] {
  return [...anywhere, ...atEnd].flatMap(([kind, words]) =>
    words.split(', ').map((word) => ({ kind, word })),
  );
}

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
  const [, form] =
    /^(requirement|scenario|rule|feature|task|issue|story|epic|phase|step|sprint|milestone)(?: [A-Z]?\d[\d.]*)?(?::| [-–—] )/i.exec(
      heading,
    ) ?? [];
  if (/\((?:required|mandatory)\)/i.test(heading)) return 'requirements';
  const state = kindOfState(heading);
  if (state !== undefined) return state;
  if (form !== undefined)
    return /^(?:requirement|phase|milestone|feature)$/i.test(form) ? 'requirements' : 'open';
  const name = bareHeading(heading);
  const names = name.split(/(?<!\s)\s*(?:,|\/|&|\band\b)\s*/i);
  const kinds = names.map(kindOfName);
  // labels below a heading such as "Goals and non-goals" decide
  if (kinds.includes('excluded') && kinds.includes('requirements')) return 'open';
  const kind = kindOfName(name);
  if (kind === 'open' && !sentence.test(name))
    return kindOfParts(name, { kinds, asks: isQuestion(heading) });
  return kindOfAll(kind, names, kinds);
}

/** Returns the kind of several names, given that of the last. */
function kindOfAll(
  kind: SectionKind,
  names: readonly string[],
  kinds: readonly SectionKind[],
): SectionKind {
  if (isExplainedLast(names, kinds)) return 'open';
  return kind === 'unclear' && kinds.includes('background') ? 'background' : kind;
}

/** Returns whether only the last of several names explains: "Test coverage and evidence". */
function isExplainedLast(names: readonly string[], kinds: readonly SectionKind[]): boolean {
  const last = kinds.at(-1);
  if (last !== 'background' && last !== 'unclear') return false;
  return names.some((name, index) => {
    const kind = kinds[index] ?? 'open';
    const namesPart =
      kind === 'open' && !name.split(' ').some((word) => isExplaining(kindOfName(word)));
    return namesPart || isRequired(kind);
  });
}

/** Returns the kind of a heading that is a name in code, a state, or a question of a template. */
function kindOfState(heading: string): SectionKind | undefined {
  if (onlyCode.test(heading)) return 'open';
  const name = bareHeading(heading);
  if (ofTemplate.test(name) && (isQuestion(heading) || !/^wh/i.test(name))) return 'background';
  const [, state] = leftOut.exec(heading.slice(0, 200)) ?? [];
  if (state === undefined || (isDone.test(state) && isRequired(kindOfName(name)))) return undefined;
  return 'excluded';
}

/** Returns the kind of "Notes and options" or "Features and behaviour", whose last part says nothing. */
function kindOfParts(
  name: string,
  { kinds, asks }: { readonly kinds: readonly SectionKind[]; readonly asks: boolean },
): SectionKind {
  if (/^(?:notes?|summary|overview|introduction|about)\b/i.test(name)) return 'description';
  if (kinds.every(isExplaining)) return 'background';
  const [first = '', ...more] = name.split(/:\s/);
  if (more.length > 0 && asks) return kindOfName(first);
  return kinds.some(isExplaining) ? 'open' : (kinds.find(isRequired) ?? 'open');
}

/** Matches a sentence, which names no section: "Images must have alt texts". */
const sentence =
  /\S\s+(?:must|shall|should|needs? to|ha(?:s|ve) to)\s+\S+\s+\S|\b(?:is|are) considered\b|\bconsidered \w+ (?:when|if|once)\b|\S\s+will\s+\S+\s+\S+\s+\S|^(?:\S+ ){9}/i;

/** Matches headings that are phrases: "What to build", "What it does not do". */
const phrases: readonly (readonly [NamedKind, RegExp])[] = [
  [
    'acceptance',
    /\bwhat done (?:looks like|means)$|^expected (?:\w+ ){1,2}(?:behaviou?r|results?|responses?|outputs?)$/i,
  ],
  ['background', /(?:背景|动机|動機|假设|假設|前提|风险|風險|术语|術語|リスク)(?:评估|評估)?$/],
  [
    'excluded',
    /^(?:already )?(?:completed|implemented|shipped|resolved|delivered|finished|closed) (?:\w+ )?(?:requests?|ideas?|edits?|issues?|tickets?|bugs?|fixes|work)$/i,
  ],
  ['acceptance', /^(?:(?:it is )?done\b|(?:what is )?expected$)/i],
  [
    'description',
    /^(?:general|(?:\w+ )?(?:areas?|topics?) to (?:consider|explore|look at|think about))$/i,
  ],
  [
    'requirements',
    /^how (?:(?:it|this|the \w+) (?:will |should )?works?|(?!to\b|.*\b(?:current|existing|today|now)\b)(?:\w+ ){1,3}works)$/i,
  ],
  [
    'excluded',
    /^(?:long-?term (?:\w+ )?(?:plans?|direction|vision|goals?|roadmap|ideas?)$|rationale (?:and|&) alternatives$|alternatives considered$|how .{1,60}\b(?:was|were|has been|have been) (?:\w+ed|built|done|made|met|written)$|not\b|excluded$|(?:possible |potential |future )?(?:extension|expansion|growth) (?:opportunit(?:y|ies)|ideas?)$|future (?:growth|plans?|considerations?|directions?|outlook|scope|candidates?|items?|steps?|v?\d[\w.]*(?: \w+)?)$|can wait$|wont$|(?:dont|do not|no need to|you (?:dont|do not) (?:have|need) to) (?:worry|bother|care|spend)\b|explicitly out\b|out (?:of (?:scope|bounds)|for now)\b|what\b.*\b(?:not|wont|dont|doesnt)\b)/i,
  ],
  [
    'background',
    /^(?:(?:[a-z]\.?\d[\d.]* )?(?:terms and )?definitions?$|priority$|disqualifications?$|(?:estimated )?(?:effort|complexity|story points?)$|things to know|how .*\b(?:current|existing)\b.*|(?:relies|depends|builds) on\b.*|(?:reasons?|motivation|rationale|history|impact) (?:for|of|behind) (?:the|this|these) (?:change|feature|proposal)s?$|(?:bibliography|sources|works cited|further reading)$|(?:primary|target|key|main|intended|typical) (?:users?|customers?|audiences?|personas?)(?: (?:lanes?|groups?|types?|segments?|personas?|profiles?))?$|(?:additional|reference|supporting) (?:docs?|documents?|documentation|materials?|files)\b|(?:suggested |estimated )?time (?:split|budget|estimates?|breakdown|limit|box|allocation)$|(?:the|our) story$|minutes$|good to know|type of change|what we measure|(?:what im )?willing to|how (?:i|we) (?:grade|decide|work)|(?:current|existing|present|initial|old|(?:fully )?functional) (?:\w+ )?(?:procedure|process|solution|system|workflow|practice|setup|behaviou?r|state|status|situation|features?|functionality|capabilit(?:y|ies)|implementation|architecture|code(?:base)?|application|structure|infrastructure|endpoints?)|existing (?:\w+ )?(?:tools?|commands?|files?|modules?|components?|services?|tests?|tables?)|manual (?:tests?|testing|verification|qa)(?: (?:required|needed|steps?|procedure|instructions))?$|previous|(?:example|sample)s?|time expectations?|what problem|what were looking for|what we (?:look for|value|assess)|(?:budget|funding|payouts?)|(?:external )?data sources?$|(?:running|installing|starting) (?:the|it|this|your|locally)\b|(?:please )?(?:read|study)\b.*\b(?:first|before)$|why|who|how to|how often|where .* comes? from|what happen(?:s|ed)$|before you|about (?:us|me)$|(?:what )?went (?:well|badly|wrong)$|what we (?:tried|learned|know)$|appendix|is your feature request)\b/i,
  ],
  [
    'unclear',
    /^(?:(?:use of ai|ai (?:usage|use|assistance|policy))\b|(?:the )?(?:users?|people|team(?: members?)?|(?:group )?members|roles?)$)|\S today$|^if\b|^issues$|^resources$|^related\b|^overall description$/i,
  ],
  [
    'requirements',
    /^(?:in scope\b|included$|(?:notes|instructions|guidance) (?:for|to) (?:the |an? )?(?:\w+ )?(?:agents?|implementers?|ai|assistants?|llms?|models?)$|anti-?(?:references?|patterns?)$|required (?!reading|knowledge|skills?|experience)|exit (?:status|codes?)$|describe the solution|what (?:to|goes in(?:to)?|id|should|we (?:expect|agreed|decided)|i (?:want|need|expect)|you (?:should )?(?:build|do|deliver|write)|(?:it|the \w+|\w+) (?:should|must|does|will)|(?:this|the) (?:\w+ ){1,2}(?:should|must|does|will)))\b/i,
  ],
];

/** Matches the name of a work, whatever its last word means elsewhere: "Adding credits". */
const work =
  /^(?:add|creat|updat|edit|delet|remov|view|display|submitt|collect|filter|search)ing /i;

function kindOfName(name: string): SectionKind {
  if (sentence.test(name) || work.test(name)) return 'open';
  patterns ??= [...patternsOf(anywhere, '(?![\\p{L}\\p{N}])'), ...patternsOf(atEnd, '$')];
  for (const [kind, pattern] of phrases) if (pattern.test(name)) return kind;
  if (/^(?:how|about|what (?:is|are))\b/i.test(name)) return 'description';
  const found = patterns.find(([, pattern]) => pattern.test(name))?.[0];
  const [head = ''] = name.split(/ (?:of|for|in|from|with|about) /i, 1);
  return found ?? (head === name || head.split(' ').length > 3 ? 'open' : kindOfName(head));
}

function bareHeading(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]|[*_`]/g, ' ')
    .replace(/['’"“”]/g, '')
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

/** Returns whether a section explains, or is out of scope. */
export function isExplaining(kind: SectionKind): boolean {
  return kind === 'excluded' || kind === 'background' || kind === 'unclear';
}
