import type { Attributes } from '@opentelemetry/api';
import type { Span as Work, SpanEnd as WorkEnd } from '../../core/span.js';
import type { Usage } from '../../core/usage.js';
import { names } from './names.js';

export interface SpanBegin {
  readonly name: string;
  readonly attributes: Attributes;
}

export function pipelineOf(work: Work): string {
  return work.parent === undefined ? work.name : pipelineOf(work.parent);
}

export function beginOf(work: Work): SpanBegin {
  const { name, runId, iteration } = work;
  const place = { [names.runId]: runId, [names.iteration]: iteration };
  switch (work.kind) {
    case 'run':
      return {
        name: `invoke_workflow ${name}`,
        attributes: {
          [names.operation]: 'invoke_workflow',
          [names.workflow]: name,
          [names.runId]: runId,
          ...(work.resumed && { [names.runResumed]: true }),
        },
      };
    case 'produce':
    case 'address':
      return agentBegin(work);
    case 'review':
      return {
        name: `review ${iteration}`,
        attributes: { ...place, [names.version]: work.digest },
      };
    case 'reviewer':
      return {
        name: `evaluation ${name}`,
        attributes: {
          ...place,
          [names.version]: work.digest,
          [names.reviewer]: name,
          [names.reviewerVersion]: work.version,
          ...(work.tier !== undefined && { [names.reviewerTier]: work.tier }),
        },
      };
    case 'model':
      return {
        name: work.model === undefined ? 'chat' : `chat ${work.model}`,
        attributes: { ...modelAttributes(work), ...place },
      };
    case 'wait':
      return {
        // the name of the work is the question, a text of the project
        name: 'wait',
        attributes: {
          ...place,
          [names.requestId]: work.request.id,
          [names.answer]: work.answer.kind,
        },
      };
  }
}

function agentBegin(work: Extract<Work, { kind: 'produce' | 'address' }>): SpanBegin {
  const agent = pipelineOf(work);
  return {
    name: `invoke_agent ${agent}`,
    attributes: {
      [names.operation]: 'invoke_agent',
      [names.agent]: agent,
      [names.provider]: 'reviewloop',
      [names.work]: work.kind,
      [names.runId]: work.runId,
      [names.iteration]: work.iteration,
    },
  };
}

function modelAttributes({
  provider,
  model,
  request,
}: Extract<Work, { kind: 'model' }>): Attributes {
  return known({
    [names.operation]: 'chat',
    [names.provider]: provider,
    [names.requestModel]: model,
    [names.requestMaxTokens]: request?.maxOutputTokens,
    [names.requestTemperature]: request?.temperature,
    [names.requestSeed]: request?.seed,
    [names.outputType]: request && (request.schema === undefined ? 'text' : 'json'),
  });
}

export function endAttributes(end: WorkEnd): Attributes {
  switch (end.kind) {
    case 'run': {
      const { status, code } = end.outcome;
      return { [names.runStatus]: status, [names.runCode]: code };
    }
    case 'produce':
    case 'address':
      return { ...usageAttributes(end.usage), ...(end.waits && { [names.waits]: true }) };
    case 'review':
      return known({
        [names.decision]: end.review?.decision.kind,
        [names.gaps]: end.review?.gaps.length,
        [names.score]: end.review?.scores.overall ?? undefined,
      });
    case 'reviewer':
      return {
        // a cached verdict cost nothing now
        ...(end.reused ? {} : usageAttributes(end.usage)),
        [names.reused]: end.reused,
        ...(end.waits && { [names.waits]: true }),
      };
    case 'model':
      return {
        ...usageAttributes(end.usage ?? {}),
        ...known({
          [names.responseModel]: end.model,
          [names.finishReasons]: end.finish === undefined ? undefined : [end.finish],
        }),
      };
    case 'wait':
      return {};
  }
}

function usageAttributes(usage: Usage): Attributes {
  return known({
    [names.inputTokens]: usage.inputTokens,
    [names.outputTokens]: usage.outputTokens,
    [names.cacheReadTokens]: usage.cachedInputTokens,
    [names.reasoningTokens]: usage.reasoningTokens,
    [names.cost]: usage.costUsd,
  });
}

export function known(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
