import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CriterionContext, CriterionResult } from '../../../core/criterion.js';
import { isRecord } from '../../../core/json.js';
import { plural } from '../../../core/plural.js';
import type { DescribedCriterion } from '../../reviewers/from-criterion.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  listed,
  placesOf,
  repair,
  shareResult,
  skipped,
} from '../artifact-criterion.js';
import type { KnownFiles } from '../files/known-files.js';
import { mapInTurns } from '../parsed-once.js';
import { type Element, isOfHtml, type Page } from './dom.js';
import { modelOf, type PageModel } from './model/page-model.js';
import {
  type FoundAt,
  foundAt,
  foundInPage,
  isHtml,
  type Pages,
  pagesOf,
  uncheckedAt,
} from './page.js';

export interface HtmlOptions {
  /**
   * The language of the pages, for the fix of a missing `lang`.
   *
   * @default the language of another page, a meta element or the request
   */
  readonly language?: string | undefined;
  /**
   * The files beside the artifacts, for missing pictures, scripts and styles.
   *
   * @default unknown: a file is missing only if another of its kind and folder was given
   */
  readonly files?: KnownFiles | undefined;
}

export interface HtmlSubject {
  /** All pages of the output, for what a rule must compare. */
  readonly everyPage: readonly Page[];
  /** The other artifacts: styles and scripts may refer to elements. */
  readonly others: readonly Artifact[];
  readonly artifacts: readonly Artifact[];
  readonly files: KnownFiles | undefined;
  readonly language: string | undefined;
}

export interface HtmlJudgement {
  readonly judged: number;
  readonly findings: readonly Found[];
  /** The elements that markup cannot decide, with the reasons. They neither pass nor fail. */
  readonly unchecked: readonly string[];
}

export interface DescribedRule extends DescribedCriterion {
  readonly version: number;
  readonly wcag?: string | undefined;
  readonly act?: readonly string[] | undefined;
  readonly things: string;
}

interface Unchecked {
  readonly unchecked: string;
}

/** A problem of an element: its description, what else is said of it, or a place of its own. */
export type Problem = string | FoundAt | Found | Unchecked;

interface Counted {
  readonly judged: number;
  readonly problems: readonly Problem[];
}

/** `undefined` if the rule does not apply. */
export type Answer = undefined | Unchecked | readonly Exclude<Problem, Unchecked>[] | Counted;

export type Judge = (model: PageModel, subject: HtmlSubject) => (element: Element) => Answer;

export interface HtmlRule extends DescribedRule {
  readonly suggestedFix: string;
  readonly judge: Judge;
  readonly repairs: boolean;
  /** Whether it also asks elements that assistive technology does not perceive. @default false */
  readonly everywhere?: boolean | undefined;
  /** Whether it also looks at the files beside the artifacts. @default false */
  readonly readsFiles?: boolean | undefined;
}

const usual = { severity: 'major', category: 'incorrect', version: 1, repairs: false } as const;

/** Returns a rule that is as most are: major, incorrect, in its first version, without repairs. */
export function htmlRule(
  rule: Omit<HtmlRule, keyof typeof usual> & Partial<Pick<HtmlRule, keyof typeof usual>>,
): HtmlRule {
  return { ...usual, ...rule };
}

/** Asks only whole documents, about themselves. */
export function ofDocuments(
  answer: (html: Element, model: PageModel, subject: HtmlSubject) => Answer,
): Judge {
  return (model, subject) => (element) =>
    element.tagName === 'html' && model.page.isDocument
      ? answer(element, model, subject)
      : undefined;
}

/** Skipped without elements to judge. */
export function htmlCriterion(rule: HtmlRule, options: HtmlOptions): ArtifactCriterion {
  const { id, name, severity, category, wcag } = rule;
  const description = wcag === undefined ? rule.description : `${rule.description} (WCAG ${wcag})`;
  const files = rule.readsFiles === true ? options.files : undefined;
  return artifactCriterion({
    ...{ id, name, description, severity, category },
    version: `html/${id}/${rule.version}/${options.language ?? ''}${files === undefined ? '' : '/files'}`,
    ...(files !== undefined && {
      scope: (output) => ({ artifacts: artifactsOf(output), state: files.state() }),
    }),
    check: async (output, task, context) =>
      judgeHtml(rule, output, { language: languageFrom(options, task, context), files }),
    ...(rule.repairs && {
      fix: async (output, gap, { task }) => {
        const subject = await htmlSubject(output, { language: languageFrom(options, task) });
        return repair(output, gap, (await judgePages(rule, subject)).findings);
      },
    }),
  });
}

async function judgeHtml(
  rule: HtmlRule,
  output: Artifacts,
  options: HtmlOptions = {},
): Promise<CriterionResult> {
  const subject = await htmlSubject(output, options);
  const { judged, findings, unchecked } = await judgePages(rule, subject);
  const unread = subject.unreadable.map(({ file, reason }) => `${file}: ${reason}`);
  if (subject.everyPage.length === 0 && unread.length === 0) return skipped('no HTML was found');
  if (findings.length === 0 && unread.length > 0) return skipped(`not checked: ${listed(unread)}`);
  if (judged === 0 && findings.length === 0)
    return skipped(
      unchecked.length > 0 ? `not checked: ${listed(unchecked)}` : `no ${rule.things} were found`,
    );
  const open = [...unread, ...unchecked];
  const aside = open.length === 0 ? '' : `; not checked: ${listed(open)}`;
  const details =
    findings.length === 0
      ? `${judged} ${rule.things} checked${aside}`
      : `${plural(findings.length, 'problem')} in ${judged} ${rule.things}: ${placesOf(findings)}${aside}`;
  return shareResult({
    judged,
    findings,
    passed: findings.length === 0,
    details,
    suggestedFix: rule.suggestedFix,
  });
}

/** Lets other work run between pages. */
async function judgePages(rule: HtmlRule, subject: HtmlSubject): Promise<HtmlJudgement> {
  return together(await mapInTurns(subject.everyPage, (page) => judgeByRule(rule, page, subject)));
}

export function judgeByRule(
  { judge, everywhere }: HtmlRule,
  page: Page,
  subject = alone(page),
): HtmlJudgement {
  const model = modelOf(page);
  return judgePage(model, judge(model, subject), everywhere);
}

/** A page without other files. */
function alone(page: Page): HtmlSubject {
  return { everyPage: [page], others: [], artifacts: [], files: undefined, language: undefined };
}

const nothing: Counted = { judged: 0, problems: [] };

export function judgePage(
  { page, exposure }: PageModel,
  answerOf: (element: Element) => Answer,
  everywhere = false,
): HtmlJudgement {
  const findings: Found[] = [];
  const unchecked: string[] = [];
  let judged = 0;
  const answered = everywhere
    ? answerOf
    : (element: Element): Answer =>
        exposure.isExposed(element) ? withoutScripted(element, answerOf(element)) : undefined;
  for (const element of page.elements) {
    const said = countedIn(answered(element));
    judged += said.judged;
    for (const problem of said.problems)
      if (typeof problem === 'object' && 'unchecked' in problem)
        unchecked.push(uncheckedAt(page, element, problem.unchecked));
      else findings.push(placed(page, element, problem));
  }
  return { judged, findings, unchecked };
}

/** A script decides about custom elements. */
function withoutScripted(element: Element, answer: Answer): Answer {
  const isCustom = element.tagName.includes('-') && isOfHtml(element);
  return isCustom && answer !== undefined ? { unchecked: 'a script decides about it' } : answer;
}

export function together(parts: readonly HtmlJudgement[]): HtmlJudgement {
  return {
    judged: parts.reduce((sum, { judged }) => sum + judged, 0),
    findings: parts.flatMap(({ findings }) => findings),
    unchecked: parts.flatMap(({ unchecked }) => unchecked),
  };
}

function countedIn(answer: Answer): Counted {
  if (answer === undefined) return nothing;
  if ('problems' in answer) return answer;
  return 'unchecked' in answer
    ? { judged: 0, problems: [answer] }
    : { judged: 1, problems: answer };
}

function placed(page: Page, element: Element, problem: string | FoundAt | Found): Found {
  if (typeof problem === 'object' && 'file' in problem) return problem;
  const about = typeof problem === 'string' ? { description: problem } : problem;
  return element.tagName === 'html' ? foundInPage(page, about) : foundAt(page, element, about);
}

async function htmlSubject(
  output: Artifacts,
  { language, files }: HtmlOptions,
): Promise<HtmlSubject & Pick<Pages, 'unreadable'>> {
  const { pages, unreadable } = await pagesOf(output);
  const artifacts = artifactsOf(output);
  return {
    everyPage: pages,
    unreadable,
    others: artifacts.filter((artifact) => !isHtml(artifact)),
    artifacts,
    files,
    language,
  };
}

function languageFrom(
  options: HtmlOptions,
  task: unknown,
  context?: CriterionContext,
): string | undefined {
  if (options.language !== undefined) return options.language;
  const named = [context?.projectConfig, ...configItems(task)].map(
    (config) => config?.['language'] ?? config?.['lang'] ?? config?.['locale'],
  );
  return named
    .find((language): language is string => typeof language === 'string' && language.trim() !== '')
    ?.replace('_', '-');
}

/** From the items of the task, because fixers receive only the task. */
function configItems(task: unknown): Readonly<Record<string, unknown>>[] {
  const context = isRecord(task) ? task['context'] : undefined;
  const items: unknown = isRecord(context) ? context['items'] : undefined;
  return (Array.isArray(items) ? items : [])
    .filter(isRecord)
    .filter(({ type }) => /^project[_-]?config$/i.test(String(type)))
    .map(({ content }) => content)
    .filter(isRecord);
}
