/**
 * The zod schemas of the data types: gaps, assessments, artifacts, records.
 *
 * @module
 */

export { GapPatternSchema, LessonInputSchema } from './blocks/lessons/lesson.js';
export { RequirementSchema } from './blocks/requirements/requirement.js';
export { ArtifactSchema } from './core/artifact.js';
export { AssessmentSchema } from './core/assessment-schema.js';
export { RequirementCoverageSchema } from './core/coverage.js';
export { CriterionResultSchema, FindingSchema } from './core/criterion.js';
export { GapSchema, GapSeveritySchema } from './core/gap.js';
export { HumanAnswerSchema, HumanRequestSchema } from './core/human.js';
export { UsageSchema } from './core/usage.js';
export { AuditEntrySchema, AuditRecordSchema } from './ports/audit-chain.js';
export { JournalRecordSchema } from './ports/store.js';
export { StoredVerdictSchema } from './ports/verdict-store.js';
export { AgentOutputSchema } from './products/self-review/agent.js';
export { SelfReviewConfigSchema } from './products/self-review/config.js';
export { SelfReviewResultSchema } from './products/self-review/self-review-result.js';
