import * as z from 'zod';
import type { Finding } from '../../core/criterion.js';
import { scanJson } from '../../model/answer/scan-json.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';

/** A finding of a tool: an error fails, a warning is a remark. */
export interface ToolFinding extends Finding {
  readonly level: 'error' | 'warning';
}

const Place = z.looseObject({
  physicalLocation: z
    .looseObject({
      artifactLocation: z.looseObject({ uri: z.string().optional() }).optional(),
      region: z
        .looseObject({
          startLine: z.int().min(1).optional(),
          endLine: z.int().min(1).optional(),
          snippet: z.looseObject({ text: z.string().optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});
const Level = z.enum(['none', 'note', 'warning', 'error']);
const Sarif = z.looseObject({
  runs: z.array(
    z.looseObject({
      tool: z
        .looseObject({
          driver: z.looseObject({
            rules: z
              .array(
                z.looseObject({
                  id: z.string(),
                  defaultConfiguration: z.looseObject({ level: Level.optional() }).optional(),
                }),
              )
              .optional(),
          }),
        })
        .optional(),
      results: z
        .array(
          z.looseObject({
            ruleId: z.string().optional(),
            level: Level.optional(),
            kind: z.string().optional(),
            suppressions: z.array(z.unknown()).optional(),
            message: z.looseObject({
              text: z.string().optional(),
              markdown: z.string().optional(),
            }),
            locations: z.array(Place).optional(),
          }),
        )
        .optional(),
    }),
  ),
});

/** Returns the findings of a SARIF report; undefined for any other text. */
export function parseSarif(text: string): ToolFinding[] | undefined {
  const runs = jsonOf(text, Sarif)?.flatMap((report) => report.runs);
  return runs?.flatMap(({ tool, results = [] }) => {
    const levels = new Map(
      tool?.driver.rules?.map(({ id, defaultConfiguration }) => [id, defaultConfiguration?.level]),
    );
    return results
      .filter(
        ({ kind = 'fail', suppressions = [] }) => kind === 'fail' && suppressions.length === 0,
      )
      .flatMap(({ ruleId, level, message, locations }): ToolFinding[] => {
        const said = level ?? levels.get(ruleId ?? '') ?? 'warning';
        const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
        const snippet = region?.snippet?.text?.trim();
        const found = finding({
          said,
          text: message.text ?? message.markdown,
          rule: ruleId,
          file: artifactLocation?.uri?.replace(/^file:\/\/(?=\/)/, ''),
          line: region?.startLine,
          endLine: region?.endLine,
        });
        return said === 'none'
          ? []
          : [
              {
                ...found,
                ...(snippet !== undefined &&
                  snippet !== '' && { evidence: cutAroundSecrets(snippet, 300) }),
              },
            ];
      });
  });
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
  }),
);

/** Returns the findings of ESLint's JSON; undefined for any other text. */
export function parseEsLint(text: string): ToolFinding[] | undefined {
  const files = jsonOf(text, EsLint)?.flat();
  return files?.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, severity, message, line, endLine, fatal = false }) =>
      finding({
        said: severity >= 2 || fatal ? 'error' : 'warning',
        text: message,
        rule: ruleId ?? undefined,
        file: filePath,
        line: line ?? undefined,
        endLine: endLine ?? undefined,
      }),
    ),
  );
}

const located =
  /^([^\s:()"']{1,300}):(\d{1,7})(?::(\d{1,7}))?(?:-\d+)?:?\s+(?:(fatal error|error|warning|note|info|hint)\b[:\s]*)?(?=\S)([^\n]{1,2000})$/gim;
const bracketed =
  /^([^\s:()"']{1,300})\((\d{1,7})(?:,\d{1,7})?\):\s*(?:(error|warning|info|message)\b\s*)?([^\n]{1,2000})$/gim;

/**
 * Returns the findings in lines such as `file:line:column: message` and
 * `file(line,column): message`.
 */
export function parseLines(text: string): ToolFinding[] {
  const colons = Array.from(
    text.matchAll(located),
    ([, file = '', line, , level = 'error', said = '']) => ({ file, line, level, said }),
  );
  const brackets = Array.from(
    text.matchAll(bracketed),
    ([, file = '', line, level = 'error', said = '']) => ({ file, line, level, said }),
  );
  return [...colons, ...brackets]
    .filter(
      ({ file, level }) =>
        /[./\\]/.test(file) &&
        !/^(?:at|in|https?)\b|^\d+(?:\.\d+)*$/i.test(file) &&
        !/^(?:note|message)$/i.test(level),
    )
    .map(({ file, line, level, said }) =>
      finding({
        said: /error/i.test(level) ? 'error' : 'warning',
        text: said.trim(),
        file: file.trim(),
        line: Number(line),
      }),
    );
}

/** A message of a tool about a place. */
export interface ToolMessage {
  readonly said: string;
  readonly text: string | undefined;
  readonly rule?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
}

/** Returns the finding of a message. */
export function finding({ said, text, rule, file, line, endLine }: ToolMessage): ToolFinding {
  const description = [text?.trim() || 'no message', ...(rule === undefined ? [] : [`(${rule})`])]
    .join(' ')
    .slice(0, 2000);
  const isLine = line !== undefined && Number.isInteger(line) && line >= 1;
  const isEnd = isLine && endLine !== undefined && Number.isInteger(endLine) && endLine >= line;
  return {
    level: said === 'error' ? 'error' : 'warning',
    description,
    ...(file !== undefined && file !== '' && { file }),
    ...(isLine && { line }),
    ...(isEnd && { endLine }),
  };
}

/** The most texts in an output that may be a report. With more, it is not read. */
const mostStarts = 50;

/**
 * Returns every JSON of a shape in a text that may have other lines around it. A report that stands
 * before another one does not take its place.
 */
function jsonOf<Report>(text: string, shape: z.ZodType<Report>): Report[] | undefined {
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
