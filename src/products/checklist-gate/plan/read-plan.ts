import * as z from 'zod';
import { type MarkdownLine, readMarkdown } from '../../../blocks/criteria/text/markdown.js';
import { artifactsOf } from '../../../core/artifact.js';
import { builtOnUse } from '../../../core/built-on-use.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { pathsOfDiff } from './diff-changes.js';

/** `## M1: Title`, `### Milestone 2 - Title`. */
const milestoneHeading =
  /^(?:milestone[ \t]+(m?\d[\w.]{0,20})|(m\d[\w.]{0,20}))\b[ \t]*[:.)–—-]*[ \t]*(.*)$/i;

/**
 * A numbered section, `## 1. Title`. It is a milestone if it has boxes and the plan names no
 * milestones.
 */
const numberedHeading = /^(\d{1,3})[.):]?[ \t]+(\S.*)$/;

const box = /^(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]/;

const labels: readonly (readonly [RegExp, Part])[] = [
  [/^(?:acceptance|success|done when|exit criteria)/i, 'acceptanceCriteria'],
  [/^(?:code[ -]?intents?|intents?|changes|implementation|code)\b/i, 'codeIntents'],
  [/^files?\b/i, 'files'],
  [/^(?:docs?|documentation)\b/i, 'docs'],
];

type Part = 'acceptanceCriteria' | 'codeIntents' | 'files' | 'docs';

/**
 * Reads a plan in Markdown. Each milestone is a heading. It contains lists under the labels
 * "Acceptance criteria", "Code intent", "Files" and "Docs" (headings or lines), and diffs in
 * fences. A plan without such headings is a task list. Its numbered sections with boxes (`- [ ]`)
 * are the milestones, and the boxes are their code intents.
 *
 * @example
 * ```ts
 * const plan = readPlan('# Plan\n## M1: Parser\nAcceptance criteria:\n- reads every fixture\n');
 * plan.milestones[0]?.acceptanceCriteria; // ['reads every fixture']
 * ```
 */
export function readPlan(markdown: string): PlanDocument {
  const reader = new PlanReader();
  for (const [index, line] of readMarkdown(markdown).lines.entries()) reader.take(line, index + 1);
  return reader.plan();
}

interface OpenMilestone extends Milestone {
  readonly level: number;
  /** Whether the milestone counts only in a plan without named milestones. */
  readonly numbered: boolean;
}

class PlanReader {
  #title = '';
  readonly #milestones: OpenMilestone[] = [];
  #open: OpenMilestone | undefined;
  #part: Part | undefined;
  #fence:
    | {
        readonly indent: string;
        readonly marks: string;
        readonly line: number;
        readonly isDiff: boolean;
        readonly lines: string[];
      }
    | undefined;
  #before: MarkdownLine | undefined;

  take(line: MarkdownLine, number: number): void {
    if (line.kind === 'code') this.#code(line.text, number);
    else {
      this.#endFence();
      if (line.kind === 'heading') this.#heading(line, number);
      else if (this.#open !== undefined) this.#text(line, this.#open);
    }
    if (this.#open !== undefined && line.kind !== 'blank') this.#open.endLine = number;
    this.#before = line;
  }

  plan(): PlanDocument {
    this.#endFence();
    const named = this.#milestones.filter(({ numbered }) => !numbered);
    const found =
      named.length > 0
        ? named
        : this.#milestones.filter(({ codeIntents }) => codeIntents.length > 0);
    const milestones = found.map(
      ({ level: _level, numbered: _numbered, ...milestone }): Milestone => {
        const files = [
          ...milestone.files.map(pathIn),
          ...milestone.diffs.flatMap(({ text }) => pathsOfDiff(text)),
        ].filter((path) => path !== '');
        return { ...milestone, files: [...new Set(files)], docs: milestone.docs };
      },
    );
    return { title: this.#title, milestones };
  }

  #heading({ text }: MarkdownLine, number: number): void {
    const { level, title } = headingOf(text, this.#before?.text ?? '');
    const named =
      milestoneNamed(title) ?? (this.#takesSections(level) ? sectionIn(title) : undefined);
    if (named !== undefined) this.#begin({ ...named, line: number, level });
    else if (this.#open !== undefined && level > this.#open.level) this.#part = partOf(title);
    else {
      this.#open = undefined;
      if (this.#title === '' && this.#milestones.length === 0) this.#title = title;
    }
  }

  /** A section inside a named milestone, or below another section, is part of it. */
  #takesSections(level: number): boolean {
    return this.#open === undefined || (this.#open.numbered && level <= this.#open.level);
  }

  #begin(
    milestone: Pick<OpenMilestone, 'id' | 'title' | 'level' | 'numbered'> & {
      readonly line: number;
    },
  ): void {
    this.#part = undefined;
    this.#open = {
      ...milestone,
      acceptanceCriteria: [],
      codeIntents: [],
      files: [],
      docs: [],
      diffs: [],
      endLine: milestone.line,
    };
    this.#milestones.push(this.#open);
  }

  #text({ text, kind }: MarkdownLine, milestone: OpenMilestone): void {
    const trimmed = text.trim();
    const { part, rest } = labelIn(trimmed);
    if (milestone.numbered && this.#part === undefined && box.test(trimmed))
      this.#part = 'codeIntents';
    if (part !== undefined) {
      this.#part = part;
      if (rest !== '')
        milestone[part].push(
          ...(part === 'files' ? rest.split(',') : [rest]).map((one) => one.trim()),
        );
    } else if (this.#part !== undefined && trimmed !== '')
      addTo(milestone[this.#part], trimmed, kind === 'list');
  }

  #code(text: string, number: number): void {
    const [, indent = '', marks = '', info = ''] = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    if (this.#fence === undefined)
      this.#fence = {
        indent,
        marks,
        line: number + 1,
        isDiff: /^\s*(?:diff|patch)\b/.test(info),
        lines: [],
      };
    else if (closes(text, this.#fence.marks)) this.#endFence();
    else
      this.#fence.lines.push(
        text.startsWith(this.#fence.indent) ? text.slice(this.#fence.indent.length) : text,
      );
  }

  #endFence(): void {
    const fence = this.#fence;
    this.#fence = undefined;
    if (fence?.isDiff && this.#open !== undefined)
      this.#open.diffs.push({ text: `${fence.lines.join('\n')}\n`, line: fence.line });
  }
}

function milestoneNamed(
  heading: string,
): Pick<OpenMilestone, 'id' | 'title' | 'numbered'> | undefined {
  const [, numbered, named, title = ''] = milestoneHeading.exec(heading) ?? [];
  const id = named ?? (numbered !== undefined && /^\d/.test(numbered) ? `M${numbered}` : numbered);
  return id === undefined
    ? undefined
    : { id: id.toUpperCase().replace(/\.$/, ''), title, numbered: false };
}

function sectionIn(heading: string): Pick<OpenMilestone, 'id' | 'title' | 'numbered'> | undefined {
  const [, section, title = ''] = numberedHeading.exec(heading) ?? [];
  return section === undefined ? undefined : { id: `M${Number(section)}`, title, numbered: true };
}

/** A diff can contain shorter fences. */
function closes(line: string, marks: string): boolean {
  const [, found = ''] = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return found.startsWith(marks);
}

function headingOf(
  text: string,
  above: string,
): { readonly level: number; readonly title: string } {
  const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(text)?.[1];
  if (underline !== undefined)
    return { level: underline.startsWith('=') ? 1 : 2, title: above.trim() };
  const [whole = '', marks = ''] = /^ {0,3}(#{1,6})/.exec(text) ?? [];
  const title = text
    .slice(whole.length)
    .replace(/[ \t]#+[ \t]*$/, '')
    .trim();
  return { level: marks.length, title };
}

function labelIn(line: string): { readonly part: Part | undefined; readonly rest: string } {
  const [, label, rest = ''] =
    /^(?:[-*+][ \t]+)?[*_]{0,2}([A-Za-z][A-Za-z -]{1,40}?)[*_]{0,2}:[*_]{0,2}[ \t]*(.*)$/.exec(
      line,
    ) ??
    /^[*_]{2}([A-Za-z][A-Za-z -]{1,40})[*_]{2}()$/.exec(line) ??
    [];
  return { part: label === undefined ? undefined : partOf(label), rest: rest.trim() };
}

function addTo(list: string[], line: string, inList: boolean): void {
  const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$/.exec(line)?.[1];
  if (item !== undefined) list.push(item);
  else if (inList && list.length > 0) list.push(`${list.pop()} ${line}`);
}

function partOf(label: string): Part | undefined {
  return labels.find(([pattern]) => pattern.test(label.trim()))?.[1];
}

/** The first text in backticks, else the first word. */
function pathIn(item: string): string {
  return /`([^`]+)`/.exec(item)?.[1]?.trim() ?? item.trim().split(/[\s,(]/)[0] ?? '';
}

export interface FoundPlan {
  readonly path: string;
  readonly source: string;
  readonly plan: PlanDocument;
}

/**
 * One of type `plan`, a file named `plan.md` or `plan.json`, or else the first Markdown file with
 * milestones.
 */
export function findPlan(output: Pick<AgentOutput, 'artifacts'>): FoundPlan | undefined {
  const artifacts = artifactsOf(output).flatMap(({ path, type, content }) =>
    content === undefined ? [] : [{ path, type, content }],
  );
  const named = artifacts.filter(
    ({ path, type }) => type === 'plan' || /(?:^|[/._-])plan\.(?:md|markdown|json)$/i.test(path),
  );
  for (const { path, content } of named) {
    const plan = planIn(path, content);
    if (plan !== undefined) return { path, source: content, plan };
  }
  for (const { path, content } of artifacts) {
    if (!/\.(?:md|markdown)$/i.test(path)) continue;
    const plan = readPlan(content);
    if (plan.milestones.length > 0) return { path, source: content, plan };
  }
  return undefined;
}

function planIn(path: string, content: string): PlanDocument | undefined {
  if (!/\.json$/i.test(path)) return readPlan(content);
  try {
    return PlanDocumentSchema.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}

const texts = builtOnUse(() => z.array(z.string()).default([]));

const MilestoneSchema = builtOnUse(() =>
  z.object({
    /** The id, such as `M1`. */
    id: z.string().min(1),
    title: z.string().default(''),
    acceptanceCriteria: texts,
    /** The code changes, in words. */
    codeIntents: texts,
    /** The files that the milestone creates or changes. */
    files: texts,
    /** The documents that the milestone writes or changes. */
    docs: texts,
    /** The changes as unified diffs, each with its first line in the plan. */
    diffs: z.array(z.object({ text: z.string(), line: z.int().min(1).optional() })).default([]),
    /** The lines of the milestone in the plan file, from 1. */
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
  }),
);

export interface Milestone extends z.infer<typeof MilestoneSchema> {}

/** A plan of milestones. */
export const PlanDocumentSchema = builtOnUse(() =>
  z.object({ title: z.string().default(''), milestones: z.array(MilestoneSchema).default([]) }),
);

/** A plan of milestones. */
export interface PlanDocument extends z.infer<typeof PlanDocumentSchema> {}
