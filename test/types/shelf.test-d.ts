import { describe, expectTypeOf, it } from 'vitest';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import { folderWorkspace } from '@/adapters/stores/file/index.js';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import {
  type CoverageModel,
  combineStrategies,
  explicitRequirements,
  modelCoverage,
  modelRequirements,
  type Requirement,
  RequirementExtractor,
  type RequirementStrategy,
} from '@/blocks/requirements/index.js';
import { command } from '@/blocks/reviewers/command/command.js';
import type { DiffSource } from '@/core/diff/diff-source.js';
import {
  type AgentOutput,
  type AgentRequest,
  type BaseAgent,
  type LLMProvider,
  type Reviewer,
  requirementCoverage,
  type Workspace,
} from '@/index.js';
import { gitDiff } from '@/node/git/git-diff.js';

describe('what comes with the package', () => {
  it('criteria and commands are reviewers of agent outputs', () => {
    expectTypeOf(textCriteria()).toExtend<readonly Reviewer<AgentRequest, AgentOutput>[]>();
    expectTypeOf(codeCriteria()).toExtend<readonly Reviewer<AgentRequest, AgentOutput>[]>();
    expectTypeOf(command<AgentOutput>({ id: 'lint', run: ['true'] })).toExtend<
      Reviewer<AgentRequest, AgentOutput>
    >();
  });

  it('every service is a provider', () => {
    expectTypeOf(openaiProvider).returns.toExtend<LLMProvider>();
    expectTypeOf(anthropicProvider).returns.toExtend<LLMProvider>();
    expectTypeOf(ollamaProvider).returns.toExtend<LLMProvider>();
    expectTypeOf(cliProvider).returns.toExtend<LLMProvider>();
  });

  it('requirements by rules and by a model are strategies', () => {
    expectTypeOf(modelRequirements()).toEqualTypeOf<RequirementStrategy>();
    expectTypeOf(
      combineStrategies(explicitRequirements, modelRequirements()),
    ).toEqualTypeOf<RequirementStrategy>();
    expectTypeOf(new RequirementExtractor().extract('x')).resolves.toEqualTypeOf<Requirement[]>();
    expectTypeOf(modelCoverage()).toEqualTypeOf<CoverageModel>();
    // @ts-expect-error there is no such option
    modelRequirements({ retries: 3 });
  });

  it('an extractor of agent requests serves pipelines of agent requests', () => {
    const checkRequirementCovered = async (requirement: string) => ({
      requirement,
      source: 'explicit' as const,
      covered: true,
      coverageDetails: '',
      confidence: 1,
    });
    expectTypeOf(
      requirementCoverage<AgentOutput, AgentRequest>({
        extractRequirements: new RequirementExtractor(),
        checkRequirementCovered,
        judge: modelCoverage(),
      }),
    ).toExtend<Reviewer<AgentRequest, AgentOutput>>();
    requirementCoverage<AgentOutput, number>({
      // @ts-expect-error numbers are no requests that it reads
      extractRequirements: new RequirementExtractor(),
      checkRequirementCovered,
    });
  });

  it('folders are workspaces, and git is a source of diffs', () => {
    expectTypeOf(folderWorkspace).returns.toExtend<Workspace>();
    expectTypeOf(gitDiff).returns.toExtend<DiffSource>();
    expectTypeOf<BaseAgent>().not.toHaveProperty('workspace');
  });
});
