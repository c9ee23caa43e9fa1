import { type Artifact, type Artifacts, artifactsOf } from '../../core/artifact.js';
import type { CriterionContext, CriterionResult } from '../../core/criterion.js';
import type { GapCategory } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import type { Severity } from '../../core/severity.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  repair,
  shareResult,
} from '../artifact-criterion.js';
import { mapInTurns } from '../event-turns.js';
import type { KnownFiles } from '../files/known-files.js';
import type { Element, Page } from './dom.js';
import { modelOf, type PageModel } from './model/page-model.js';
import { isHtml, pagesOf } from './page.js';
import { foundAt, uncheckedAt } from './place.js';

/** The options of the rules for HTML. */
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

/** The input of a rule. */
export interface HtmlSubject {
  /** The pages to judge: one, so that other work runs between pages. */
  readonly pages: readonly Page[];
  /** All pages of the output, for what a rule must compare. */
  readonly everyPage: readonly Page[];
  /** The other artifacts: styles and scripts may refer to elements. */
  readonly others: readonly Artifact[];
  readonly artifacts: readonly Artifact[];
  /** The files beside the artifacts, if they are known. */
  readonly files: KnownFiles | undefined;
  readonly language: string | undefined;
}

export interface HtmlJudgement {
  readonly judged: number;
  readonly findings: readonly Found[];
  /** The elements that markup cannot decide, with the reasons. They neither pass nor fail. */
  readonly unchecked?: readonly string[] | undefined;
}

/** What a rule over markup or a rendered page says about itself. */
export interface DescribedRule {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly category: GapCategory;
  /** The version of the rule. Change it with the rule. */
  readonly version: number;
  /** The success criteria of WCAG 2.2. */
  readonly wcag?: string | undefined;
  /** The ids of the ACT rules of the W3C. */
  readonly act?: readonly string[] | undefined;
  /** The plural noun for what it judges. */
  readonly things: string;
}

export interface HtmlRule extends DescribedRule {
  readonly suggestedFix: string;
  readonly judge: (subject: HtmlSubject) => HtmlJudgement;
  readonly repairs: boolean;
  /** Whether it also looks at the files beside the artifacts. @default false */
  readonly readsFiles?: boolean | undefined;
}

/** Creates the criterion of a rule. It is skipped without elements to judge. */
export function htmlCriterion(rule: HtmlRule, options: HtmlOptions): ArtifactCriterion {
  const { id, name, severity, category, wcag } = rule;
  const description = wcag === undefined ? rule.description : `${rule.description} (WCAG ${wcag})`;
  const files = rule.readsFiles === true ? options.files : undefined;
  return artifactCriterion({
    id,
    name,
    description,
    severity,
    category,
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
  const { judged, findings, unchecked = [] } = await judgePages(rule, subject);
  const unread = [...subject.unreadable.map(({ file, reason }) => `${file}: ${reason}`)];
  if (subject.pages.length === 0 && unread.length === 0) return skip('no HTML was found');
  if (findings.length === 0 && unread.length > 0) return skip(`not checked: ${few(unread)}`);
  if (judged === 0 && findings.length === 0)
    return skip(
      unchecked.length > 0 ? `not checked: ${few(unchecked)}` : `no ${rule.things} were found`,
    );
  const aside =
    unread.length + unchecked.length === 0
      ? ''
      : `; not checked: ${few([...unread, ...unchecked])}`;
  const details =
    findings.length === 0
      ? `${judged} ${rule.things} checked${aside}`
      : `${plural(findings.length, 'problem')} in ${judged} ${rule.things}: ${summary(findings)}${aside}`;
  return shareResult({
    judged,
    findings,
    passed: findings.length === 0,
    details,
    suggestedFix: rule.suggestedFix,
  });
}

/** Judges one page after the other, and lets other work run in between. */
async function judgePages(rule: HtmlRule, subject: HtmlSubject): Promise<HtmlJudgement> {
  const parts = await mapInTurns(subject.pages, (page) =>
    rule.judge({ ...subject, pages: [page] }),
  );
  return {
    judged: parts.reduce((sum, { judged }) => sum + judged, 0),
    findings: parts.flatMap(({ findings }) => findings),
    unchecked: parts.flatMap(({ unchecked = [] }) => unchecked),
  };
}

function skip(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', skipped: reason };
}

function few(texts: readonly string[]): string {
  return [...texts.slice(0, 3), ...(texts.length > 3 ? [`${texts.length - 3} more`] : [])].join(
    '; ',
  );
}

async function htmlSubject(
  output: Artifacts,
  { language, files }: HtmlOptions,
): Promise<HtmlSubject & Pick<Awaited<ReturnType<typeof pagesOf>>, 'unreadable'>> {
  const { pages, unreadable } = await pagesOf(output);
  const artifacts = artifactsOf(output);
  return {
    pages,
    everyPage: pages,
    unreadable,
    others: artifacts.filter((artifact) => !isHtml(artifact)),
    artifacts,
    files,
    language,
  };
}

/** Returns some findings as one line. */
function summary(findings: readonly Found[]): string {
  return few(
    findings.map(
      ({ file, line, description }) =>
        `${file}${line === undefined ? '' : `:${line}`} ${description}`,
    ),
  );
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

/**
 * Returns the project's configurations from the items of the task. Fixers receive only the task.
 */
function configItems(task: unknown): Readonly<Record<string, unknown>>[] {
  const context = isRecord(task) ? task['context'] : undefined;
  const items = isRecord(context) ? context['items'] : undefined;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) =>
    isRecord(item) &&
    /^project[_-]?config$/i.test(String(item['type'])) &&
    isRecord(item['content'])
      ? [item['content']]
      : [],
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The judgement of one element: its findings, or the reason why it is unchecked. `undefined` if the
 * rule does not apply.
 */
export type Answer = undefined | readonly (string | Found)[] | { readonly unchecked: string };

export function judgeEach(
  pages: readonly Page[],
  answerIn: (model: PageModel) => (element: Element) => Answer,
): HtmlJudgement {
  const findings: Found[] = [];
  const unchecked: string[] = [];
  let judged = 0;
  for (const page of pages) {
    const answer = answerIn(modelOf(page));
    for (const element of page.elements) {
      const said = answer(element);
      if (said === undefined) continue;
      if ('unchecked' in said) unchecked.push(uncheckedAt(page, element, said.unchecked));
      else {
        judged += 1;
        findings.push(
          ...said.map((problem) =>
            typeof problem === 'string'
              ? foundAt(page, element, { description: problem })
              : problem,
          ),
        );
      }
    }
  }
  return { judged, findings, unchecked };
}
