import { diffErrors } from '../../core/diff/errors.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type ProcessResult, runProcess } from '../process.js';
import { gitErrors } from './errors.js';

export interface GitPlace {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The largest size of each output, in bytes. @default 67108864 */
  readonly maxOutputBytes?: number | undefined;
  readonly settings?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: Uint8Array | undefined;
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
}

/**
 * Settings that prevent git from running programs of the repository's settings, such as hooks,
 * pagers and helpers, and from taking a changed file for an unchanged one.
 */
const safeSettings: readonly (readonly [string, string])[] = [
  ['core.quotePath', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.ignoreStat', 'false'],
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.untrackedCache', 'false'],
  ['core.splitIndex', 'false'],
  ['core.safecrlf', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['color.ui', 'false'],
];

const safeEnvironment = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_EDITOR: 'true',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
} as const;

/** Safe on an untrusted repository. The output is complete. */
export async function runGit(args: readonly string[], place: GitPlace): Promise<ProcessResult> {
  const {
    cwd,
    timeoutMs,
    signal,
    maxOutputBytes = 64 * 2 ** 20,
    settings = [],
    env = {},
    input,
    onOutput,
  } = place;
  const all = [...safeSettings, ...settings];
  const config = Object.fromEntries(
    all.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  );
  const result = await runProcess({
    command: 'git',
    args: ['--no-pager', ...args],
    cwd,
    timeoutMs,
    signal,
    maxOutputBytes,
    input,
    onOutput,
    env: { ...safeEnvironment, ...config, GIT_CONFIG_COUNT: String(all.length), ...env },
  });
  if (result.truncated)
    throw new ReviewLoopError(
      diffErrors.diff_too_large,
      `git ${args[0] ?? ''} printed more than ${maxOutputBytes} bytes`,
      { value: args },
    );
  return result;
}

export async function gitOutput(args: readonly string[], place: GitPlace): Promise<string> {
  const result = await runGit(args, place);
  if (result.exitCode !== 0) throw gitError(args, place, result);
  return result.stdout;
}

export function gitError(
  args: readonly string[],
  { cwd }: GitPlace,
  { exitCode, signal, stderr }: ProcessResult,
): ReviewLoopError {
  const said = stderr.trim().split('\n').slice(-3).join(' ').slice(0, 500);
  if (/not a git repository|detected dubious ownership|must be run in a work tree/.test(stderr))
    return new ReviewLoopError(
      gitErrors.not_a_repository,
      `${cwd} is not in a git repository: ${said}`,
      {
        value: cwd,
      },
    );
  return new ReviewLoopError(
    gitErrors.git_failed,
    `git ${args[0] ?? ''} ` +
      `${exitCode === null ? `was ended by ${signal}` : `exited with ${exitCode}`}: ${said}`,
    { value: args },
  );
}

/**
 * Returns the fields of an output that ends them with NUL. Each character stands for one byte,
 * because names may not be UTF-8.
 */
export async function gitFields(args: readonly string[], place: GitPlace): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  const result = await runGit(args, { ...place, onOutput: (chunk) => void chunks.push(chunk) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
  return Buffer.concat(chunks)
    .toString('latin1')
    .split('\0')
    .filter((field) => field !== '');
}

export function asInput(fields: Iterable<string>): Uint8Array {
  return Buffer.from([...fields].map((field) => `${field}\0`).join(''), 'latin1');
}

export function nameText(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
