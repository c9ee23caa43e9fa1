import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import { VerifiedAssessments } from '../../../core/assessment.js';
import type { Finding } from '../../../core/criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import { peerMissing } from '../../../core/load-peer.js';
import { checkKeys, invalid } from '../../../core/options.js';
import { cutAroundSecrets } from '../../../core/redact/secrets.js';
import { insideFolder } from '../../../node/inside-root.js';
import { packageProgram } from '../../../node/package-program.js';
import type { Criterion } from '../criterion.js';
import { reviewerErrors } from '../errors.js';
import type { DescribedCriterion } from '../from-criterion.js';
import { command, failedAssessment } from './command.js';
import type { CommandOptions, CommandOutput } from './command-options.js';

export interface ToolOptions<Output = unknown>
  extends Pick<
    CommandOptions<Output>,
    'severity' | 'category' | 'env' | 'allowEnv' | 'timeoutMs' | 'maxOutputBytes' | 'tier'
  > {
  /** The id of the criterion; unique in a pipeline. @default the name of the tool */
  readonly id?: string | undefined;
  /** The project that installed the tool and has its configuration. @default '.' */
  readonly folder?: string | undefined;
  /** The configuration file of the tool. @default the one in `folder` */
  readonly config?: string | undefined;
  /**
   * A program with its first arguments in place of the installed tool.
   *
   * @default the package of the tool in `folder` or above it
   */
  readonly run?: readonly string[] | undefined;
  /**
   * Returns the files to judge, by path. Each must be looked at.
   *
   * @default the artifacts of a kind that the tool reads
   */
  readonly files?: ((output: Output) => Readonly<Record<string, string>>) | undefined;
}

/** Texts by path. */
export type GivenFiles = Readonly<Record<string, string>>;

export interface Tool extends DescribedCriterion {
  readonly kind: string;
  readonly reads: (artifact: Artifact) => boolean;
  /** Returns what is written in place of a text. @default the text */
  readonly written?: ((text: string) => string) | undefined;
  readonly args: (options: ToolOptions<never>) => Promise<readonly string[]>;
  readonly read: (done: CommandOutput, given: GivenFiles) => readonly Finding[];
}

const own = ['id', 'folder', 'config', 'run', 'files'];
const passed = ['severity', 'category', 'env', 'allowEnv', 'timeoutMs', 'maxOutputBytes', 'tier'];
const mostReportBytes = 16_777_216;
const mostQuoted = 300;

/**
 * Creates a criterion from a tool: a `command` over the files of a kind, in a new folder. The
 * configuration is that of the project, never one of the output.
 */
export function toolPreset<Output>(
  tool: Tool,
  options: ToolOptions<Output>,
): Criterion<Output, unknown> {
  checkKeys(tool.id, options, [...own, ...passed]);
  const { id = tool.id, folder, config, run, files, ...settings } = options;
  for (const [name, value] of Object.entries({ folder, config }))
    if (value !== undefined && typeof value !== 'string') throw invalid(name, 'a path', value);
  const commandFor = (line: readonly string[], given: GivenFiles): Criterion<Output, unknown> =>
    command<Output>({
      severity: tool.severity,
      category: tool.category,
      maxOutputBytes: mostReportBytes,
      ...settings,
      id,
      name: tool.name,
      description: tool.description,
      run: line,
      passExitCodes: [0, 1],
      files: () =>
        Object.fromEntries(
          Object.entries(given).map(([path, text]) => [path, tool.written?.(text) ?? text]),
        ),
      parse: (done) =>
        tool.read(done, given).map((finding) => ({
          ...quoted(finding, given),
          ...((settings.severity ?? tool.severity) === 'minor' && { severity: 'minor' as const }),
        })),
    });
  const givenIn = files ?? ((output: Output) => readIn(tool, output));
  const started = async (given: GivenFiles) =>
    commandFor([...(run ?? (await installed(tool, folder))), ...(await tool.args(options))], given);
  const nothing = `no ${tool.kind} was given`;
  const about = commandFor(run ?? [tool.id], {});
  return {
    ...about,
    version: hashText(JSON.stringify([about.version, folder, config, String(files)])).slice(0, 16),
    validate: async (output, task, context) => {
      const given = givenIn(output);
      return Object.keys(given).length === 0
        ? { passed: false, score: 0, details: '', skipped: nothing }
        : (await started(given)).validate(output, task, context);
    },
    review: async (input, context) => {
      try {
        const given = givenIn(input.output);
        if (Object.keys(given).length > 0)
          return await (await started(given)).review(input, context);
        return new VerifiedAssessments({ verdict: 'skipped', criterion: id, reason: nothing });
      } catch (error) {
        return failedAssessment(id, error);
      }
    },
  };
}

function readIn(tool: Tool, output: unknown): GivenFiles {
  return Object.fromEntries(
    artifactsOf(output)
      .filter((artifact) => artifact.content !== undefined && tool.reads(artifact))
      .map(({ path, content = '' }) => [path, content]),
  );
}

async function installed(tool: Tool, folder = '.'): Promise<readonly string[]> {
  const program = await packageProgram(folder, tool.id);
  if (program !== undefined) return program;
  const otherwise = 'name its command in `run`';
  throw peerMissing({ feature: `the criterion ${tool.id}`, packages: [tool.id], otherwise });
}

export function givenPath(named: string, given: GivenFiles): string | undefined {
  const plain = `/${named.replaceAll('\\', '/')}`;
  return Object.keys(given)
    .map((path) => ({ path, place: insideFolder('/', path).replaceAll('\\', '/') }))
    .filter(({ place }) => plain.endsWith(place))
    .sort((a, b) => b.place.length - a.place.length)[0]?.path;
}

/** The report does not tell whether there are errors. */
export function unclear(message: string): ReviewLoopError {
  return new ReviewLoopError(reviewerErrors.report_unclear, message);
}

function quoted(finding: Finding, given: GivenFiles): Finding {
  const lines = (given[finding.file ?? ''] ?? '').split(/\r\n|[\n\r\u2028\u2029]/);
  const quote = cutAroundSecrets(lines[(finding.line ?? 0) - 1]?.trim() ?? '', mostQuoted);
  return quote === '' ? finding : { ...finding, evidence: quote };
}
