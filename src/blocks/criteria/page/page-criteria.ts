import { type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CriterionResult, Finding } from '../../../core/criterion.js';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { type Severity, severityAtLeast } from '../../../core/gap.js';
import { plural } from '../../../core/plural.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  listed,
  skipped,
} from '../artifact-criterion.js';
import { attribute, type Element, type Page } from '../html/dom.js';
import { foundAt, isHtml, pagesOf } from '../html/page.js';
import type { DescribedRule } from '../html/rule.js';
import { browserMissing, findBrowser, shownBy } from './browser/chromium.js';
import { folderState } from './browser/folder-files.js';
import { visitsOf } from './browser/visit-page.js';
import {
  type Fault,
  isLoadable,
  type Look,
  type PageScope,
  type PageVisit,
  type Place,
} from './page-files.js';
import { type PageOptions, type PageSettings, pageSettings } from './page-options.js';

/**
 * Creates the criteria over pages as Chromium shows them: contrast, size of targets, narrow windows,
 * visible focus, keyboard, missing files, errors of scripts, and the rules of axe. Install
 * `playwright-core`, `axe-core` and a Chromium. Without a browser no criterion decides anything.
 *
 * @throws ReviewLoopError `invalid_options`; `browser_missing` if the named browser is not there
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: designPage, reviewers: pageCriteria() });
 * ```
 */
export function pageCriteria(options: PageOptions = {}): ArtifactCriterion[] {
  const settings = pageSettings(options);
  const { executablePath, folder, ...how } = settings;
  if (executablePath !== undefined && findBrowser(executablePath) === undefined)
    throw browserMissing(executablePath);
  const { reportedBy: already = [] } = options;
  const browser = shownBy(executablePath);
  const also = already.map(({ id, version }) => `/${id}:${version}`).join('');
  const scope = (output: Artifacts): PageScope => ({
    artifacts: artifactsOf(output).filter((one) => isHtml(one) || isLoadable(one.path)),
    folderState: folderState(folder),
  });
  return pageRules.map((rule) => {
    const { id, name, description, severity, category, wcag, version } = rule;
    return artifactCriterion({
      ...{ id, name, severity, category, scope },
      description: wcag === undefined ? description : `${description} (WCAG ${wcag})`,
      version: `${id}/${version}/${browser}/${JSON.stringify(how)}${also}`,
      check: (output) => judgePages(rule, scope(output), { settings, browser, already }),
    });
  });
}

interface PageRule extends DescribedRule {
  /** Whether it judges scripts, so that there is nothing to see without them. */
  readonly needsScripts?: boolean | undefined;
}

export const pageRules: readonly PageRule[] = [
  rule('page-contrast', ['Contrast of text', 'texts', 'Text stands out from its background'], {
    wcag: '1.4.3',
    act: ['afw4f7'],
  }),
  rule(
    'page-target-size',
    ['Size of targets', 'targets', 'Targets are at least 24 x 24 px, or have space around them'],
    { severity: 'minor', wcag: '2.5.8' },
  ),
  rule('page-reflow', ['Narrow windows', 'elements', 'The page fits into a window of 320 px'], {
    wcag: '1.4.10',
  }),
  rule(
    'page-focus-visible',
    ['Visible focus', 'stops of the Tab key', 'All that Tab reaches shows that it has the focus'],
    { wcag: '2.4.7', act: ['oj04fd'] },
  ),
  rule(
    'page-focus-order',
    ['Order of the focus', 'stops of the Tab key', 'Tab reaches only what is shown, in order'],
    { severity: 'minor', wcag: '2.4.3' },
  ),
  rule(
    'page-keyboard-trap',
    ['No keyboard trap', 'stops of the Tab key', 'The Tab key leads out of everything'],
    { severity: 'critical', wcag: '2.1.2', act: ['80af7b', 'a1b64e'], needsScripts: true },
  ),
  rule(
    'page-scroll-focus',
    ['Scrolling by keyboard', 'parts that scroll', 'The keyboard reaches all that scrolls'],
    { wcag: '2.1.1', act: ['0ssw9k'] },
  ),
  rule(
    'page-resources',
    ['Files of the page', 'files', 'Every picture, style, script, font and other file is there'],
    { category: 'missing' },
  ),
  rule('page-errors', ['Errors of scripts', 'pages', 'The scripts run without an error'], {
    category: 'incorrect',
    needsScripts: true,
  }),
  rule('page-axe', ['Other rules of axe', 'rules', 'The page passes the other rules of axe'], {
    act: ['24afc2', '9e45ec', '78fd32'],
  }),
];

function rule(
  id: string,
  [name, things, description]: readonly [string, string, string],
  more: Partial<PageRule>,
): PageRule {
  const common = { severity: 'major', category: 'quality', version: 4 } as const;
  return { ...common, id, name, description, things, ...more };
}

interface Seen {
  readonly page: Page;
  readonly look: Look;
  readonly browser?: string;
  readonly error?: unknown;
}

interface JudgeHow {
  readonly settings: PageSettings;
  /** Changes with the browser and the fonts of this machine. */
  readonly browser: string;
  /** Criteria whose findings are not reported again. */
  readonly already: readonly ArtifactCriterion[];
}

async function judgePages(
  rule: PageRule,
  scope: PageScope,
  { settings, browser, already }: JudgeHow,
): Promise<CriterionResult> {
  const { pages, unreadable } = await pagesOf(scope);
  const open = unreadable.map(({ file, reason }) => `${file}: ${reason}`);
  if (pages.length === 0) return open.length === 0 ? skipped('no HTML was found') : undecided(open);
  if (rule.needsScripts === true && !settings.scripts)
    return skipped('the scripts of pages are off (`scripts: true` runs them)');
  const visit = visitsOf(scope, settings, browser);
  const seen = await Promise.all(
    pages.slice(0, settings.maxPages).map((page) => see(rule, page, visit(page))),
  );
  const left = pages.length - seen.length;
  if (left > 0) open.push(`${left} more pages (maxPages: ${settings.maxPages})`);
  const all = seen.flatMap(({ page, look }) =>
    look.faults.map((fault) => ({ fault, finding: findingOf(page, fault) })),
  );
  const told = toldBy(already, scope);
  const findings: Finding[] = [];
  for (const { fault, finding } of all)
    if (!(await told(fault, finding, fault.severity ?? rule.severity))) findings.push(finding);
  return resultOf(rule, seen, { open, findings, elsewhere: all.length - findings.length });
}

async function see({ id }: PageRule, page: Page, visit: Promise<PageVisit>): Promise<Seen> {
  const nothing: Look = { judged: 0, faults: [] };
  try {
    const { browser, looks } = await visit;
    return { page, browser, look: looks[id] ?? nothing };
  } catch (error) {
    return { page, look: nothing, error };
  }
}

/** What a criterion reports, how many problems other criteria report, and what nobody read. */
interface Found {
  readonly findings: Finding[];
  readonly elsewhere: number;
  readonly open: readonly string[];
}

/** Only a page that was seen, with something to judge and nothing unsure, has passed. */
function resultOf(rule: PageRule, seen: readonly Seen[], found: Found): CriterionResult {
  const { findings, elsewhere, open } = found;
  const failures = seen.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const unsure = [
    ...open,
    ...failures.map(messageOf),
    ...seen.flatMap(({ page, look }) => (look.unsure ?? []).map((why) => `${page.file} ${why}`)),
  ];
  if (findings.length > 0) return decided(rule, seen, { ...found, open: unsure });
  const failure = failures.find(isBrowserMissing) ?? failures[0];
  if (failure !== undefined && !isBrowserMissing(failure)) throw failure;
  if (unsure.length > 0) return undecided(unsure);
  return elsewhere > 0 || seen.some(({ look }) => look.judged > 0)
    ? decided(rule, seen, found)
    : skipped(`no ${rule.things} were found`);
}

function decided(
  { things }: PageRule,
  seen: readonly Seen[],
  { findings, elsewhere, open }: Found,
): CriterionResult {
  const left = listed([...new Set([...open, ...seen.flatMap(({ look }) => look.aside ?? [])])], 5);
  const judged = seen.reduce((sum, { look }) => sum + look.judged, 0);
  const count = Math.max(judged, findings.length);
  const passed = findings.length === 0;
  const what = passed
    ? `${judged} ${things} checked`
    : `${plural(findings.length, 'problem')} in ${count} ${things}`;
  const details = [
    `${what} in ${seen.find(({ browser }) => browser !== undefined)?.browser ?? 'Chromium'}`,
    elsewhere > 0 && `${plural(elsewhere, 'problem')} reported by other criteria`,
    left !== '' && `not checked: ${left}`,
  ].filter((part) => part !== false);
  return {
    ...{ passed, details: details.join('; ') },
    score: passed ? 1 : Math.max(0, 1 - findings.length / count),
    ...(!passed && { findings }),
    estimatedEffort: findings.length > 10 ? 'medium' : 'small',
  };
}

function isBrowserMissing(error: unknown): boolean {
  return error instanceof ReviewLoopError && error.code === 'browser_missing';
}

function findingOf(page: Page, fault: Fault): Finding {
  const { place, suggestedFix, severity, picture } = fault;
  const element = place === undefined ? undefined : sourceElement(page, place);
  const about = {
    description: `${place === undefined ? '' : `${place.selector}: `}${fault.description}`,
    suggestedFix,
    ...(severity !== undefined && { severity }),
  };
  const found =
    element === undefined ? { ...about, file: page.file } : foundAt(page, element, about);
  return { ...found, ...(picture !== undefined && { picture }) };
}

function sourceElement(page: Page, { path, tag, html }: Place): Element | undefined {
  let at = page.elements.find(({ tagName }) => tagName === 'html');
  for (const index of path ?? [-1])
    at = at?.childNodes.filter((node): node is Element => 'tagName' in node)[index];
  if (at === undefined || at.tagName !== tag || at.sourceCodeLocation === undefined)
    return undefined;
  const id = attribute(at, 'id') ?? '';
  return id === '' || html.includes(`id="${id}"`) ? at : undefined;
}

/** Returns whether a criterion over the source reports the same rule at the same element as badly. */
function toldBy(
  criteria: readonly ArtifactCriterion[],
  output: PageScope,
): (fault: Fault, finding: Finding, severity: Severity) => Promise<boolean> {
  const results = new Map<string, Promise<CriterionResult>>();
  return async ({ same = [] }, { file, line, evidence }, severity) => {
    for (const one of criteria.filter(({ id }) => same.includes(id))) {
      const result = results.get(one.id) ?? one.validate(output, undefined, { previous: [] });
      results.set(one.id, result);
      const isSame = (other: Finding): boolean =>
        evidence !== undefined &&
        [other.file, other.line, other.evidence].join() === [file, line, evidence].join() &&
        severityAtLeast(other.severity ?? one.severity, severity);
      if ((await result).findings?.some(isSame)) return true;
    }
    return false;
  };
}

function undecided(reasons: readonly string[]): CriterionResult {
  return { passed: false, score: 0, details: '', undecided: listed([...new Set(reasons)], 5) };
}
