import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { fileState, readSmallFile } from '../../../node/files.js';
import { savedTrees } from '../../../node/git/saved-trees.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { usageError } from '../../cli-kit/errors.js';
import type { CommandCall } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { userName } from '../../cli-kit/require-person.js';
import { configFiles } from '../../config/load-config.js';
import {
  type AgentEvent,
  type AgentFormat,
  agentNames,
  type GateReply,
} from '../../hooks/agent-event.js';
import { type ReadEvent, readEvent } from '../../hooks/agent-formats.js';
import { failureMessage } from '../../hooks/agent-reason.js';
import { answerEvent } from '../../hooks/answer-event.js';
import { hookErrors } from '../../hooks/errors.js';
import { noVerdict } from '../../hooks/gate-verdict.js';
import { projectRoot, sessionRoots } from '../../hooks/project-root.js';
import type { SessionTree } from '../../hooks/session-state.js';
import { SessionStore } from '../../hooks/session-store.js';
import { HookDeadline, usualSeconds } from './hook-deadline.js';
import { judgingFiles } from './judging-files.js';
import {
  type BegunReview,
  reviewInChild,
  reviewInProcess,
  serveReview,
} from './review-in-child.js';

export interface HookSettings {
  readonly action: string | undefined;
  readonly timeout: number | undefined;
  readonly onFailure: 'tell' | 'block' | undefined;
}

/** The largest event. */
const mostBytes = 32_000_000;

/** Always answers in time, with one JSON object and the exit code 0. */
export async function runHook(call: CommandCall, settings: HookSettings): Promise<number> {
  const { io } = call;
  const { action } = settings;
  if (action === 'review') return serveReview(call);
  if (action === 'on' || action === 'off' || action === 'status') return manageHook(io, action);
  const name = agentNames.find((known) => known === action);
  if (action !== undefined && name === undefined)
    throw usageError(
      `unknown agent '${action}'; pass ${agentNames.join(', ')}, on, off or status`,
      action,
    );
  if (io.terminal !== undefined)
    throw usageError(
      'the event of an agent is expected on the standard input; see `reviewloop hook --help`',
    );
  const read = await eventOf(io, name);
  if (read.event === undefined) {
    const message = failureMessage(noVerdict(hookErrors.event_unreadable.code, read.why));
    return answer(io, read.format, { reply: { kind: 'tell', message }, event: { kind: 'other' } });
  }
  const reply = await replyTo(read.event, call, settings);
  return answer(io, read.format, { reply, event: read.event });
}

async function eventOf(io: Io, name: Parameters<typeof readEvent>[1]): Promise<ReadEvent> {
  try {
    return readEvent((await io.readStdin(mostBytes)).toString('utf8'), name);
  } catch (error) {
    const { format } = readEvent('', name);
    return { format, why: messageOf(error) };
  }
}

async function answer(
  io: Io,
  format: AgentFormat,
  {
    reply,
    event,
  }: {
    readonly reply: GateReply;
    readonly event: Pick<AgentEvent, 'kind'> & { readonly name?: string };
  },
): Promise<number> {
  const safe = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : sanitise(redactSecrets(text));
  const { kind, reason, advice, message } = reply;
  const { stdout, stderr, exitCode } = format.write(
    { kind, reason: safe(reason), advice: safe(advice), message: safe(message) },
    event,
  );
  if (stderr !== '') io.err(stderr);
  await io.out(stdout);
  return exitCode ?? 0;
}

async function replyTo(
  event: AgentEvent,
  { io, entry }: CommandCall,
  { timeout, onFailure }: HookSettings,
): Promise<GateReply> {
  const deadline = new HookDeadline({
    clock: systemClock,
    seconds: timeout,
    usual: usualSeconds(event.agent),
    signal: io.signal,
  });
  try {
    return await deadline.within(async (signal) => {
      const parts = { io: { ...io, signal }, entry, deadline };
      const begin = (root: string): BegunReview =>
        io.watched ? reviewInChild(root, parts) : reviewInProcess(parts);
      const roots = await openRoots(
        await sessionRoots(event, { named: projectFolder(), configFiles }),
      );
      const replies: RootReply[] = [];
      for (const root of roots) {
        const store = new SessionStore(root);
        let begun = event.kind === 'stop' ? begin(root) : undefined;
        const answered = answerEvent(event, {
          root,
          store,
          trees: sessionTrees(root, store, signal),
          others: roots.filter((other) => other !== root),
          review: async (given) => {
            const { review } = begun ?? begin(root);
            begun = undefined;
            const result = await review(given);
            return onFailure === undefined
              ? result
              : { ...result, limits: { ...result.limits, onFailure } };
          },
        });
        const reply = await answered.finally(() => begun?.end());
        replies.push({ root, reply });
      }
      return joined(replies);
    });
  } catch (error) {
    const code = error instanceof ReviewLoopError ? error.code : hookErrors.hook_failed.code;
    return { kind: 'tell', message: failureMessage(noVerdict(code, messageOf(error))) };
  }
}

async function openRoots(roots: readonly string[]): Promise<string[]> {
  const off: string[] = [];
  for (const root of roots)
    if ((await new SessionStore(root).off()) !== undefined) off.push(`${root}/`);
  return roots.filter((root) => !off.some((one) => root.startsWith(one)));
}

function sessionTrees(root: string, store: SessionStore, signal: AbortSignal) {
  const trees = savedTrees({ root, store: store.trees, signal });
  return {
    ...trees,
    save: async (): Promise<SessionTree> => ({
      ...(await trees.save()),
      judging: await judgingFiles(root),
      own: await foreignFiles(store.folder),
    }),
  };
}

interface RootReply {
  readonly root: string;
  readonly reply: GateReply;
}

function joined(replies: readonly RootReply[]): GateReply {
  const [only, ...more] = replies;
  if (only !== undefined && more.length === 0) return only.reply;
  const texts = (of: 'reason' | 'message', before: string): string =>
    replies
      .flatMap(({ root, reply }) =>
        reply[of] === undefined ? [] : [`${reply[of]}${before}Folder: ${root}`],
      )
      .join('\n\n');
  const kinds = replies.map(({ reply }) => reply.kind);
  const kind = (['block', 'tell'] as const).find((one) => kinds.includes(one)) ?? 'silent';
  const [reason, message] = [texts('reason', '\n'), texts('message', ' ')];
  return { kind, ...(reason !== '' && { reason }), ...(message !== '' && { message }) };
}

function projectFolder(): string | undefined {
  const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, CURSOR_PROJECT_DIR } = process.env;
  return CLAUDE_PROJECT_DIR || GEMINI_PROJECT_DIR || CURSOR_PROJECT_DIR || undefined;
}

const ownFolders =
  /^(?:runs|sessions|cache|calibration|certificates|gates|lessons|attempts|questions|set-aside|states|tasks|work|workspaces|worktrees)\/./;

const ownFiles =
  /(?:^|\/)(?:\.gitignore|hook-off|hooks\.jsonl)$|\.(?:jsonl?|lock|tmp|db(?:-\w+)?)$/;

const isLock = /(?:^|[./])lock$/;

const most = 1000;

/** Returns the states of files in the folder of this package that it does not write, by path. */
async function foreignFiles(store: string): Promise<Record<string, string>> {
  const found = (await foreignIn(store, '')).sort().slice(0, most);
  const states = await mapBounded(found, 16, async (path) => [
    `.reviewloop/${path}`,
    (await fileState(join(store, path))) ?? 'gone',
  ]);
  return Object.fromEntries(states);
}

async function foreignIn(store: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(store, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
  const below = await mapBounded(entries, 4, async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() && !ownFolders.test(path) && !isLock.test(path)
      ? foreignIn(store, path)
      : [];
  });
  const files = found.filter(
    (path, index) => !entries[index]?.isDirectory() && !ownFiles.test(path),
  );
  return [...files, ...below.flat()];
}

async function manageHook(io: Io, action: 'on' | 'off' | 'status'): Promise<number> {
  const root = await projectRoot(io.cwd, { configFiles });
  const store = new SessionStore(root);
  const where = relative(io.cwd, root) || '.';
  if (action === 'status') return showStatus(io, store, where);
  const at = new Date(systemClock.now()).toISOString();
  await store.switch(action === 'off' ? `by ${userName()} at ${at}` : undefined);
  await io.out(
    action === 'off'
      ? `the gate of ${where} is off; nothing is reviewed until \`reviewloop hook on\`\n`
      : `the gate of ${where} is on\n`,
  );
  return 0;
}

/** The most lines of the log that are shown, and its largest size in bytes. */
const mostLines = 10;

const mostLogBytes = 50_000_000;

async function showStatus(io: Io, store: SessionStore, where: string): Promise<number> {
  const off = await store.off();
  const log = await readSmallFile(store.log, mostLogBytes);
  const lines = (log ?? '').trim().split('\n').slice(-mostLines);
  const shown = lines.flatMap((line) => shownLine(line));
  await io.out(
    [
      `the gate of ${where} is ${off === undefined ? 'on' : `off (${oneLine(off)})`}`,
      ...(shown.length === 0 ? ['no event yet'] : ['', ...shown]),
      '',
    ].join('\n'),
  );
  return 0;
}

function shownLine(line: string): string[] {
  try {
    const {
      at = '',
      agent = '',
      event = '',
      decision = '',
      why = '',
    } = JSON.parse(line) as Record<string, string | undefined>;
    return [oneLine(`${at}  ${agent}  ${event}  ${decision}  ${why}`)];
  } catch {
    return [];
  }
}
