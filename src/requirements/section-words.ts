/** Patterns of headings: those of `within` may stand anywhere in one, those of `whole` are all of it. */
export interface HeadingWords {
  readonly within: readonly string[];
  readonly whole: readonly string[];
}

/** What was not asked for. */
export const excludedWords: HeadingWords = {
  within: [
    'out[- ]of[- ]scope|not in scope|beyond (?:the )?scope|non[- ]?(?:goals?|objectives?|requirements?)|anti[- ]?goals?',
    '(?:does|do|will|did|should) not[- ](?:be )?(?:have|change|deliver|build|do|ship|include|cover|support|change)\\w*|not (?:changing|included|planned|covered|needed|necessary|required|in this|part of|doing)|unchanged|(?:keep|leave|stays?) as (?:is|it is|they are)',
    "won[’']?t[- ](?:have|do|fix|build|ship|deliver|include)|what we[’']re not doing|no longer (?:needed|required)|explicitly not|intentionally (?:left out|omitted)",
    'rejected (?:ideas?|options?|alternatives?|approach\\w*)|alternatives? (?:considered|approach\\w*|solutions?)|(?:options?|solutions?|approaches) considered|considered (?:options|alternatives)|describe alternatives.*|prior art',
    'future (?:work|enhancements?|ideas?|improvements?|considerations?|scope|plans?|possibilities|features?|extensions?|directions?|releases?|versions?|phases?|iterations?)|later (?:versions?|releases?|phases?)|parking lot|(?:post|after|beyond)[- ](?:the )?(?:mvp|launch)(?! (?:check|support|monitor))',
    '(?:review(?:er|s)?|quality|self[- ]review|pr|pull[- ]request|submission|contributor)(?: (?:&|and) \\w+)? check ?lists?|(?:release )?sign-?off check ?lists?|constitution check|quick guidelines|execution (?:status|flow)|(?:removed|renamed) requirements?',
  ],
  whole: [
    'not\\b(?! ?only).*',
    "abgrenzung|no-?go['’]?s|alternatives?|exclusions?|excluded|rejected|deferred|postponed|future|later|someday|prior work|ideas?|icebox",
    'already (?:done|there|exists?|implemented|built|in place|works?|working|available|shipped)',
  ],
};

/** What holds acceptance criteria. */
export const acceptedWords: HeadingWords = {
  within: [
    'acceptance (?:criteria|criterion|scenarios?|tests?|conditions?|checks?)|definition of done|conditions of satisfaction|(?:success|graduation) (?:criteria|criterion)|done (?:when|criteria)|exit criteria|release criteria',
    'expected (?:behaviou?r|results?|outcomes?|output)|what (?:did|do|would|were) (?:you|i|we) expect\\w*(?: to happen)?',
  ],
  whole: ['accept(?:ance)?|dod|ac'],
};

/** What holds requirements. */
export const askedWords: HeadingWords = {
  within: [
    'requirements?|user stor(?:y|ies)|use cases?|must[- ]haves?|should[- ]haves?|could[- ]haves?|nice[- ]to[- ]haves?|deliverables?|what changes|constraints?|feature (?:list|request)|functional spec\\w*',
    'to[- ]?dos?|tasks?|checklists?|proposed (?:changes?|solution|behaviou?r)|describe the solution.*|desired (?:behaviou?r|outcome)|in scope|specifications?|action items?|work items?',
    "what (?:we|you|i|they)(?:[’']ll|[’']re| will| want| need| are going| are)?(?: to)? (?:deliver|build|ship|need|want|do)(?:ing)?|what(?:[’']s| is) (?:needed|required|wanted)",
  ],
  whole: [
    '(?:\\w+ )?features?|(?:[\\w-]+ ){0,2}standards|(?:[\\w-]+ ){0,2}(?:goals?|objectives?)|targets?|(?:[\\w-]+ ){0,2}scope|(?:[\\w-]+ ){0,2}(?:rules?|guardrails|policy)|behaviou?r|expectations?|mvp|edge cases|(?:\\w+ )?principles|decisions?|resolutions?|instructions|guidelines|(?:output|response|answer) format|format',
  ],
};

/** What a result has to be like: requirements, although a document that has them may state its requirements elsewhere. */
export const qualityWords: HeadingWords = {
  within: [],
  whole: [
    '(?:performance|security|safety|accessibility|reliability|availability|usability|scalability|compatibility|maintainability|observability|privacy|compliance|user experience|(?:user )?interface|ui|ux|ui ?/ ?ux|look and feel|navigation|locali[sz]ation|internationali[sz]ation|error handling|validation|quality|limits)(?: (?:goals?|targets?|attributes?|considerations?))?',
  ],
};

/** What explains. */
export const backgroundWords: HeadingWords = {
  within: ['pain points?|work-?arounds?|user (?:quotes|research|interviews|journeys?)'],
  whole: [
    'why\\b.*|reasons?(?: .*)?|who(?: (?:is|are|uses?|will|benefits)\\b.*)?|background.*|motivation|rationale.*|context|(?:(?:the|core|main|key|business|user|customer) )?problems?(?: (?:statement|description|definition|we solve|to solve))?|challenges?|opportunity|hypothes[ie]s|vision|mission|benefits|business (?:case|value|context|impact)|impact|evidence|analysis|findings|insights|observations?',
    'symptoms?|(?:describe|description of)(?: the)? (?:bug|issue|problem).*|bug (?:report|description)|(?:is your feature request related to a problem.*)|(?:steps )?to reproduce|(?:minimal )?(?:steps to reproduce|reproduction(?: steps)?|repro)|how to reproduce|(?:actual|observed) (?:behaviou?r|results?)|(?:suspected|possible|probable|likely) (?:causes?|solutions?|fix(?:es)?)|root cause.*|severity|frequency|what (?:happened|happens|went|is this about|i tried|have you tried)\\b.*',
    "current(?:ly)?\\b.*|today(?:[’']s .*)?|as[- ]is|status quo|existing (?:state|features?|behaviou?r|systems?|solutions?|process|implementation)|known (?:issues?|limitations?|problems?|bugs?)|limitations?|results?",
    "(?:(?:amendment|approval|change|commit|decision|document|edit|modification|publication|release|review|revision|status|update|version) )?history|status of this (?:memo|document)|copyright notice|change ?log|release notes|what['’]s new|revisions|document (?:control|information|info|status)|metadata|authors?|contributors?|acknowledge?ments?|credits|licen[cs]e|disclaimer|copyright|legend|how to read\\b.*|distribution",
    'glossary(?: .*)?|terms?|terminology|definitions?|acronyms|abbreviations|notation|conventions used.*|requirements (?:language|notation)|key ?words|(?:normative |informative )?references?|links?|resources|sources?|see also|related(?: .*)?|further reading|bibliography|(?:table of )?contents|toc|appendix(?: .*)?|supporting .*',
    'assumptions?|(?:\\w+ )?examples?(?: .*)?|samples?(?: .*)?|(?:open |unresolved |outstanding )?questions?(?: .*)?|open (?:points|issues|items|topics)|unknowns|to be (?:clarified|decided|discussed|defined)|clarifications|faqs?|frequently asked questions|hints?|tips|consequences|(?:\\w+ )?implications|decision (?:drivers|log)|(?:\\w+ )?risks?|risks? .*|mitigations?|thoughts|drawbacks|disadvantages|trade[- ]?offs|pros|cons|lessons.*|post-?mortem',
    'stakeholders?|(?:user )?personas?|(?:target |end |primary |secondary )?(?:users?|customers?|user groups?)|actors|roles|(?:target |intended )?audience|team|people|contacts?|support|participants|attendees|agenda|minutes|meeting notes|sign[- ]?offs?|approvals?',
    'timeline|schedule|milestones?|(?:\\w+ )?road ?map|roll-?out|rollback|budget|costs?|pricing|estimates?|story points|effort|(?:communication|roll-?out|rollback|roll-?back|release|launch|marketing|training|support|contingency|back-?out) plan|prerequisites(?: .*)?|(?!(?:add|bump|declare|install|manage|pin|remove|update|upgrade) )(?:[\\w-]+ ){0,3}dependencies|(?:\\w+ )?dependency chain|execution order|within each .*|parallel(?: .*)?|implementation strategy|appetite|rabbit holes',
    'install(?:ation|ing)?(?: .*)?|setup|getting started|quick ?start|usage|contributing|project structure|folder structure|directory structure|troubleshooting|user manual(?: .*)?|how to (?:run|build|install|use|test|contribute|develop|deploy|set ?up|start|reproduce|get)\\b.*',
    'environment|screenshots?|mockups?|logs?|stack trace|additional (?:context|information|info|notes?)|type of change|labels?|comments?|attachments?|activity|quality levels|levels|market .*|competit.*|(?:user )?research|technical context|complexity tracking|path conventions|format:.*|dev agent record|qa results|completion notes.*|file list|debug log.*|checkpoint|product perspective|user classes.*|operating environment|reading suggestions',
  ],
};

/** What describes, and may hold obligations. */
export const looseWords: HeadingWords = {
  within: [],
  whole: [
    '(?:\\w+ )?overview|introduction|summary|abstract|tl;?dr|executive summary|(?:\\w+ )?description|purpose|about(?: .*)?|notes?(?: (?:for|to|on|about)\\b.*)?|remarks|(?:implementation|technical|design|developer|dev) (?:notes?|details|considerations|hints)',
    '(?:\\w+ )?capabilities|options|(?:\\w+ )*syntax|(?:\\w+ )?commands|arguments|parameters|(?:key )?entities|data model|schema|architecture|(?:\\w+ )?stack|(?:technolog(?:y|ies)|tools|frameworks|libraries|languages)(?: (?:and|&) \\w+)?(?: used)?|built (?:with|using)|modules?|components?|files?(?: changed)?|affected (?:files|code|areas|specs)',
    'how\\b.*|what (?:is|are)\\b.*|(?:\\w+ )?philosophy|(?:(?:repo(?:sitory)?|project|code(?:base)?|file|directory|folder|source) )?(?:layout|organi[sz]ation)|conventions|governance|subject(?: matter)?|preamble|context and scope|development|configuration|discussion|current focus|status|progress|success stories|(?:key )?(?:success )?metrics|kpis',
  ],
};

/** What explains wherever it stands; other words that explain ("Context", "Summary") may name a part of the requirements. */
export const alwaysWords: HeadingWords = {
  within: ['personas?|target (?:users?|audience|customers?)|stakeholders?'],
  whole: [
    '(?:\\w+ )?risks?(?: .*)?|why\\b.*|(?:key )?entities|data model|considered .*|hintergrund|background.*|motivation|rationale.*|reasoning|(?:\\w+ )?examples?(?: .*)?|samples?(?: .*)?|notes?|remarks|references?|links?|glossary|terms?|terminology|definitions?',
    '(?:open |unresolved |outstanding )?questions?|open (?:points|issues)|clarifications|assumptions?|(?:steps )?to reproduce|change ?log|history|non[- ]normative.*|informative.*|discussion|see also|(?:description of (?:the )?)?problems?(?: (?:statement|description))?|current (?:state|behaviou?r|situation)',
  ],
};
