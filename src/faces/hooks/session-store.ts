import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapBounded } from '../../core/map-bounded.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { systemCode } from '../../node/durable.js';
import { digestOfBytes } from '../../node/files.js';
import { waitForLock } from '../../node/lock.js';
import { readPlainText } from '../../node/plain-file.js';
import { makeIgnoredFolder, writeInStore } from '../../node/store-file.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { type SessionState, SessionStateSchema } from './session-state.js';

export interface GateLogLine {
  readonly at: string;
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly decision: string;
  readonly version?: string | undefined;
  readonly runId?: string | undefined;
  readonly why?: string | undefined;
}

export class SessionStore {
  /** The folder that stores runs, sessions and the log. */
  readonly folder: string;
  readonly #clock: Clock;

  constructor(root: string, clock: Clock = systemClock) {
    this.folder = join(root, '.reviewloop');
    this.#clock = clock;
  }

  /** The folder of the saved files of all sessions. */
  get trees(): string {
    return join(this.folder, 'sessions', 'trees');
  }

  /** The log: one JSON object in each line. */
  get log(): string {
    return join(this.folder, 'hooks.jsonl');
  }

  nameOf(session: string): string {
    return digestOfBytes(session);
  }

  folderOf(session: string): string {
    return join(this.folder, 'sessions', this.nameOf(session));
  }

  /**
   * Calls a function while no other hook of the session works; returns `undefined` if another one
   * does for longer than `waitMs`.
   */
  async exclusively<Value>(
    session: string,
    waitMs: number,
    work: () => Promise<Value>,
  ): Promise<Value | undefined> {
    const lock = join(this.folderOf(session), 'lock');
    await makeIgnoredFolder(this.folder, lock);
    await makeIgnoredFolder(this.folder, this.trees);
    const held = await waitForLock(lock, { clock: this.#clock, waitMs });
    if (held === undefined) return undefined;
    try {
      return await work();
    } finally {
      await held.release();
    }
  }

  /** `undefined` if it is missing or damaged. */
  async read(session: string): Promise<SessionState | undefined> {
    return this.#readAt(this.nameOf(session));
  }

  async #readAt(name: string): Promise<SessionState | undefined> {
    try {
      const text = await readPlainText(join(this.folder, 'sessions', name, 'state.json'));
      return SessionStateSchema.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  }

  /** Writes completely, or not at all. */
  async write(session: string, state: SessionState): Promise<void> {
    const { prompt } = state;
    const safe = { ...state, ...(prompt !== undefined && { prompt: redactSecrets(prompt) }) };
    const path = join(this.folderOf(session), 'state.json');
    await writeInStore(this.folder, path, `${JSON.stringify(safe, null, 2)}\n`);
  }

  /** The last one comes first. */
  async others(session: string): Promise<{ name: string; state: SessionState }[]> {
    const names = await readdir(join(this.folder, 'sessions')).catch(() => []);
    const own = this.nameOf(session);
    const found = await mapBounded(
      names.filter((name) => name !== own && name !== 'trees'),
      16,
      async (name) => {
        const state = await this.#readAt(name);
        return state === undefined ? [] : [{ name, state }];
      },
    );
    return found.flat().sort((a, b) => (a.state.seen < b.state.seen ? 1 : -1));
  }

  /** Returns whether it is the first time that the person of a session is told about something. */
  async isFirst(session: string, topic: string): Promise<boolean> {
    const path = join(this.folderOf(session), `told-${digestOfBytes(topic).slice(0, 16)}`);
    return writeFile(path, '', { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: unknown) => systemCode(error) !== 'EEXIST',
    );
  }

  /** It never fails. */
  async note(line: GateLogLine): Promise<void> {
    await appendFile(this.log, `${redactSecrets(JSON.stringify(line))}\n`, { mode: 0o600 }).catch(
      () => {},
    );
  }

  /** Who switched it off, and when; `undefined` if it is on. */
  async off(): Promise<string | undefined> {
    return readPlainText(join(this.folder, 'hook-off')).then(
      (text) => text.trim() || 'somebody',
      () => undefined,
    );
  }

  /** Switches the gate off, or on again. @throws `output_unwritable` */
  async switch(off: string | undefined): Promise<void> {
    const path = join(this.folder, 'hook-off');
    if (off === undefined) return rm(path, { force: true });
    await makeIgnoredFolder(this.folder, this.folder);
    await writeInStore(this.folder, path, `${off}\n`);
  }
}
