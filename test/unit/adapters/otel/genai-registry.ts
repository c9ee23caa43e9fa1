/**
 * The attributes of the GenAI conventions that are exported, with their types, as the registry of the conventions defines
 * them: open-telemetry/semantic-conventions-genai, model/gen-ai/registry.yaml, commit e8fc575.
 */
export const genAiRegistry: Readonly<
  Record<string, 'string' | 'int' | 'double' | 'string[]' | 'any' | readonly string[]>
> = {
  'gen_ai.operation.name': ['chat', 'execute_tool', 'invoke_agent', 'invoke_workflow'],
  'gen_ai.output.type': ['text', 'json', 'image', 'speech'],
  'gen_ai.provider.name': 'string',
  'gen_ai.workflow.name': 'string',
  'gen_ai.agent.name': 'string',
  'gen_ai.agent.version': 'string',
  'gen_ai.tool.name': 'string',
  'gen_ai.request.model': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.temperature': 'double',
  'gen_ai.request.seed': 'int',
  'gen_ai.response.model': 'string',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.reasoning.output_tokens': 'int',
  'gen_ai.system_instructions': 'any',
  'gen_ai.input.messages': 'any',
  'gen_ai.output.messages': 'any',
  'gen_ai.evaluation.name': 'string',
  'gen_ai.evaluation.score.value': 'double',
  'gen_ai.evaluation.score.label': 'string',
  'gen_ai.evaluation.explanation': 'string',
};
