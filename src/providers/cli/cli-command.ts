import type { LLMProvider, LLMRequest, LLMResult } from '../../core/llm-provider.js';
import { invalid } from '../../core/options.js';
import type { FaultPlace } from '../../model/provider-fault.js';

/** What a command is called with. */
export interface CliCall {
  readonly request: LLMRequest;
  /** A folder of this call for files that the command reads or writes; gone afterwards. */
  readonly folder: string;
  /** The model that the provider was made for, when one was named. */
  readonly model: string | undefined;
}

/** How a command is called. */
export interface CliPlan {
  readonly args: readonly string[];
  /** Written to its standard input. */
  readonly input: string;
  /** Files that are written into the folder of the call first, by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Variables that the command gets beside the allowed ones. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What of the request the command has no word for. */
  readonly warnings?: readonly string[] | undefined;
}

/** What a command gave. */
export interface CliOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Who failed, for errors. */
  readonly place: FaultPlace;
  /** The text of a file in the folder of the call; `undefined` when it is not there. */
  readonly file: (name: string) => Promise<string | undefined>;
}

/** The answer of a command. */
export type CliAnswer = Pick<LLMResult, 'text' | 'finish' | 'usage'> &
  Partial<Pick<LLMResult, 'object' | 'model' | 'raw' | 'warnings'>>;

/** A command line program that asks a model: how it is called, and how its answer is read. */
export interface CliCommand {
  /** The name in ids. */
  readonly name: string;
  /** A program on the PATH, or its full path. */
  readonly executable: string;
  readonly capabilities: LLMProvider['capabilities'];
  /** The variables of the environment that it may see, beside PATH, HOME and the language. */
  readonly allowEnv: readonly string[];
  /** How it is called for a request. */
  readonly plan: (call: CliCall) => CliPlan;
  /** Rejects with an error of this library if the output contains no answer. After a retryable `answer_unreadable` the command runs again. */
  readonly read: (output: CliOutput, call: CliCall) => Promise<CliAnswer>;
}

/** Variables that programs need behind a proxy. */
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

/** Returns the messages of a request as one prompt. A single message is not changed. */
export function promptOf({ messages }: LLMRequest): string {
  const [only, ...more] = messages;
  if (only !== undefined && more.length === 0) return only.content;
  return messages
    .map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}:\n${content}`)
    .join('\n\n');
}

/** @throws ReviewLoopError `invalid_options` */
export function checkEdits(edits: unknown): void {
  if (edits !== undefined && typeof edits !== 'boolean')
    throw invalid('edits', 'true or false', edits);
}
