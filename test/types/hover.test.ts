import ts from 'typescript';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

const sample = `
import type { Assessment } from './src/core/assessment.js';
import type { AuditEntry } from './src/ports/audit-chain.js';
import type { CriterionResult } from './src/core/criterion.js';
import type { Decision } from './src/core/decision.js';
import type { HumanAnswer, HumanRequest } from './src/core/human.js';
import type { JournalRecord } from './src/ports/store.js';
import type { Outcome } from './src/core/outcome.js';
import type { Review } from './src/core/review.js';
import type { StoredVerdict } from './src/ports/verdict-store.js';
declare const outcome: Outcome<string>;
export const assessments = outcome.reviews.flatMap((review) => review.assessments);
export const gaps = outcome.reviews.flatMap((review) => review.gaps);
export const spent = outcome.usage.review;
export const place = gaps[0]?.location;
declare const assessment: Assessment;
export const passed = assessment.verdict === 'pass' ? assessment : undefined;
export const judged = assessment.verdict === 'pass' || assessment.verdict === 'fail' ? assessment : undefined;
export const coverage = judged?.coverage;
export const evidence = coverage?.evidence;
export const votes = judged?.votes;
export const errored = assessment.verdict === 'errored' ? assessment : undefined;
declare const result: CriterionResult;
export const findings = result.findings;
declare const request: HumanRequest;
export const asked = request;
export const requestGaps = request.gaps;
declare const answer: HumanAnswer;
export const override = answer.kind === 'override' ? answer : undefined;
declare const stored: StoredVerdict;
export const about = stored.about;
declare const entry: AuditEntry;
export const audited = entry;
declare const decision: Decision;
export const revision = decision.kind === 'revise' ? decision : undefined;
declare const record: JournalRecord;
export const step = record.type === 'step' ? record : undefined;
declare const review: Review;
export const decided = review.decision;
`;

/** What an editor shows for the type of each exported constant of the sample. */
function hovers(): Record<string, string> {
  const file = `${root}hover-sample.ts`;
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, sample, rest[0]) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const symbol = source && checker.getSymbolAtLocation(source);
  if (source === undefined || symbol === undefined) throw new Error('the sample was not compiled');
  const problems = program.getSemanticDiagnostics(source).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);
  return Object.fromEntries(
    checker
      .getExportsOfModule(symbol)
      .map((name) => [name.name, checker.typeToString(checker.getTypeOfSymbol(name))]),
  );
}

it('hovering in an editor shows names, not the members of a schema', () => {
  expect(hovers()).toEqual({
    about: 'VerdictInputs',
    asked: 'HumanRequest',
    assessments: 'Assessment[]',
    audited: 'AuditEntry',
    coverage: 'RequirementCoverage | undefined',
    decided: 'Decision',
    errored: 'ErroredAssessment | undefined',
    evidence: 'CoverageEvidence[] | undefined',
    findings: 'Finding[] | undefined',
    gaps: 'Gap[]',
    judged: 'PassedAssessment | FailedAssessment | undefined',
    override: 'OverrideAnswer | undefined',
    passed: 'PassedAssessment | undefined',
    place: 'Location | undefined',
    requestGaps: 'readonly Gap[]',
    revision: 'ReviseDecision | undefined',
    spent: 'Usage',
    step: 'StepRecord | undefined',
    votes: 'Votes | undefined',
  });
});
