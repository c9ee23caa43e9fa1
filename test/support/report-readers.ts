import { XmlDocument, XmlElement } from 'libxml2-wasm';
import * as z from 'zod';

const Sarif = z.object({
  runs: z
    .array(
      z.looseObject({
        tool: z.object({
          driver: z.looseObject({ rules: z.array(z.looseObject({ id: z.string() })) }),
        }),
        automationDetails: z.object({ id: z.string() }),
        invocations: z.tuple([
          z.looseObject({
            executionSuccessful: z.boolean(),
            toolExecutionNotifications: z.array(
              z.looseObject({
                level: z.string(),
                descriptor: z.object({ id: z.string() }),
                message: z.object({ text: z.string() }),
              }),
            ),
          }),
        ]),
        results: z.array(
          z.looseObject({
            ruleId: z.string(),
            ruleIndex: z.number(),
            level: z.string(),
            message: z.object({ text: z.string() }),
            locations: z.array(
              z.object({
                physicalLocation: z.object({
                  artifactLocation: z.looseObject({ uri: z.string() }),
                  region: z.object({
                    startLine: z.number(),
                    startColumn: z.number(),
                    endLine: z.number(),
                    endColumn: z.number(),
                  }),
                }),
              }),
            ),
            partialFingerprints: z.record(z.string(), z.string()),
            suppressions: z.array(z.looseObject({ justification: z.string() })),
            properties: z.looseObject({ state: z.string() }),
          }),
        ),
      }),
    )
    .length(1),
});

/** Returns the only run of a SARIF report. */
export function sarifRun(text: string) {
  const [run] = Sarif.parse(JSON.parse(text)).runs;
  if (run === undefined) throw new Error('the report has no run');
  return run;
}

export function sarifPrints(text: string): string[] {
  return sarifRun(text).results.map(
    ({ partialFingerprints }) => partialFingerprints['reviewloop/gapId/v1'] ?? '',
  );
}

export function gitlabPrints(text: string): string[] {
  return z
    .array(z.looseObject({ fingerprint: z.string() }))
    .parse(JSON.parse(text))
    .map(({ fingerprint }) => fingerprint);
}

const Diagnostic = z.looseObject({ original_output: z.string() });

export function rdjsonPrints(text: string): string[] {
  const { diagnostics } = z.object({ diagnostics: z.array(Diagnostic) }).parse(JSON.parse(text));
  return diagnostics.map(({ original_output: print }) => print);
}

export function rdjsonlPrints(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Diagnostic.parse(JSON.parse(line)).original_output);
}

/** A test case of a JUnit report. */
export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  /** `failure`, `error`, `skipped`, or `pass`. */
  readonly kind: string;
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

export function junitCases(report: string): JunitCase[] {
  const document = XmlDocument.fromString(report);
  try {
    return document.find('//testcase').flatMap((node) => {
      if (!(node instanceof XmlElement)) return [];
      const [result] = node.find('*');
      const at = (element: XmlElement, name: string): string => element.attr(name)?.value ?? '';
      const about = { name: at(node, 'name'), classname: at(node, 'classname') };
      return result instanceof XmlElement
        ? [
            {
              ...about,
              kind: result.name,
              type: at(result, 'type'),
              message: at(result, 'message'),
              text: result.content,
            },
          ]
        : [{ ...about, kind: 'pass', type: '', message: '', text: '' }];
    });
  } finally {
    document.dispose();
  }
}

export function junitPrints(report: string): string[] {
  return junitCases(report).flatMap(({ text }) =>
    [...text.matchAll(/(?:^| )(?:critical|major|minor) \[(gap-[\w-]+)\]$/gm)].map(
      ([, id = '']) => id,
    ),
  );
}

export function markdownGaps(report: string): number {
  const [, section = ''] =
    /^### Gaps\n(.*?)(?=\n### |\n<\/details>|\n## |(?![\s\S]))/ms.exec(report) ?? [];
  const rows = section.split('\n').filter((line) => /^\| (?:critical|major|minor)/.test(line));
  const [, more = '0'] = /^(\d+) more gaps are not shown here\.$/m.exec(section) ?? [];
  return rows.length + Number(more);
}

/** Returns the workflow commands of annotations, by kind, and how many are counted only. */
export function annotations(text: string): { readonly kinds: string[]; readonly more: number } {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line !== '');
  const kinds = lines.map((line) => {
    const [, kind] = /^::(error|warning|notice) [^:]*::/.exec(line) ?? [];
    if (kind === undefined) throw new Error(`not an annotation: ${JSON.stringify(line)}`);
    return kind;
  });
  const more = lines.reduce((sum, line) => {
    const [, count] = /title=reviewloop%3A more::(\d+) more/.exec(line) ?? [];
    return count === undefined ? sum : sum + Number(count) - 1;
  }, 0);
  return { kinds, more };
}
