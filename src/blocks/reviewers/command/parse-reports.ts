import * as z from 'zod';
import type { Finding } from '../../../core/criterion.js';
import { scanJson } from '../../models/answer/repair-json.js';

/** A finding of a tool: an error fails, a warning is a remark, what is undecided passes nothing. */
export interface ToolFinding extends Finding {
  readonly level: 'error' | 'warning' | 'undecided';
}

const EsLint = z.array(
  z.looseObject({
    filePath: z.string(),
    messages: z.array(
      z.looseObject({
        ruleId: z.string().nullish(),
        severity: z.number(),
        message: z.string(),
        line: z.number().nullish(),
        endLine: z.number().nullish(),
        fatal: z.boolean().optional(),
      }),
    ),
    errorCount: z.number().optional(),
  }),
);

/** Undefined for any other text, and for no files. */
export function parseEsLint(text: string): ToolFinding[] | undefined {
  const files = jsonOf(text, EsLint)?.flat() ?? [];
  if (files.length === 0) return undefined;
  return files.flatMap(({ filePath, messages, errorCount = 0 }) => {
    const found = messages.map(({ ruleId, severity, message, line, endLine, fatal = false }) =>
      finding({
        said: severity >= 2 || fatal ? 'error' : 'warning',
        text: message,
        rule: ruleId ?? undefined,
        file: filePath,
        line: line ?? undefined,
        endLine: endLine ?? undefined,
      }),
    );
    const listed = found.filter(({ level }) => level === 'error').length;
    return errorCount > listed
      ? [...found, finding({ said: 'error', text: counted(errorCount, listed), file: filePath })]
      : found;
  });
}

export function counted(reported: number, listed: number): string {
  return `${reported} failures are reported, ${listed} are listed`;
}

/** A place in a line: `(12,3)`, `:12`, `:12:3`. */
const place =
  /\((\d{1,7})(?:[,:-]\d{1,7}){0,3}\)(?: ?:|(?=\s))|:(\d{1,7})(?:[:.-]\d{1,7}){0,3}(?::(?=[A-Za-z])|:?(?=\s))/g;
/** What a tool says of a place: a word for the level, or the code of a rule. */
const levelled = /[\s:-]{0,20}(?:(fatal error|error|warning|note|info|hint|message)\b[:\s]*)/iy;
const coded = /[\s:-]{0,20}(?=[A-Z]{1,6}-?\d{2,6}\b)/y;
/** A path without blanks from the start of a line, and a place. */
const plain =
  /^((?:[A-Za-z]:(?=[\\/]))?[^\s:()"']+)(?::(\d{1,7})(?::\d{1,7})?(?:-\d+)?:?\s+|\((\d{1,7})(?:,\d{1,7})?\):\s*)(?=\S)/;

/**
 * Lines such as `file:line:column: message` and `file(line,column): message`. A path with blanks or
 * brackets is known by the level or the code behind its place.
 */
export function parseLines(text: string): ToolFinding[] {
  return text.split(/\r\n?|\n/).flatMap((line) => placed(line) ?? []);
}

function placed(line: string): ToolFinding | undefined {
  for (const found of line.matchAll(place)) {
    const end = found.index + found[0].length;
    const level = matchAt(levelled, line, end);
    const said = level ?? (found[0].endsWith(':') ? matchAt(coded, line, end) : undefined);
    if (said === undefined) continue;
    const file = line.slice(0, found.index).replace(/^\s*(?:\d+>)?/, '');
    // other programs write their names before the line
    const path = file.slice(file.lastIndexOf(': ') + 1).trim();
    return at(path, found[1] ?? found[2], [level?.[1], line.slice(end + said[0].length)]);
  }
  const [whole = '', path = '', colon, bracket] = plain.exec(line) ?? [];
  return at(path, colon ?? bracket, [undefined, line.slice(whole.length)]);
}

function matchAt(pattern: RegExp, line: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(line) ?? undefined;
}

function at(
  file: string,
  line: string | undefined,
  [level = 'error', text]: readonly [string | undefined, string],
): ToolFinding | undefined {
  const isPath =
    /[./\\]/.test(file) && !/^(?:at|in|https?)\b|^[\d.\s/,-]+$|(?:^|\s)\d{1,2}$/i.test(file);
  if (!isPath || text.trim() === '' || /^(?:note|message)$/i.test(level)) return undefined;
  const said = /error/i.test(level) ? 'error' : 'warning';
  return finding({ said, text: text.trim(), file, line: Number(line) });
}

export interface ToolMessage {
  readonly said: string;
  readonly text: string | undefined;
  readonly rule?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
}

export function finding({ said, text, rule, file, line, endLine }: ToolMessage): ToolFinding {
  const description = [text?.trim() || 'no message', ...(rule === undefined ? [] : [`(${rule})`])]
    .join(' ')
    .slice(0, 2000);
  const isLine = line !== undefined && Number.isInteger(line) && line >= 1;
  const isEnd = isLine && endLine !== undefined && Number.isInteger(endLine) && endLine >= line;
  return {
    level: said === 'error' || said === 'undecided' ? said : 'warning',
    description,
    ...(file !== undefined && file !== '' && { file }),
    ...(isLine && { line }),
    ...(isEnd && { endLine }),
  };
}

export function failure(text: string): ToolFinding {
  return finding({ said: 'error', text });
}

export function undecided(text: string): ToolFinding {
  return finding({ said: 'undecided', text });
}

/** A text with more starts is not read. */
const mostStarts = 50;

/**
 * Returns every JSON of a shape in a text that may have other lines around it. A report that stands
 * before another one does not take its place.
 */
export function jsonOf<Report>(text: string, shape: z.ZodType<Report>): Report[] | undefined {
  const starts = text.matchAll(
    /^[^\S\n\r\u2028\u2029]*[[{](?=\s*(?:["[{\]}\d-]|$|true|false|null))/gm,
  );
  const reports: Report[] = [];
  let tried = 0;
  let after = 0;
  for (const { 0: start, index: from } of starts) {
    const index = from + start.length - 1;
    if (index < after) continue;
    tried += 1;
    if (tried > mostStarts) return undefined;
    const end = scanJson(text.slice(index)).end;
    const found = end < 0 ? undefined : parsedAs(text.slice(index, index + end), shape);
    if (found === undefined) continue;
    after = index + end;
    if (found.report !== undefined) reports.push(found.report);
  }
  return reports.length > 0 ? reports : undefined;
}

/** Returns a report, or nothing in place of other JSON; `undefined` if the text is no JSON. */
function parsedAs<Report>(
  text: string,
  shape: z.ZodType<Report>,
): { readonly report: Report | undefined } | undefined {
  try {
    const { data } = shape.safeParse(JSON.parse(text));
    return { report: data };
  } catch {
    return undefined;
  }
}
