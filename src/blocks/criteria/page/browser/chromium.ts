import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserType } from 'playwright-core';
import { messageOf, ReviewLoopError } from '../../../../core/errors.js';
import { hashText } from '../../../../core/hash.js';
import { loadPeers, mayBeAbsent } from '../../../../core/load-peer.js';
import { within } from '../../../../engine/timed-call.js';
import { folderStates } from '../../../../node/folder-state.js';
import { systemClock } from '../../../../ports/clock.js';
import { criteriaErrors } from '../../errors.js';

interface System {
  readonly browsers: readonly string[];
  readonly fonts: readonly string[];
  readonly install: string;
}

const systems: { readonly linux: System } & Readonly<Partial<Record<NodeJS.Platform, System>>> = {
  linux: {
    browsers: [],
    fonts: ['/usr/share/fonts', '/usr/local/share/fonts', '/etc/fonts'],
    install: 'apt-get install chromium fonts-liberation',
  },
  darwin: {
    browsers: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    fonts: ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library/Fonts')],
    install: 'brew install --cask chromium',
  },
  win32: {
    browsers: [
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    ],
    fonts: ['C:\\Windows\\Fonts'],
    install: 'winget install Google.Chrome',
  },
};
const system = systems[process.platform] ?? systems.linux;
// the shells show the same pages in a third of the time
const names =
  'chromium-headless-shell chrome-headless-shell chromium chromium-browser ' +
  'google-chrome google-chrome-stable microsoft-edge';

export function findBrowser(named?: string): string | undefined {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const known = names.split(' ').flatMap((name) => onPath(`${name}${ending}`));
  const all = [...known, ...system.browsers];
  const path = named ?? process.env['REVIEWLOOP_CHROMIUM'] ?? all.find(existsSync);
  if (path === undefined) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}

function onPath(name: string): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name));
}

export function browserMissing(named?: string): ReviewLoopError {
  const given = named ?? process.env['REVIEWLOOP_CHROMIUM'];
  const option = named === undefined ? 'REVIEWLOOP_CHROMIUM' : 'browser.executablePath';
  const what =
    given === undefined
      ? 'no Chromium was found on the PATH'
      : `no browser was found at ${given} (${option})`;
  return new ReviewLoopError(
    criteriaErrors.browser_missing,
    `${what}. Install one: ${system.install}`,
    { value: given ?? 'chromium' },
  );
}

const versions = new Map<string, string>();

export function shownBy(executablePath: string | undefined): string {
  const path = findBrowser(executablePath);
  if (path === undefined) return 'no browser';
  const { size, mtimeMs } = statSync(path);
  const identity = `${path}:${size}:${Math.round(mtimeMs)}`;
  // a small program is a script; the browser that it starts may change without it
  const version = versions.get(identity) ?? (size < 100_000 ? saidBy(path) : '');
  versions.set(identity, version);
  const fonts = system.fonts.map((folder) => folderStates(folder).join('\n'));
  return `${identity}/${version}/${hashText(fonts.join('\n\n'))}`;
}

function saidBy(path: string): string {
  try {
    return execFileSync(path, ['--version'], {
      timeout: 5000,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown version';
  }
}

interface BrowserOptions {
  readonly executablePath?: string | undefined;
  readonly allowNoSandbox: boolean;
}

/** A browser that does not close in two seconds is killed. */
interface OpenBrowser {
  readonly browser: Browser;
  readonly close: () => Promise<void>;
}

export async function pagePeers(): Promise<{ chromium: BrowserType; axe: string }> {
  const peers = await loadPeers('criteria/page', {
    'playwright-core': () => import('playwright-core').catch(mayBeAbsent),
    'axe-core': () => import('axe-core').catch(mayBeAbsent),
  });
  return { chromium: peers['playwright-core'].chromium, axe: peers['axe-core'].default.source };
}

const args = [
  // nothing leaves the machine: no name resolves, every connection goes to a closed port
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-pings',
  '--dns-prefetch-disable',
  // the same pixels on every machine, and a bound for the memory of scripts
  '--force-color-profile=srgb',
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--js-flags=--max-old-space-size=512',
];
const closingMs = 2000;
/** A user without rights, on every Linux. */
const nobody = 65_534;

async function openBrowser({ executablePath, allowNoSandbox }: BrowserOptions) {
  const { chromium } = await pagePeers();
  const path = findBrowser(executablePath);
  if (path === undefined) throw browserMissing(executablePath);
  const folder = await mkdtemp(join(tmpdir(), 'reviewloop-browser-'));
  const clear = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  try {
    const needsUser = !allowNoSandbox && process.getuid?.() === 0;
    const home = join(folder, 'home');
    await mkdir(home);
    if (needsUser) await chown(home, nobody, nobody);
    const browser = await chromium.launch({
      args,
      executablePath: needsUser ? await asNobody(path, folder) : path,
      chromiumSandbox: !allowNoSandbox,
      proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
      env: environment(home),
      // the process itself decides what signals do
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
      timeout: 60_000,
    });
    const pid = await processOf(browser);
    const close = (): Promise<void> =>
      within(systemClock, closingMs, 'the browser', browser.close()).catch(() => kill(pid));
    return { browser, close: () => close().then(clear) };
  } catch (error) {
    await clear();
    throw failedToStart(path, error);
  }
}

/** Chromium refuses its sandbox to root, so this script first becomes a user without rights. */
async function asNobody(path: string, folder: string): Promise<string> {
  const setpriv = onPath('setpriv').find(existsSync);
  if (setpriv === undefined)
    throw new Error('root needs `setpriv` (util-linux) for the sandbox of the browser');
  const script = join(folder, 'browser');
  const user = `--reuid=${nobody} --regid=${nobody} --clear-groups --no-new-privs`;
  const lines = [
    '#!/bin/sh',
    'for given in "$@"; do',
    `  case "$given" in --user-data-dir=*) chown -R ${nobody}:${nobody} "\${given#--user-data-dir=}" ;; esac`,
    'done',
    `exec '${setpriv}' ${user} '${path.replaceAll("'", "'\\''")}' "$@"`,
    '',
  ];
  await writeFile(script, lines.join('\n'), { mode: 0o755 });
  await chmod(folder, 0o755);
  return script;
}

/** Keys and tokens of the process stay out. */
function environment(home: string): Record<string, string> {
  const needed = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'TMPDIR'];
  const given = needed.map((name) => [name, process.env[name]] as const);
  const there = given.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...Object.fromEntries(there), HOME: home, LANG: 'C.UTF-8' };
}

async function processOf(browser: Browser): Promise<number | undefined> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.find(({ type }) => type === 'browser')?.id;
  } catch {
    return undefined;
  }
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it is gone
  }
}

function failedToStart(path: string, error: unknown): ReviewLoopError {
  const [first = '', ...more] = messageOf(error).split('\n');
  const noSandbox = more.some((line) => /no usable sandbox|setuid sandbox|as root/i.test(line));
  const why = noSandbox
    ? 'its sandbox is not available here; run as another user, or set `allowNoSandbox: true`'
    : first;
  return new ReviewLoopError(criteriaErrors.browser_failed, `${path} did not start: ${why}`, {
    cause: error,
    value: path,
  });
}

/** How long a browser waits for the next page, in milliseconds. */
const idleMs = 1000;

interface Held {
  readonly opening: Promise<OpenBrowser>;
  users: number;
  cancel: () => void;
}

const running = new Map<string, Held>();
const closing = new Set<Promise<void>>();

/** All calls with the same options share one browser. It is closed a second after the last call. */
export async function withBrowser<Value>(
  options: BrowserOptions,
  work: (browser: Browser) => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([options.executablePath, options.allowNoSandbox]);
  const held = running.get(key) ?? hold(key, openBrowser(options));
  held.cancel();
  held.users += 1;
  try {
    const { browser } = await held.opening;
    return await work(browser);
  } finally {
    held.users -= 1;
    if (held.users === 0) held.cancel = systemClock.after(idleMs, () => void release(key, held));
  }
}

/** Closes a browser that hangs. The next page gets another one. */
export async function dropBrowser(browser: Browser): Promise<void> {
  for (const [key, held] of running)
    if ((await held.opening.catch(() => undefined))?.browser === browser) await release(key, held);
}

/** Closes all browsers that no page uses. */
export async function closeIdleBrowsers(): Promise<void> {
  for (const [key, held] of running)
    if (held.users === 0) {
      held.cancel();
      void release(key, held);
    }
  await Promise.all(closing);
}

function hold(key: string, opening: Promise<OpenBrowser>): Held {
  const held: Held = { opening, users: 0, cancel: () => undefined };
  running.set(key, held);
  const forget = (): void => {
    if (running.get(key) === held) running.delete(key);
  };
  opening.then(({ browser }) => browser.on('disconnected', forget), forget);
  return held;
}

function release(key: string, held: Held): Promise<void> {
  if (running.get(key) === held) running.delete(key);
  const end = held.opening.then(
    ({ close }) => close(),
    () => undefined,
  );
  closing.add(end);
  return end.finally(() => closing.delete(end));
}
