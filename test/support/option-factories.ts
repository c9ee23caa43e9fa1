import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import * as engines from '@/adapters/engines/index.js';
import * as aiSdkAgents from '@/adapters/frameworks/ai-sdk/index.js';
import * as langgraph from '@/adapters/frameworks/langgraph/index.js';
import * as mastra from '@/adapters/frameworks/mastra/index.js';
import * as openaiAgents from '@/adapters/frameworks/openai-agents/index.js';
import * as otel from '@/adapters/otel/index.js';
import * as anthropic from '@/adapters/providers/anthropic/index.js';
import * as providers from '@/adapters/providers/index.js';
import * as ollama from '@/adapters/providers/ollama/index.js';
import * as openai from '@/adapters/providers/openai/index.js';
import * as files from '@/adapters/stores/file/index.js';
import * as postgres from '@/adapters/stores/postgres/index.js';
import * as sqlite from '@/adapters/stores/sqlite/index.js';
import * as criteria from '@/blocks/criteria/index.js';
import * as page from '@/blocks/criteria/page/index.js';
import * as models from '@/blocks/models/index.js';
import * as requirements from '@/blocks/requirements/index.js';
import * as reviewers from '@/blocks/reviewers/index.js';
import * as inbox from '@/faces/inbox/index.js';
import * as reports from '@/faces/reports/index.js';
import * as core from '@/index.js';
import * as node from '@/node.js';
import * as ports from '@/ports/index.js';
import * as calibration from '@/products/calibration/index.js';
import * as checklists from '@/products/checklist-gate/index.js';
import * as gate from '@/products/quality-gate/index.js';
import * as stage from '@/products/reviewer-stage/index.js';
import * as selfReview from '@/products/self-review/index.js';
import * as tasks from '@/products/task-review/index.js';
import * as testing from '@/testing/index.js';

type Call = (options: never) => unknown;

const provider = testing.scriptedProvider([]);
const costly = { ...provider, capabilities: { ...provider.capabilities, reportsCost: true } };
const judge = core.criterion('j', () => true);
const pipeline = core.definePipeline({ produce: async () => 'x', reviewers: [judge] });
const folder = mkdtempSync(join(tmpdir(), 'reviewloop-options-'));
const asker = { provider, schema: z.string(), messages: [] };
const task = { id: 'TASK-1', name: 'x', description: 'x' } as never;
const emptyDiff = { files: [], text: '', base: 'a', head: 'b' };
const asked = { runId: 'r', id: 'q', digest: 'd' };
const approval = { kind: 'approve', by: 'Ann' } as const;
const noRestate = {
  serde: { json: {} },
  handlers: { object: { exclusive: () => ({}) } },
  object: () => ({}),
} as never;
const llm = { id: 'a', question: 'Is it good?' };
const finder = [{ file: 'a.md', text: 'tea' }] as never;
const scorer = { id: 's', threshold: 0.5, version: '1' };
const textPipeline = core.definePipeline<string, string>({ criteria: { any: () => true } });
const agentResult = { text: '', content: [], totalUsage: {}, response: { messages: [] } };
const schema = z.object({});
const mastraStep = {
  id: 's',
  inputSchema: schema,
  outputSchema: schema,
  task: () => 'x',
  output: () => ({}),
};
const agentsParts = { runner: { run: async () => ({}) }, agent: {}, fromString: async () => ({}) };
const dimension = new stage.SafetyDimension();

/**
 * Each export that takes options by name: options that it accepts, and its call.
 */
export const optionFactories: Readonly<Record<string, readonly [object, Call]>> = {
  addressWithModel: [{ provider }, (o) => core.addressWithModel(o)],
  gap: [{ severity: 'minor' }, (o) => core.gap('x', o)],
  keepBest: [{ protect: ['a'] }, (o) => core.keepBest(o)],
  definePipeline: [{ produce: () => 'x', reviewers: [judge] }, (o) => core.definePipeline(o)],
  reviewOutput: [{ task: 't', output: 'x', reviewers: [judge] }, (o) => core.reviewOutput(o)],
  runAll: [{ concurrency: 1 }, (o) => core.runAll(pipeline, [], o).next()],
  doNoHarm: [{ attempts: 1 }, (o) => core.doNoHarm(core.thresholds(), o)],
  escalateOver: [{ critical: 1 }, (o) => core.escalateOver(o)],
  noProgress: [{ unfixed: 1 }, (o) => core.noProgress(core.thresholds(), o)],
  severityByIteration: [{}, (o) => core.severityByIteration(o)],
  thresholds: [{ quality: 1 }, (o) => core.thresholds(o)],
  limiter: [{ concurrency: 1 }, (o) => core.limiter(o)],
  memoryVerdicts: [{}, (o) => core.memoryVerdicts(o)],
  DimensionAssessor: [{ provider }, (o) => new stage.DimensionAssessor([dimension], o)],
  ChecklistDimension: [{ provider }, (o) => new stage.SafetyDimension(o)],
  CodeQualityDimension: [{ provider }, (o) => new stage.CodeQualityDimension(o)],
  CompletenessDimension: [{ provider }, (o) => new stage.CompletenessDimension(o)],
  ConsistencyDimension: [{ provider }, (o) => new stage.ConsistencyDimension(o)],
  IntentAlignmentDimension: [{ provider }, (o) => new stage.IntentAlignmentDimension(o)],
  SafetyDimension: [{ provider }, (o) => new stage.SafetyDimension(o)],
  dimension: [{ id: 'd', question: 'Is it good?' }, (o) => stage.dimension(o)],
  confirm: [{ id: 'c', question: 'Is it good?' }, (o) => core.confirm(o)],
  criterion: [{ severity: 'critical' }, (o) => core.criterion('a', () => true, o)],
  llmCriteria: [{ mode: 'single' }, (o) => core.llmCriteria([llm], o)],
  llmCriterion: [llm, (o) => core.llmCriterion(o)],
  pairwise: [{ id: 'p', question: 'Is it better?' }, (o) => core.pairwise(o)],
  panel: [{ id: 'p' }, (o) => core.panel([judge, core.criterion('k', () => true)], o)],
  requirementCoverage: [
    { extractRequirements: () => [], checkRequirementCovered: () => ({ covered: true }) },
    (o) => core.requirementCoverage(o),
  ],
  verified: [{ opinions: 2 }, (o) => core.verified(judge, o)],
  GapDetector: [{}, (o) => new core.GapDetector([judge] as never, o)],
  QualityScorer: [{ weights: { quality: 1, completeness: 0 } }, (o) => new core.QualityScorer(o)],
  'SelfReviewLoop.ports': [{ provider }, (o) => new core.SelfReviewLoop([judge] as never, {}, o)],
  SelfReviewLoop: [{ maxIterations: 1 }, (o) => new core.SelfReviewLoop([judge] as never, o, {})],
  selfReviewConfig: [{ maxIterations: 1 }, (o) => selfReview.selfReviewConfig(o)],
  selfReviewPolicy: [selfReview.selfReviewConfig(), (o) => selfReview.selfReviewPolicy(o)],
  ProjectManagerReviewCriteria: [{}, (o) => new selfReview.ProjectManagerReviewCriteria(o)],
  mergeImprovements: [
    {},
    (o) => selfReview.mergeImprovements({ artifacts: [] }, { artifacts: [] } as never, o),
  ],
  ChecklistGate: [
    { phase: 'plan-code', store: checklists.memoryChecklists() },
    (o) => new checklists.ChecklistGate(o),
  ],
  checklistModules: [{}, (o) => checklists.checklistModules('plan-code', o)],
  modelChecklist: [{ provider }, (o) => checklists.modelChecklist(o)],
  planCode: [{}, (o) => checklists.planCode(o)],
  decodeChecklist: [{ phase: 'plan-code', where: 'x' }, (o) => checklists.decodeChecklist('{}', o)],
  computeTimeout: [{ chars: 1 }, (o) => gate.computeTimeout(1, o)],
  GateSession: [
    { gate: new gate.QualityGate({ provider }), job: { name: 'j', steps: [{ id: 's' }] } },
    (o) => new gate.GateSession(o),
  ],
  QualityGate: [{ provider }, (o) => new gate.QualityGate(o)],
  defaultDimensions: [{ provider }, (o) => stage.defaultDimensions(o)],
  fromDimension: [{ threshold: 'good' }, (o) => stage.fromDimension(dimension, o)],
  ReviewerStage: [{ provider }, (o) => new stage.ReviewerStage(o)],
  workFromDiff: [
    { sessionId: 's', request: 'r' },
    (o) => stage.workFromDiff(emptyDiff as never, o),
  ],
  buildReviewPrompt: [{}, (o) => tasks.buildReviewPrompt(task, o, {} as never)],
  postDoneHook: [{}, (o) => tasks.postDoneHook(task, o)],
  reviewCode: [{}, (o) => tasks.reviewCode(task, o, {} as never)],
  runCodeReview: [{}, (o) => tasks.runCodeReview(task, o, {} as never)],
  TaskReview: [{ diff: { diff: async () => emptyDiff } }, (o) => new tasks.TaskReview(o)],
  memoryLessons: [{}, (o) => calibration.memoryLessons(o)],
  acceptDraft: [
    { by: 'me' },
    (o) => calibration.acceptDraft({ id: 'a', question: 'q' } as never, o),
  ],
  lessonsFrom: [{ task: 't' }, (o) => calibration.lessonsFrom({ reviews: [] } as never, o)],
  calibrate: [{}, (o) => calibration.calibrate(judge as never, [], o)],
  calibrateJudges: [
    { providers: [provider] },
    (o) => calibration.calibrateJudges({ ...judge, asks: { asking: () => judge } } as never, [], o),
  ],
  calibrationOfDecisions: [{}, (o) => calibration.calibrationOfDecisions([], o)],
  learnFromDecisions: [{}, (o) => calibration.learnFromDecisions([], o)],
  auditCertificate: [{}, (o) => calibration.auditCertificate(o)],
  certify: [{}, (o) => calibration.certify(o)],
  requireCertificate: [{}, (o) => calibration.requireCertificate(o)],
  askUnsure: [{ share: 0.1 }, (o) => calibration.askUnsure(() => undefined, o)],
  requireCalibration: [{}, (o) => calibration.requireCalibration(o)],
  modelCoverage: [{}, (o) => requirements.modelCoverage(o)],
  evidenceFinder: [{}, (o) => requirements.evidenceFinder(finder, o)],
  matchRequirement: [{}, (o) => requirements.matchRequirement('tea', finder, o)],
  modelRequirements: [{ provider }, (o) => requirements.modelRequirements(o)],
  RequirementExtractor: [{}, (o) => new requirements.RequirementExtractor(o)],
  fromScorer: [{ ...scorer }, (o) => reviewers.fromScorer(() => 1, o)],
  fromDecisions: [
    { ...scorer, questions: { a: { type: 'boolean' } } },
    (o) => reviewers.fromDecisions(async () => ({ answers: {} }), o),
  ],
  agentProducer: [{}, (o) => aiSdkAgents.agentProducer({ generate: async () => agentResult }, o)],
  reviewTool: [{ task: 'x' }, (o) => aiSdkAgents.reviewTool(textPipeline, o)],
  mastraProducer: [{}, (o) => mastra.mastraProducer({ generate: async () => agentResult }, o)],
  reviewStep: [mastraStep, (o) => mastra.reviewStep(textPipeline, o)],
  graphProducer: [
    { input: () => ({}), output: () => '' },
    (o) => langgraph.graphProducer({ invoke: async () => ({}) }, o),
  ],
  reviewNode: [
    { task: () => 'x', update: () => ({}) },
    (o) => langgraph.reviewNode(textPipeline, o),
  ],
  agentsProducer: [agentsParts, (o) => openaiAgents.agentsProducer(o)],
  reviewGuardrail: [{ task: 'x' }, (o) => openaiAgents.reviewGuardrail(textPipeline, o)],
  agentsTraceProcessor: [{}, (o) => otel.agentsTraceProcessor(o)],
  traceRuns: [{}, (o) => otel.traceRuns(o)],
  toScorer: [{ name: 's' }, (o) => reviewers.toScorer([judge], o)],
  evaliteScorer: [{ name: 's' }, (o) => reviewers.evaliteScorer([judge], o)],
  promptfooAssertion: [{ task: String }, (o) => reviewers.promptfooAssertion([judge], o)],
  command: [{ id: 'c', run: 'true' }, (o) => node.command(o)],
  preferred: [{}, (o) => reviewers.preferred(o)],
  refineOrResample: [{}, (o) => reviewers.refineOrResample(core.thresholds(), o)],
  scoresOf: [{ quality: 1, completeness: 0 }, (o) => reviewers.scoresOf([], o)],
  answerWith: [{}, (o) => inbox.answerWith({} as never, {} as never, {} as never, o)],
  terminalPerson: [{}, (o) => inbox.terminalPerson(o)],
  webhook: [{ url: 'https://example.org' }, (o) => inbox.webhook(o)],
  rateLimit: [{ requestsPerMinute: 1 }, (o) => models.rateLimit(o)],
  spendingLimit: [{ usdPerDay: 1 }, (o) => models.spendingLimit(o)],
  withSpendingLimit: [{ usdPerDay: 1 }, (o) => models.withSpendingLimit(costly, o)],
  askModel: [asker, (o) => models.askModel(o)],
  modelBudget: [{ tokens: 1 }, (o) => models.modelBudget(o)],
  withBudget: [{ tokens: 1 }, (o) => models.withBudget(provider, o)],
  withCache: [{}, (o) => models.withCache(provider, o)],
  withRateLimit: [{ requestsPerMinute: 1 }, (o) => models.withRateLimit(provider, o)],
  withRetry: [{}, (o) => models.withRetry(provider, o)],
  withTimeout: [{}, (o) => models.withTimeout(provider, 1, o)],
  fitDiff: [{ maxBytes: 1000 }, (o) => ports.fitDiff(emptyDiff, o)],
  gitApplyCheck: [{}, (o) => node.gitApplyCheck(o)],
  gitDiff: [{}, (o) => node.gitDiff(o)],
  gitFiles: [{}, (o) => node.gitFiles(emptyDiff, o)],
  htmlReport: [{}, (o) => reports.htmlReport([], o)],
  findingsOf: [{}, (o) => reports.findingsOf([], o)],
  githubAnnotations: [{}, (o) => reports.githubAnnotations([], o)],
  gitlabReport: [{}, (o) => reports.gitlabReport([], o)],
  junitReport: [{}, (o) => reports.junitReport([], o)],
  markdownReport: [{}, (o) => reports.markdownReport([], o)],
  rdjsonReport: [{}, (o) => reports.rdjsonReport([], o)],
  rdjsonlReport: [{}, (o) => reports.rdjsonlReport([], o)],
  sarifReport: [{}, (o) => reports.sarifReport([], o)],
  savedTrees: [{ root: folder, store: folder }, (o) => node.savedTrees(o)],
  runReport: [{}, (o) => reports.runReport({} as never, o)],
  inboxHandler: [{ origins: ['http://localhost'] }, (o) => inbox.inboxHandler(o)],
  serveInbox: [{}, (o) => inbox.serveInbox(o)],
  htmlCriteria: [{}, (o) => criteria.htmlCriteria(o)],
  pageCriteria: [{}, (o) => page.pageCriteria(o)],
  cssCriteria: [{}, (o) => criteria.cssCriteria(o)],
  planCriteria: [{}, (o) => criteria.planCriteria(o)],
  textCriteria: [{}, (o) => criteria.textCriteria(o)],
  codeCriteria: [{}, (o) => criteria.codeCriteria(o)],
  honestWork: [{}, (o) => criteria.honestWork(o)],
  cspell: [{}, (o) => node.cspell(o)],
  eslint: [{}, (o) => node.eslint(o)],
  findProvider: [{ env: {} }, (o) => providers.findProvider(o)],
  providerFrom: [{ env: {} }, (o) => providers.providerFrom('ollama:m', o)],
  aiSdkProvider: [
    {},
    (o) =>
      aiSdkAgents.aiSdkProvider(
        { doGenerate: () => undefined, specificationVersion: 'v2' } as never,
        o,
      ),
  ],
  anthropicProvider: [{ model: 'm', apiKey: 'k' }, (o) => anthropic.anthropicProvider(o)],
  claudeCommand: [{}, (o) => providers.claudeCommand(o)],
  cliProvider: [
    { command: providers.textCommand({ executable: 'cat' }) },
    (o) => providers.cliProvider(o),
  ],
  codexCommand: [{}, (o) => providers.codexCommand(o)],
  deepworkCli: [{}, (o) => providers.deepworkCli(o)],
  deepworkCommand: [{}, (o) => providers.deepworkCommand(o)],
  textCommand: [{ executable: 'cat' }, (o) => providers.textCommand(o)],
  ollamaProvider: [{ model: 'm' }, (o) => ollama.ollamaProvider(o)],
  openaiProvider: [{ model: 'm', apiKey: 'k' }, (o) => openai.openaiProvider(o)],
  fileChecklists: [{}, (o) => files.fileChecklists(folder, o)],
  fileLessons: [{}, (o) => files.fileLessons(join(folder, 'l'), o)],
  folderWorkspace: [{ store: join(folder, 'w') }, (o) => files.folderWorkspace(folder, o)],
  pruneWorkspace: [{}, (o) => files.pruneWorkspace(folder, o)],
  fileAudit: [{}, (o) => files.fileAudit(folder, o)],
  fileStore: [{}, (o) => files.fileStore(folder, o)],
  pruneRuns: [{ olderThanMs: 1 }, (o) => files.pruneRuns(folder, o)],
  pruneVerdicts: [{ olderThanMs: 1 }, (o) => files.pruneVerdicts(folder, o)],
  verifyAudit: [{}, (o) => files.verifyAudit(folder, o)],
  cancelRun: [{}, (o) => engines.cancelRun(core.memoryStore(), 'r', o)],
  driveRun: [{ store: core.memoryStore(), pipelines: { pipeline } }, (o) => engines.driveRun(o)],
  lostRuns: [{ olderThanMs: 1, now: 1 }, (o) => engines.lostRuns(core.memoryStore(), o)],
  recordAnswer: [{}, (o) => engines.recordAnswer(core.memoryStore(), asked, approval, o)],
  dbosClient: [{ store: core.memoryStore() }, (o) => engines.dbosClient({} as never, o)],
  serveWithDbos: [
    { store: core.memoryStore(), pipelines: { pipeline } },
    (o) => engines.serveWithDbos({} as never, o),
  ],
  restateClient: [
    { store: core.memoryStore() },
    (o) => engines.restateClient('http://127.0.0.1:8080', o),
  ],
  restateServices: [
    { store: core.memoryStore(), pipelines: { pipeline } },
    (o) => engines.restateServices(noRestate, o),
  ],
  inTurn: [{ providers: [provider] }, (o) => reviewers.inTurn(core.llmCriterion(llm), o)],
  onlyAsked: [{}, (o) => reviewers.onlyAsked(() => 'x', o)],
  runRevised: [{}, (o) => openaiAgents.runRevised(async () => ({}), 'x', o)],
  sqliteStore: [{}, (o) => sqlite.sqliteStore(join(folder, 'runs.db'), o)],
  postgresStore: [{}, (o) => postgres.postgresStore('postgres://localhost/app', o)],
  gptTokens: [{}, (o) => models.gptTokens(o)],
  gateServer: [{ folder, gate: new gate.QualityGate({ provider }) }, (o) => gate.gateServer(o)],
  serveGate: [{ folder, gate: new gate.QualityGate({ provider }) }, (o) => gate.serveGate(o)],
  storeContract: [{ runs: () => core.memoryStore() }, (o) => testing.storeContract(o)],
  rateLimitContract: [{}, (o) => testing.rateLimitContract(models.rateLimit, o)],
  servedProviderContract: [
    { secret: 'x' },
    (o) => testing.servedProviderContract(async () => ({}) as never, o),
  ],
  check: [{ task: 't' }, (o) => testing.check(judge as never, 'x', o)],
  readingJudge: [{ id: 'r' }, (o) => testing.readingJudge({ a: () => true }, o)],
  scriptedJudge: [{}, (o) => testing.scriptedJudge({ a: 'yes' } as never, o)],
  scriptedProvider: [{ id: 'r' }, (o) => testing.scriptedProvider([], o)],
  manualLimiter: [{ concurrency: 1 }, (o) => testing.manualLimiter(o)],
};
