import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { loadPeer } from '../../../core/load-peer.js';
import { isThere } from '../../../node/files.js';
import { systemClock } from '../../../ports/clock.js';
import { criteriaErrors } from '../../errors.js';
import { browserMissing, findBrowser } from './find-browser.js';

/** How a browser is started. */
export interface BrowserOptions {
  readonly executablePath?: string | undefined;
  readonly allowNoSandbox: boolean;
}

/** A browser that runs. */
export interface OpenBrowser {
  readonly browser: Browser;
  /** Closes it. A browser that does not close in two seconds is killed. */
  readonly close: () => Promise<void>;
}

/** A user without rights, on every Linux. */
const nobody = 65_534;
const closingMs = 2000;

/** Nothing leaves the machine: no name resolves, every connection goes to a closed port. */
const closedToTheNetwork = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-pings',
  '--dns-prefetch-disable',
];
/** The same pixels on every machine, and a bound for the memory of scripts. */
const alike = [
  '--force-color-profile=srgb',
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--js-flags=--max-old-space-size=512',
];

/**
 * Starts a browser with a profile and a home of its own, in its sandbox.
 *
 * @throws ReviewLoopError `browser_missing`, `browser_failed`, `peer_missing`
 */
export async function openBrowser(options: BrowserOptions): Promise<OpenBrowser> {
  const { chromium } = await loadPeer(
    { feature: 'criteria/page', packages: ['playwright-core'] },
    () => import('playwright-core'),
  );
  const found = findBrowser(options.executablePath);
  if (found === undefined) throw browserMissing(options.executablePath);
  const home = await mkdtemp(join(tmpdir(), 'reviewloop-browser-'));
  const clear = (): Promise<void> =>
    rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  try {
    const browser = await chromium.launch({
      executablePath: await programFor(found.path, home, options),
      chromiumSandbox: !options.allowNoSandbox,
      args: [...closedToTheNetwork, ...alike],
      proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
      env: environment(await homeIn(home)),
      // the process itself decides what signals do
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 60_000,
    });
    const pid = await processOf(browser);
    return { browser, close: () => closeFirmly(browser, pid).then(clear) };
  } catch (error) {
    await clear();
    throw failedToStart(found.path, error);
  }
}

/**
 * Returns the program to start. Chromium refuses its sandbox to root, so a script first becomes a
 * user without rights.
 */
async function programFor(path: string, home: string, options: BrowserOptions): Promise<string> {
  if (options.allowNoSandbox || process.getuid?.() !== 0) return path;
  const setpriv = await onPath('setpriv');
  if (setpriv === undefined)
    throw new Error('root needs `setpriv` (util-linux) for the sandbox of the browser');
  const script = join(home, 'browser');
  const user = `--reuid=${nobody} --regid=${nobody} --clear-groups --no-new-privs`;
  await writeFile(
    script,
    [
      '#!/bin/sh',
      'for given in "$@"; do',
      `  case "$given" in --user-data-dir=*) chown -R ${nobody}:${nobody} "\${given#--user-data-dir=}" ;; esac`,
      'done',
      `exec '${setpriv}' ${user} '${path.replaceAll("'", "'\\''")}' "$@"`,
      '',
    ].join('\n'),
    { mode: 0o755 },
  );
  await chmod(home, 0o755);
  return script;
}

/** Creates the home of the browser, which its user may write to. */
async function homeIn(folder: string): Promise<string> {
  const home = join(folder, 'home');
  await mkdir(home);
  if (process.getuid?.() === 0) await chown(home, nobody, nobody);
  return home;
}

async function onPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await isThere(path))) return path;
  }
  return undefined;
}

/** The variables that a browser needs. Keys and tokens of the process stay out. */
function environment(home: string): Record<string, string> {
  const needed = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'TMPDIR'];
  const given = needed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(given), HOME: home, LANG: 'C.UTF-8' };
}

/** Returns the process of a browser, if it says so. */
async function processOf(browser: Browser): Promise<number | undefined> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.find(({ type }) => type === 'browser')?.id;
  } catch {
    return undefined;
  }
}

async function closeFirmly(browser: Browser, pid: number | undefined): Promise<void> {
  let stop = (): void => {};
  const late = new Promise<'late'>((resolve) => {
    stop = systemClock.after(closingMs, () => resolve('late'));
  });
  const how = await Promise.race([browser.close().catch(() => undefined), late]);
  stop();
  if (how === 'late' && pid !== undefined) kill(pid);
}

/** Kills the group of a process. */
function kill(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it is gone
  }
}

function failedToStart(path: string, error: unknown): ReviewLoopError {
  if (error instanceof ReviewLoopError) return error;
  const [first = '', ...more] = messageOf(error).split('\n');
  const noSandbox = more.find((line) => /no usable sandbox|setuid sandbox|as root/i.test(line));
  const why =
    noSandbox === undefined
      ? first
      : 'its sandbox is not available here; run as another user, or set `allowNoSandbox: true`';
  return new ReviewLoopError(criteriaErrors.browser_failed, `${path} did not start: ${why}`, {
    cause: error,
    value: path,
  });
}
