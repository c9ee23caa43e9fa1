/**
 * What the words of a heading say about what stands below it:
 * `excluded` was not asked for, `background` explains, `loose` describes and may hold obligations, `asked` holds
 * requirements, `accepted` holds acceptance criteria, `open` says nothing about it.
 */
export type SectionKind = 'excluded' | 'background' | 'loose' | 'asked' | 'accepted' | 'open';

const excluded =
  /\b(?:out[- ]of[- ]scope|not in scope|non[- ]?(?:goals?|objectives?|requirements?)|(?:does|do|will|did|should) not change|not (?:changing|included|planned|covered|in this)|unchanged|won['’]?t[- ](?:have|do|fix)|(?:not|what we['’]re not) doing|anti[- ]?goals?|rejected (?:ideas?|options?|alternatives?|approach\w*)|future (?:work|enhancements?|ideas?|improvements?|considerations?|scope|plans?|possibilities|features?|extensions?|directions?|releases?|versions?)|parking lot|later versions?|alternatives? (?:considered|approach\w*|solutions?)|(?:options?|solutions?|approaches) considered|considered (?:options|alternatives)|nicht (?:im )?(?:umfang|scope|enthalten|ziele?)|nicht[- ]?ziele|außerhalb des (?:umfangs|scopes)|hors (?:périmètre|scope|sujet)|non[- ]objectifs|fuera de(?:l)? alcance|fora do escopo|fuori ambito|describe alternatives.*|prior art|no longer (?:needed|required)|(?:review(?:er|s)?|quality|self[- ]review|pr|pull[- ]request|submission|contributor)(?: (?:&|and) \w+)? check ?lists?|quick guidelines|execution (?:status|flow)|(?:removed|renamed) requirements?)\b|范围外|不在范围|非目标|対象外|スコープ外|^(?:abgrenzung|alternatives?|exclusions?|excluded|rejected|deferred|future|later|prior work|not needed|ideas?|icebox|already (?:done|there|exists?|implemented|built|in place|works?|working|available|shipped))$/i;

const accepted =
  /\b(?:acceptance (?:criteria|criterion|scenarios?|tests?|conditions?|checks?)|definition of done|conditions of satisfaction|success (?:criteria|criterion)|done (?:when|criteria)|exit criteria|expected (?:behaviou?r|results?|outcomes?|output))\b|\b(?:release criteria|akzeptanzkriterien|abnahmekriterien|critères d['’]acceptation|criterios de aceptación|critérios de aceita[çc][ãa]o|criteri di accettazione)\b|验收标准|驗收標準|受け入れ(?:基準|条件)|인수 조건|^(?:accept(?:ance)?|dod|ac)$/i;

const asked =
  /\b(?:requirements?|user stor(?:y|ies)|use cases?|must[- ]haves?|should[- ]haves?|could[- ]haves?|nice[- ]to[- ]haves?|deliverables?|what changes|constraints?|feature (?:list|request)|functional spec\w*|to[- ]?dos?|tasks?|checklists?|business rules?|validation rules?|proposed (?:changes?|solution|behaviou?r)|describe the solution.*|desired (?:behaviou?r|outcome)|in scope|specifications?|action items?|anforderung(?:en)?|aufgaben|exigences|requisitos|requisiti|tareas|tâches)\b|需求|要求|要件|요구 ?사항|^(?:ziele|funktionen|objectifs|objetivos|features?|goals?|objectives?|scope|rules|behaviou?r|expectations?|mvp|edge cases|(?:\w+ )?principles|decisions?|resolutions?|instructions|guidelines|(?:output|response|answer) format|format)$/i;

const background =
  /^(?:why\b.*|describe the (?:bug|issue|problem).*|bug (?:report|description)|hintergrund|ausgangslage|motivación|problem(?:stellung)?|annahmen|risiken|offene fragen|glossar|contexte|antecedentes|contexto|contesto|背景|用語.*|术语.*|consequences|implications|decision drivers|hints?|tips|meeting notes|minutes|participants|attendees|agenda|(?:the )?problem(?: (?:statement|description|definition))?|background|motivation|rationale|context|(?:is your feature request related to a problem.*)|current(?:ly)?(?: (?:state|behaviou?r|situation|status|solution|process|implementation|architecture))?|today|as[- ]is|status quo|existing (?:state|behaviou?r|system|solution|process|implementation)|(?:actual|observed) (?:behaviou?r|results?)|history|change ?log|release notes|what['’]s new|glossary(?: .*)?|terms?|terminology|definitions?|acronyms|abbreviations|(?:normative |informative )?references?|links?|resources|see also|related(?: .*)?|further reading|bibliography|(?:table of )?contents|toc|assumptions?|(?:\w+ )?examples?(?: .*)?|samples?(?: .*)?|authors?|contributors?|acknowledge?ments?|credits|licen[cs]e|(?:revision|document|version) history|revisions|(?:open |unresolved |outstanding )?questions?(?: .*)?|clarifications|faqs?|frequently asked questions|risks?|mitigations?|drawbacks|disadvantages|trade[- ]?offs|pros|cons|(?:steps )?to reproduce|steps to reproduce|reproduction(?: steps)?|how to reproduce|environment|screenshots?|mockups?|work-?arounds?|(?:suspected|possible|probable|likely) causes?|how to (?:run|build|install|use|test|contribute|develop|deploy|set ?up|start|reproduce|get)\b.*|logs?|stack trace|additional (?:context|information|info|notes?)|stakeholders?|(?:user )?personas?|(?:target |end |primary |secondary )?(?:users?|customers?|user groups?)|actors|roles|(?:target )?audience|team|people|timeline|schedule|milestones?|road ?map|rollout(?: plan)?|release plan|sign[- ]?offs?|approvals?|type of change|install(?:ation|ing)?(?: .*)?|setup|getting started|quick ?start|usage|contributing|project structure|folder structure|directory structure|troubleshooting|user manual(?: .*)?|market .*|competit.*|user (?:quotes|research|interviews)|(?:user )?research|metadata|document (?:control|information|info|status)|notation|conventions used.*|requirements (?:language|notation)|key ?words|impact|prerequisites|dependencies|benefits|business (?:case|value|context)|vision|mission|appendix(?: .*)?|supporting .*|evidence|analysis|root cause.*|post-?mortem|lessons.*|what (?:happened|went .*)|estimates?|story points|effort|labels?|comments?|attachments?|activity|support|contact|quality levels|levels)$/i;

const loose =
  /^(?:(?:\w+ )?overview|introduction|summary|abstract|tl;?dr|executive summary|(?:\w+ )?description|purpose|about(?: .*)?|notes?|remarks|(?:implementation|technical|design|developer) (?:notes?|details|considerations|hints)|(?:\w+ )?capabilities|options|(?:\w+ )*syntax|(?:\w+ )?commands|arguments|parameters|(?:key )?entities|data model|schema|architecture|tech(?:nology)? stack|modules?|components?|files?(?: changed)?|affected (?:files|code|areas|specs)|how\b.*|what (?:is|are)\b.*|philosophy|conventions|governance|development|configuration|discussion|current focus|status|progress|success stories|(?:key )?(?:success )?metrics|kpis)$/i;

/** What a heading says about what stands below it; numbers, signs and remarks in parentheses do not count. */
export function sectionKind(heading: string): SectionKind {
  const words = bare(heading);
  if (words === '') return 'open';
  if (excluded.test(words)) return 'excluded';
  const kinds = partsOf(words).map(explaining);
  if (/^why\b/i.test(words) || kinds.every((kind) => kind === 'background')) return 'background';
  if (accepted.test(words)) return 'accepted';
  if (kinds.every((kind) => kind !== 'open')) return 'loose';
  return asked.test(words) ? 'asked' : 'open';
}

/** A heading without numbers, signs and remarks in parentheses. */
function bare(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
    .replace(/^[^\p{L}]*(?:(?:section|chapter|part|phase|step)\s+\d+\s*[:.-]?\s*)?/iu, '')
    .replace(/[^\p{L}\p{N})]+$/u, '')
    .replace(/[*_`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** "Background and motivation", "Risks / Assumptions": a heading that is no name by itself says what all its parts say. */
function partsOf(words: string): string[] {
  const parts = words.split(/\s*(?:,|\/|&|\+|\band\b|\bor\b)\s*/i);
  return explaining(words) === 'open' && parts.length > 1 ? parts : [words];
}

function explaining(words: string): 'background' | 'loose' | 'open' {
  if (background.test(words) || excluded.test(words)) return 'background';
  return loose.test(words) ? 'loose' : 'open';
}

/** Words that explain wherever they stand; others ("Context", "Summary") may name a part of the requirements. */
const always =
  /^(?:why\b.*|(?:key )?entities|data model|considered .*|hintergrund|background|motivation|rationale|reasoning|(?:\w+ )?examples?(?: .*)?|samples?(?: .*)?|notes?|remarks|references?|links?|glossary|terms?|terminology|definitions?|(?:open |unresolved |outstanding )?questions?|clarifications|assumptions?|(?:steps )?to reproduce|change ?log|history|non[- ]normative.*|informative.*|discussion|see also|problem(?: statement)?|current (?:state|behaviou?r|situation))$/i;

/** One heading above a text. */
export interface SectionHeading {
  readonly level: number;
  readonly text: string;
  readonly kind: SectionKind;
}

/**
 * What a section is by the headings above it, the outermost first: what is excluded stays so, else the innermost heading
 * that says something decides. Under a heading for requirements a heading that usually describes names a group of them.
 */
export function sectionKindOf(headings: readonly SectionHeading[]): SectionKind {
  let section: SectionKind = 'open';
  let within = false;
  for (const { level, text, kind } of headings) {
    if (kind === 'excluded') return kind;
    const groups = within && (kind === 'background' || kind === 'loose') && !always.test(bare(text));
    if (kind !== 'open' && !groups) section = kind;
    within ||= level > 1 && (kind === 'asked' || kind === 'accepted');
  }
  return section;
}
