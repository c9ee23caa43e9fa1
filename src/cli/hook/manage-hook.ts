import { relative } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { userName } from '../../cli-kit/user-name.js';
import { configFiles } from '../../config/load-config.js';
import { projectRoot } from '../../hooks/project-root.js';
import { SessionStore } from '../../hooks/session-store.js';
import { readSmallFile } from '../../node/files.js';
import { systemClock } from '../../ports/clock.js';
import { oneLine } from '../../terminal/sanitise.js';

/** Switches the gate of a project on or off, or shows what it did. Returns the exit code. */
export async function manageHook(io: Io, action: 'on' | 'off' | 'status'): Promise<number> {
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
const mostBytes = 50_000_000;

async function showStatus(io: Io, store: SessionStore, where: string): Promise<number> {
  const off = await store.off();
  const log = await readSmallFile(store.log, mostBytes);
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
