import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, it } from 'vitest';

const folder = resolve(
  import.meta.dirname,
  '../..',
  process.env['REVIEWLOOP_SCHEMAS'] ?? '../shared/reference/schemas',
);

/** Validators of report formats: each returns what is wrong with a report, or nothing. */
export interface ReportSchemas {
  readonly sarif: (report: string) => string[];
  readonly rdjson: (report: string) => string[];
  /** One line of rdjsonl. */
  readonly rdjsonLine: (line: string) => string[];
  readonly junit: (report: string) => string[];
}

/** A suite over the published schemas: skipped, visibly, without them. */
export function describeSchemas(name: string, suite: (schemas: ReportSchemas) => void): void {
  if (existsSync(folder)) describe(name, () => suite(reportSchemas()));
  else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('schemas'))
    it(`${name}: the schemas are required`, () => {
      throw new Error(`no schemas in ${folder}; set REVIEWLOOP_SCHEMAS`);
    });
  else it.skip(`${name} (skipped: no schemas, set REVIEWLOOP_SCHEMAS)`, () => undefined);
}

function reportSchemas(): ReportSchemas {
  return {
    sarif: jsonValidator('sarif/sarif-schema-2.1.0.json'),
    rdjson: jsonValidator('reviewdog/DiagnosticResult.json'),
    rdjsonLine: jsonValidator('reviewdog/Diagnostic.json'),
    junit: xmlValidator('junit/JUnit.xsd'),
  };
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

function jsonValidator(path: string): (report: string) => string[] {
  // the default export of a CommonJS module is its namespace
  const ajv = new draft04.default({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(read(path)));
  return (report) => {
    validate(JSON.parse(report));
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
    );
  };
}

function xmlValidator(path: string): (report: string) => string[] {
  const validator = XsdValidator.fromDoc(XmlDocument.fromString(read(path)));
  return (report) => {
    try {
      const document = XmlDocument.fromString(report);
      try {
        validator.validate(document);
        return [];
      } finally {
        document.dispose();
      }
    } catch (error) {
      return [String(error)];
    }
  };
}

const gitlabSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./)' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
};

/**
 * Returns what is wrong with a code quality report of GitLab, which publishes no schema: the table of its documentation,
 * unique fingerprints, and no byte order mark.
 */
export function gitlabProblems(report: string): string[] {
  const validate = new Ajv({ allErrors: true }).compile(gitlabSchema);
  const issues: unknown = JSON.parse(report);
  validate(issues);
  const prints = Array.isArray(issues) ? issues.map(({ fingerprint }) => String(fingerprint)) : [];
  return [
    ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
    ...(new Set(prints).size === prints.length ? [] : ['two fingerprints are equal']),
    ...(report.startsWith('\ufeff') ? ['it begins with a byte order mark'] : []),
  ];
}
