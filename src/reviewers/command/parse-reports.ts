import * as z from 'zod';
import type { Finding } from '../../core/criterion.js';
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
  return jsonOf(text, Sarif)?.runs.flatMap(({ tool, results = [] }) => {
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
  return jsonOf(text, EsLint)?.flatMap(({ filePath, messages }) =>
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

/** A report may begin at one of the first lines with a bracket, and end at one of the last. */
const mostStarts = 20;
const mostEnds = 5;

/** Returns the first JSON of a shape in a text that may have other lines around it. */
function jsonOf<Report>(text: string, shape: z.ZodType<Report>): Report | undefined {
  const starts = Array.from(text.matchAll(/(?<=^\s*)[[{]/gm), ({ index }) => index).slice(
    0,
    mostStarts,
  );
  const ends = Array.from(text.matchAll(/[\]}][^\S\n]*$/gm), ({ index }) => index + 1).slice(
    -mostEnds,
  );
  for (const start of starts) {
    for (const end of ends.toReversed().filter((after) => after > start)) {
      try {
        const report = shape.safeParse(JSON.parse(text.slice(start, end)));
        if (report.success) return report.data;
      } catch {}
    }
  }
  return undefined;
}
