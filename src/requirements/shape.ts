import { unmarked } from './modality.js';
import { type SectionKind, sectionKind } from './sections.js';

/** A label of a line ("**Rationale:** because"), with what stands behind it. */
export interface Label {
  readonly name: string;
  readonly rest: string;
  readonly kind: SectionKind;
  /** A `title` is a line of plain text without a colon. */
  readonly form: 'bold' | 'plain' | 'title';
}

const metadata =
  /^(?:(?:fixed|implemented|completed|closed|reported|approved|reviewed|started|finished)(?: (?:on|by|at|in))?|(?:document|doc) type|feature|product(?: (?:name|owner))?|categor(?:y|[ií]a)|statut|estado|fecha|auteur|autor|versi(?:ón|on|e)|prioridade?|priorit(?:ät|é|à)|datum|verantwortlich|(?:feature |git )?branch|(?:\w+ )?(?:name|date|pr|issue|id|number)|status|date|dates?|authors?|owners?|priority|tier|complexity|phase|depends on|dependenc(?:y|ies)|blocked by|blocks|created(?: (?:at|by|on))?|updated|last (?:updated|amended|modified)|modified|ratified|version|reviewers?|approvers?|input|ticket|epic|sprint|labels?|assignees?|reporter|estimate[ds]?|effort|story points|points|type|components?|milestone|due(?: date)?|stakeholders?|team|links?|url|id|key|issue(?: type)?|parent|fix version|affects version|resolution|environment|os|browser|severity|source|category|tags?|contact|pm|designer|engineer|tech lead|deadline|project|document|target release|release|owner\(s\)|why this priority|independent test|total|duration|risk|example|e\.g|see)$/i;

/** Words before a colon, not inside of parentheses. */
const plainLabel = /^([\p{L}](?:[^:\n()]|\([^()\n]*\)){0,60}?)[:：](?:\s+|$)/u;

const aboutItself =
  /^(?:this|the) (?:[\w-]+ )?(?:document|specification|spec|profile|standard|section|chapter|page|guide|proposal|prd|rfc|memo)\b(?!.*\brequire)[^.]*\b(?:covers?|defin\w+|describ\w+|specif\w+|contains?|outlines?|explains?)\b[^.]*:/i;

/** Whether a line tells what the document holds ("This document covers:"). */
export function isAboutItself(text: string): boolean {
  return aboutItself.test(text.slice(0, 400));
}

/** The label of a line, if it has one: bold and short, or words of a section before a colon. */
export function labelOf(text: string): Label | undefined {
  const bold =
    /^(?:\*\*|__)([^*_\n]{1,80}?)(?:\*\*|__)\s*(?:[:：]|[-–—](?=\s)|$)\s*/.exec(text) ??
    /^(?:\*\*|__)([^*_\n]{1,80}?)[:：](?:\*\*|__)\s*/.exec(text);
  const found = bold ?? plainLabel.exec(text);
  if (found === null) return undefined;
  const name = (found[1] ?? '').replace(/[:：]$/, '').trim();
  const kind = sectionKind(name);
  if (bold === null && ((kind === 'open' && !metadata.test(name)) || isAboutItself(text)))
    return undefined;
  return {
    name,
    rest: text.slice(found[0].length).trim(),
    kind,
    form: bold === null ? 'plain' : 'bold',
  };
}

/** Whether a label ranks the work: then "Must have" behind it obliges nobody. */
export function isRank({ name }: Label): boolean {
  return /^(?:priority|prio|moscow|prioridade?|priorit(?:ät|é|à)|优先级|優先度|우선 ?순위)$/iu.test(
    name,
  );
}

/** Whether a label tells something about the document or the work, not about the result ("Priority", "Author"). */
export function isMetadata({ name }: Label): boolean {
  return metadata.test(name);
}

const identifier =
  /^[*_`[(]*(?!(?:UTF|ISO|RFC|HTTP|SHA|IPV|TLS|UTC|GMT|COVID|V)[-_ ]?\d)(?:[A-Z][A-Za-z]{0,9}(?:[-_.][A-Za-z]{1,10}){0,3}[-_. ]?\d{1,5}(?:[.-]\d{1,4}){0,3}[a-z]?)[\])*_`]*\s*(?:[:：.)]|[-–—]|\*\*)[*_]*\s+(?=\S)/;

/** Whether a text begins with an identifier of a requirement: "FR-001:", "**REQ-12**:", "AC 3." */
export function isIdentified(text: string): boolean {
  return (
    /^[*_`[(]*[A-Z]/.test(text) &&
    identifier.test(text.slice(0, 80)) &&
    !/^[*_]*(?:Phase|Step|Version|Day|Week|Sprint|Chapter|Section|Part|Figure|Fig|Table|Example|Option|Note|Milestone|Release|Level|Tier|Stage|Page|Line|Item|Iteration|Node|Python|Java|Windows|Q|Question|Scenario|Story|Epic|Appendix)[ .-]?\d/i.test(
      text,
    )
  );
}

/** Whether a text is a place that a template leaves open: "[Describe the journey]", "TBD", "System MUST [capability]". */
export function isPlaceholder(text: string): boolean {
  const short = text.slice(0, 2000);
  if (
    /^[\s*_]*(?:[A-Z][\w-]{0,8}\d{1,4}[*_]*\s*[:.)-]\s*)?(?:TBD|TODO|TBA|N\/A|none|n\.a\.|lorem ipsum.*|\.{3,}|…|xxx+)[\s*_.!]*$/i.test(
      short,
    )
  )
    return true;
  if (!/[[{<]/.test(short)) return false;
  const left = withoutGaps(short);
  if (left === undefined) return false;
  const words = unmarked(left)
    .replace(/^[*_]*[A-Z][\w.-]*\d[\w.-]*[*_]*\s*[:.)-]?/, '')
    .match(/\p{L}{2,}/gu);
  return (words ?? []).filter((word) => !filler.has(word.toLowerCase())).length < 2;
}

const filler = new Set(
  'the an system users user must shall should be able to can may given when then and as want so that is are of for in with app application service it feature eg name'.split(
    ' ',
  ),
);

const gap = /\[(?!NEEDS CLARIFICATION|TODO|\^)[^[\]]*\](?![([])/g;
const namedGap = /\{\{[^}]*\}\}|\{[\w ./-]{0,40}\}|<[A-Za-z][\w -]{2,60}>(?!.*<\/)/g;

/** The text without what stands in brackets that are no links, boxes or open questions; undefined when there are none. */
function withoutGaps(text: string): string | undefined {
  let left = text;
  for (let depth = 0; depth < 4; depth += 1) {
    const inner = left.replace(gap, ' ');
    if (inner === left) break;
    left = inner;
  }
  left = left.replace(namedGap, ' ');
  return left === text ? undefined : left;
}

/** What a list may hold besides requirements: nothing, links only, open questions, statements about oneself, lines of a table of contents. */
export function isNoise(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  if (isQuestion(text) || /\.{4,}\s*\d+\s*$|(?:\. ){4,}\d+\s*$/.test(text.slice(-80))) return true;
  if (isDeclaration(text)) return true;
  if (/^~~.*~~$/.test(text.trim())) return true;
  return isLinksOnly(text);
}

/** What the author of an issue or a change says of what was done: "I have read the guide". */
export function isDeclaration(text: string): boolean {
  return /^(?:i (?:have|agree|confirm|understand|am|did|will|would|searched|checked|looked|verified|tested|tried|reviewed|followed|acknowledge)|i['’]ve|my (?:code|change|commit|pr|pull request))\b/i.test(
    unmarked(text),
  );
}

/** Whether a text asks instead of telling; a question that is only quoted does not. */
export function isQuestion(text: string): boolean {
  return /\?[)*_]{0,4}\s*$/.test(text.slice(-12));
}

/** "[Guide](https://...) - how it works": a link with what it is. */
export function isReference(text: string): boolean {
  return /^[*_]*\[[^\]]{1,200}\]\(https?:[^)\s]{1,500}\)[*_]*\s*(?:[-–—:(].*)?$/.test(
    text.slice(0, 1000),
  );
}

function isLinksOnly(text: string): boolean {
  if (text.length > 2000 || !/\]|:\/\/|^</.test(text)) return false;
  const rest = text.replace(
    /!?\[[^\]]{0,300}\](?:\([^)\s]{0,500}(?: "[^"]{0,200}")?\)|\[[^\]]{0,100}\]|: \S+)|<[a-z]+:\S{1,500}>|\b[a-z]+:\/\/\S+/gi,
    '',
  );
  return !/[\p{L}\p{N}]/u.test(rest);
}
