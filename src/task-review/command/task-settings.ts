import { type ProviderFlags, providerOption } from '../../cli-kit/provider/provider-options.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import type { ConfiguredExecutor } from '../config.js';
import { type TaskSettings, TaskSettingsSchema } from './kept-tasks.js';

/** The options of `reviewloop tasks run`. */
export interface RunFlags extends ProviderFlags {
  readonly tasks: string;
  readonly all?: boolean;
  readonly task?: readonly string[];
  readonly exec?: string;
  readonly testCommand?: string;
  readonly lintCommand?: string;
  readonly review: boolean;
  readonly reviewPolicy?: 'advisory' | 'required';
  readonly roles?: string;
  readonly hitlReview?: boolean;
  readonly hitlUnattended: 'suspend' | 'ignore';
  readonly attempts?: number;
  readonly parallel: number;
  readonly tui?: boolean;
  readonly commit: boolean;
  readonly timeout: number;
  readonly allowEnv?: readonly string[];
  readonly by?: string;
  readonly config?: string | boolean;
  readonly format: 'text' | 'json';
  readonly quiet?: boolean;
  readonly store: string;
}

/**
 * How tasks are done: what the options say, else the configuration.
 *
 * @throws ReviewLoopError `usage`
 */
export function taskSettings(flags: RunFlags, config: ConfiguredExecutor): TaskSettings {
  const provider = providerOption(flags);
  const exec = flags.exec ?? config.exec;
  if (exec === undefined || exec.trim() === '')
    throw new ReviewLoopError(
      nodeErrors.usage,
      'nothing does the tasks: pass --exec COMMAND, or set executor.exec',
    );
  const settings = {
    exec,
    ...chosen(flags, { reviewPolicy: 'advisory', hitlReview: false, maxAttempts: 3, ...config }),
    review: flags.review,
    template: config.reviewTemplate,
    commit: flags.commit,
    timeoutMs: flags.timeout * 1000,
    allowEnv: flags.allowEnv ?? [],
    ...(provider !== undefined && { provider }),
  };
  const parsed = TaskSettingsSchema.safeParse(settings);
  if (!parsed.success)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `the options were refused: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
      { cause: parsed.error },
    );
  return parsed.data;
}

/** What both may say: the options first. */
function chosen(flags: RunFlags, config: ConfiguredExecutor) {
  return {
    tests: flags.testCommand ?? config.testCommand,
    lint: flags.lintCommand ?? config.lintCommand,
    reviewPolicy: flags.reviewPolicy ?? config.reviewPolicy,
    hitl: flags.hitlReview ?? config.hitlReview,
    attempts: flags.attempts ?? config.maxAttempts,
    roles: flags.roles?.split(',').map((role) => role.trim()) ?? config.reviewRoles,
  };
}
