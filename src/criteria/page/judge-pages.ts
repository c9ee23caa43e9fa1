import type { CriterionResult, Finding } from '../../core/criterion.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import type { Page } from '../html/dom.js';
import { pagesOf } from '../html/page.js';
import { foundAt } from '../html/place.js';
import type { VisitSettings } from './page-options.js';
import type { PageRule } from './page-rules.js';
import type { PageScope } from './page-scope.js';
import type { Fault, Look, PageVisit } from './page-visit.js';
import { ReportedAlready } from './reported-already.js';
import { sourceElement } from './source-place.js';
import { visitOnce } from './visit-once.js';

const scriptsAreOff = 'the scripts of pages are off (`scripts: true` runs them)';

/** A page, and what a criterion saw on it, or why it saw nothing. */
interface Seen {
  readonly page: Page;
  readonly visit?: PageVisit | undefined;
  readonly look: Look;
  readonly error?: unknown;
}

interface JudgeHow {
  readonly settings: VisitSettings;
  /** Criteria whose findings are not reported again. */
  readonly already: readonly ArtifactCriterion[];
}

/** Judges all pages of an output by what one criterion sees on them. */
export async function judgePages(
  rule: PageRule,
  scope: PageScope,
  { settings, already }: JudgeHow,
): Promise<CriterionResult> {
  const { pages, unreadable } = await pagesOf(scope);
  const open = unreadable.map(({ file, reason }) => `${file}: ${reason}`);
  if (pages.length === 0)
    return open.length === 0 ? skipped('no HTML was found') : undecided(open.join('; '));
  if (rule.needsScripts === true && !settings.scripts) return skipped(scriptsAreOff);
  const seen = await Promise.all(
    pages.slice(0, settings.maxPages).map((page) => see(rule, page, { scope, settings })),
  );
  const left = pages.length - seen.length;
  if (left > 0) open.push(`${left} more pages (maxPages: ${settings.maxPages})`);
  const reported = new ReportedAlready(already, scope);
  return resultOf(rule, seen, { unread: open, ...(await findingsOf(rule, seen, reported)) });
}

/** What a criterion reports, and how many problems other criteria report. */
interface Found {
  readonly findings: Finding[];
  readonly elsewhere: number;
}

async function findingsOf(
  { severity }: PageRule,
  seen: readonly Seen[],
  already: ReportedAlready,
): Promise<Found> {
  const findings: Finding[] = [];
  let elsewhere = 0;
  for (const { page, look } of seen)
    for (const fault of look.faults) {
      const finding = findingOf(page, fault);
      if (await already.has(fault, finding, fault.severity ?? severity)) elsewhere += 1;
      else findings.push(finding);
    }
  return { findings, elsewhere };
}

async function see(
  { id }: PageRule,
  page: Page,
  { scope, settings }: { readonly scope: PageScope; readonly settings: VisitSettings },
): Promise<Seen> {
  try {
    const visit = await visitOnce(page, scope, settings);
    return { page, visit, look: visit.looks[id] ?? { judged: 0, faults: [] } };
  } catch (error) {
    return { page, look: { judged: 0, faults: [] }, error };
  }
}

function resultOf(
  rule: PageRule,
  seen: readonly Seen[],
  { unread, findings, elsewhere }: Found & { readonly unread: readonly string[] },
): CriterionResult {
  const failures = seen.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const unsure = [
    ...unread,
    ...failures.map(messageOf),
    ...seen.flatMap(({ page, look }) => (look.unsure ?? []).map((why) => `${page.file} ${why}`)),
  ];
  if (findings.length === 0) {
    const missing = failures.find(isBrowserMissing);
    if (missing !== undefined) return undecided(messageOf(missing));
    if (failures.length > 0) throw failures[0];
    if (unsure.length > 0) return undecided(few(unsure));
    const why = seen.find(({ look }) => look.skipped !== undefined)?.look.skipped;
    if (why !== undefined) return skipped(why);
    if (elsewhere === 0 && seen.every(({ look }) => look.judged === 0))
      return skipped(`no ${rule.things} were found`);
  }
  return decided(rule, seen, { findings, unsure, elsewhere });
}

function isBrowserMissing(error: unknown): boolean {
  return error instanceof ReviewLoopError && error.code === 'browser_missing';
}

function decided(
  { things }: PageRule,
  seen: readonly Seen[],
  { findings, unsure, elsewhere }: Found & { readonly unsure: readonly string[] },
): CriterionResult {
  const judged = seen.reduce((sum, { look }) => sum + look.judged, 0);
  const asides = seen.flatMap(({ look }) => look.aside ?? []);
  const open = [...new Set([...unsure, ...asides])];
  const count = Math.max(judged, findings.length);
  const told =
    elsewhere === 0 ? '' : `; ${plural(elsewhere, 'problem')} reported by other criteria`;
  const what =
    findings.length === 0
      ? `${judged} ${things} checked`
      : `${plural(findings.length, 'problem')} in ${count} ${things}`;
  return {
    passed: findings.length === 0,
    score: findings.length === 0 ? 1 : Math.max(0, 1 - findings.length / count),
    details: `${what} in ${shownBy(seen)}${told}${open.length === 0 ? '' : `; not checked: ${few(open)}`}`,
    ...(findings.length > 0 && { findings }),
    estimatedEffort: findings.length > 10 ? 'medium' : 'small',
  };
}

/** Returns the browser and the fonts, because both decide how a page looks. */
function shownBy(seen: readonly Seen[]): string {
  const browser = seen.find(({ visit }) => visit !== undefined)?.visit?.browser ?? 'Chromium';
  const fonts = [...new Set(seen.flatMap(({ visit }) => visit?.fonts ?? []))];
  return fonts.length === 0 ? browser : `${browser} with ${fonts.slice(0, 3).join(', ')}`;
}

function findingOf(page: Page, fault: Fault): Finding {
  const { place, suggestedFix, severity, picture } = fault;
  const element = place === undefined ? undefined : sourceElement(page, place);
  const where = place === undefined ? '' : `${place.selector}: `;
  const about = {
    description: `${where}${fault.description}`,
    suggestedFix,
    ...(severity !== undefined && { severity }),
  };
  const {
    edits: _edits,
    once: _once,
    ...found
  } = element === undefined
    ? { ...about, file: page.file, edits: undefined, once: undefined }
    : foundAt(page, element, about);
  return { ...found, ...(picture !== undefined && { picture }) };
}

function skipped(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', skipped: reason };
}

function undecided(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', undecided: reason };
}

function few(texts: readonly string[]): string {
  return [...texts.slice(0, 5), ...(texts.length > 5 ? [`${texts.length - 5} more`] : [])].join(
    '; ',
  );
}
