import { resolve } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { reviewLine } from '../../cli-kit/show/next-command.js';
import type { Diff } from '../../diff/diff-source.js';
import { processPlace } from '../../node/process-identity.js';
import { systemClock } from '../../ports/clock.js';
import { systemRandom } from '../../ports/random.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { StageWays } from './show-end.js';
import { diffRequest, type StageSettings } from './stage-flags.js';
import { type StageRequest, stageSettingsIn } from './stage-request.js';

/** What a request is made of, beside the settings. */
export interface KnownRequest {
  readonly diff: Diff;
  readonly own: readonly (string | false | undefined)[];
  readonly config: string | false;
  readonly allowTruncated: readonly string[];
  readonly task: StageRequest['task'];
  readonly again: StageWays['again'];
}

/** Returns the request of a new review, with an id of its own. */
export function newStageRequest(
  io: Io,
  settings: StageSettings,
  { diff, own, config, allowTruncated, task, again }: KnownRequest,
): StageRequest {
  const { paths, session } = settings;
  const runId = systemRandom.id();
  const sessionId = session ?? runId.slice(0, 13);
  const asked = diffRequest(settings);
  return {
    ...stageSettingsIn(settings),
    allowTruncated: [...allowTruncated],
    kind: 'stage',
    schemaVersion: 2,
    runId,
    process: { pid: process.pid, place: processPlace() },
    ...(again && {
      command: redactSecrets(reviewLine(again({ fix: false, write: false, session: sessionId }))),
    }),
    sessionId,
    at: new Date(systemClock.now()).toISOString(),
    cwd: io.cwd,
    task,
    // the id of the base commit makes later commits irrelevant
    diff: asked.kind === 'working-tree' ? { kind: 'working-tree', base: diff.base } : asked,
    paths: [...paths],
    own: own.flatMap((path) => (typeof path === 'string' ? [path] : [])),
    base: diff.base,
    config: config === false ? false : resolve(io.cwd, config),
  };
}
