/**
 * What the name of a section says about the text below it. `excluded` is out of scope, `background`
 * explains, `unclear` explains or is a part of the product, `description` may contain obligations,
 * `requirements` and `acceptance` contain requirements.
 */
export type NamedKind =
  | 'excluded'
  | 'background'
  | 'unclear'
  | 'description'
  | 'requirements'
  | 'acceptance';

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
    /^(?:(?:[a-z]\.?\d[\d.]* )?(?:terms and )?definitions?$|(?:\w+ )?(?:dependenc(?:y|ies)|prerequisites?|risks?|assumptions?) (?:on|of|for|from|about|with|to)\b|priority$|disqualifications?$|(?:estimated )?(?:effort|complexity|story points?)$|things to know|how .*\b(?:current|existing)\b.*|(?:relies|depends|builds) on\b.*|(?:reasons?|motivation|rationale|history|impact) (?:for|of|behind) (?:the|this|these) (?:change|feature|proposal)s?$|(?:bibliography|sources|works cited|further reading)$|(?:primary|target|key|main|intended|typical) (?:users?|customers?|audiences?|personas?)(?: (?:lanes?|groups?|types?|segments?|personas?|profiles?))?$|(?:additional|reference|supporting) (?:docs?|documents?|documentation|materials?|files)\b|(?:suggested |estimated )?time (?:split|budget|estimates?|breakdown|limit|box|allocation)$|(?:the|our) story$|minutes$|(?:the )?(?:code ?base|repository)$|good to know|type of change|what we measure|(?:what im )?willing to|how (?:i|we) (?:grade|decide|work)|(?:current|existing|present|initial|old|(?:fully )?functional) (?:\w+ )?(?:procedure|process|solution|system|workflow|practice|setup|behaviou?r|state|status|situation|features?|functionality|capabilit(?:y|ies)|implementation|architecture|code(?:base)?|application|structure|infrastructure|endpoints?)|existing (?:\w+ )?(?:tools?|commands?|files?|modules?|components?|services?|tests?|tables?)|manual (?:tests?|testing|verification|qa)(?: (?:required|needed|steps?|procedure|instructions))?$|previous|(?:example|sample)s?|time expectations?|what problem|what were looking for|what we (?:look for|value|assess)|(?:budget|funding|payouts?)|(?:external )?data sources?$|(?:running|installing|starting) (?:the|it|this|your|locally)\b|(?:please )?(?:read|study)\b.*\b(?:first|before)$|why|who|how to|how often|where .* comes? from|what happen(?:s|ed)$|(?:suggested )?(?:ways|tips) to get started$|after (?:pasting|sending|copying) |before (?:you|writing|starting|coding|beginning|implementing)|about (?:us|me)$|(?:what )?went (?:well|badly|wrong)$|what we (?:tried|learned|know)$|appendix|is your feature request)\b/i,
  ],
  [
    'unclear',
    /^(?:(?:use of ai|ai (?:usage|use|assistance|policy))\b|(?:the )?(?:users?|people|team(?: members?)?|(?:group )?members|roles?)$)|\S today$|^if\b|^issues$|^resources$|^(?:related|referenced|relevant (?:docs|documents|files|links|adrs|code))\b|^overall description$/i,
  ],
  [
    'requirements',
    /^(?:in scope\b|included$|(?:required|mandatory)$|(?:notes|instructions|guidance) (?:for|to) (?:the |an? )?(?:\w+ )?(?:agents?|implementers?|ai|assistants?|llms?|models?)$|anti-?(?:references?|patterns?)$|required (?!reading|knowledge|skills?|experience)|exit (?:status|codes?)$|describe the solution|what (?:to|goes in(?:to)?|id|should|we (?:expect|agreed|decided)|i (?:want|need|expect)|you (?:should )?(?:build|do|deliver|write)|(?:it|the \w+|\w+) (?:should|must|does|will)|(?:this|the) (?:\w+ ){1,2}(?:should|must|does|will)))\b/i,
  ],
];

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

/** Returns the kind that a phrase gives: "What it does not do". */
export function kindOfPhrase(name: string): NamedKind | undefined {
  return phrases.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Returns the kind that a word gives, anywhere in a name or at its end. */
export function kindOfWord(name: string): NamedKind | undefined {
  patterns ??= [...patternsOf(anywhere, '(?![\\p{L}\\p{N}])'), ...patternsOf(atEnd, '$')];
  return patterns.find(([, pattern]) => pattern.test(name))?.[0];
}
