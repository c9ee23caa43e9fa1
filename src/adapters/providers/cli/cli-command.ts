import { modelErrors } from '../../../blocks/models/errors.js';
import { clean, type FaultPlace } from '../../../blocks/models/provider-fault.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import type { Usage } from '../../../core/usage.js';
import { nodeErrors } from '../../../node/errors.js';

/** The input of one call of a command. */
export interface CliCall {
  readonly request: LLMRequest;
  /**
   * A temporary folder for files that the command reads or writes. It is removed after the call.
   */
  readonly folder: string;
  /** The `model` option of the provider, if set. */
  readonly model: string | undefined;
}

/** How to run a command. */
export interface CliPlan {
  readonly args: readonly string[];
  /** Written to its standard input. */
  readonly input: string;
  /** Files to write into the folder of the call first: texts by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Variables that the command receives besides the allowed ones. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Warnings about settings of the request that the command does not support. */
  readonly warnings?: readonly string[] | undefined;
}

/** The output of a command. */
export interface CliOutput {
  readonly exitCode: number | null;
  /** The signal that ended the command, if any. */
  readonly signal?: string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The provider and its secrets, for errors. */
  readonly place: FaultPlace;
  /** Returns the text of a file in the folder of the call; `undefined` if it does not exist. */
  readonly file: (name: string) => Promise<string | undefined>;
}

/** The answer of a command. */
export type CliAnswer = Pick<LLMResult, 'text' | 'finish' | 'usage'> &
  Partial<Pick<LLMResult, 'object' | 'model' | 'raw' | 'warnings'>>;

/** A command line program that asks a model. */
export interface CliCommand {
  /** The name of the program, for the id of the provider. */
  readonly name: string;
  /** A program on the PATH, or its full path. */
  readonly executable: string;
  readonly capabilities: LLMProvider['capabilities'];
  /** The environment variables that it may see, besides PATH, HOME and the language. */
  readonly allowEnv: readonly string[];
  /** Returns how to run the program for a request. */
  readonly plan: (call: CliCall) => CliPlan;
  /**
   * Returns the answer in the output. Rejects with an error of this library if there is none. After
   * a retryable `answer_unreadable` or `answer_empty`, the command runs again.
   */
  readonly read: (output: CliOutput, call: CliCall) => Promise<CliAnswer>;
}

/** Environment variables that programs need behind a proxy. */
export const proxyVariables: readonly string[] = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

export const claudeVariables: readonly string[] = [
  'ANTHROPIC_*',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_SKIP_VERTEX_AUTH',
  'CLAUDE_CODE_USE_FOUNDRY',
  'AWS_*',
  'CLOUD_ML_REGION',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'XDG_CONFIG_HOME',
  ...proxyVariables,
];

export function promptOf({ messages }: LLMRequest): string {
  const [only, ...more] = messages;
  if (only !== undefined && more.length === 0) return only.content;
  return messages
    .map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}:\n${content}`)
    .join('\n\n');
}

export function failedCommand({
  exitCode,
  signal,
  stderr,
  stdout,
  place,
}: CliOutput): ReviewLoopError {
  const said = (stderr.trim() === '' ? stdout : stderr).trim();
  const ended =
    exitCode === null
      ? `was ended by ${signal ?? 'a signal'}`
      : `failed with exit code ${exitCode}`;
  const words = said === '' ? ' and printed nothing' : `: ${clean(place, said.slice(-2000), 2000)}`;
  return new ReviewLoopError(nodeErrors.process_failed, `${place.id} ${ended}${words}`, {
    retryable: exitCode === null,
    value: { exitCode },
  });
}

/** It is retryable. */
export function missingStructure(
  { place, stdout, said }: Pick<CliOutput, 'place' | 'stdout'> & { readonly said: string },
  why: string,
  usage: Usage,
): ReviewLoopError {
  return new ReviewLoopError(
    said.trim() === '' ? modelErrors.answer_empty : modelErrors.answer_unreadable,
    `${place.id} gave no structured output: ${why}`,
    {
      retryable: true,
      value: { raw: clean(place, stdout, 4000), usage },
    },
  );
}
