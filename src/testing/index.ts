/**
 * Fakes and contracts for tests of pipelines, criteria and ports. They do not sleep, call no model,
 * and need no test runner.
 *
 * @module
 */

export { type Checked, type CheckOptions, check, fakeContext, outputOf } from './check.js';
export type { ContractCase } from './contract-case.js';
export { type FakeClock, fakeClock, fakeRandom, settle } from './fake-clock.js';
export { type FakeWorkspace, fakeWorkspace } from './fake-workspace.js';
export { limiterContract } from './limiter-contract.js';
export { type ManualLimiter, manualLimiter } from './manual-limiter.js';
export { providerContract } from './provider-contract.js';
export { rateLimitContract } from './rate-limit-contract.js';
export { fakeReviewerContext, reviewerContract } from './reviewer-contract.js';
export {
  type JudgedAnswer,
  type JudgedReading,
  readingJudge,
  scriptedJudge,
} from './scripted-judge.js';
export {
  hang,
  type ScriptedAnswer,
  type ScriptedProvider,
  scriptedProvider,
} from './scripted-provider.js';
export { servedProviderContract } from './served-provider-contract.js';
export { spendingLimitContract } from './spending-limit-contract.js';
export { storeContract } from './store-contract.js';
export { workspaceContract } from './workspace-contract.js';
