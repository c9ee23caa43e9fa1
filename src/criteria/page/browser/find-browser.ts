import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { criteriaErrors } from '../../errors.js';

// the shells show the same pages in a third of the time
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

const places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** The program of a browser. */
export interface FoundBrowser {
  readonly path: string;
  /** Changes when another version is installed. */
  readonly identity: string;
}

/** Returns the named browser, else an installed one. Returns undefined if there is none. */
export function findBrowser(named?: string): FoundBrowser | undefined {
  const path = named ?? process.env['REVIEWLOOP_CHROMIUM'] ?? candidates().find(existsSync);
  if (path === undefined) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  return { path, identity: `${path}:${stats.size}:${Math.round(stats.mtimeMs)}` };
}

function candidates(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const ending = process.platform === 'win32' ? '.exe' : '';
  return [
    ...names.flatMap((name) => folders.map((folder) => join(folder, `${name}${ending}`))),
    ...(places[process.platform] ?? []),
  ];
}

/** Returns the error about a missing browser, with the command that installs one. */
export function browserMissing(named?: string): ReviewLoopError {
  const given = named ?? process.env['REVIEWLOOP_CHROMIUM'];
  const what =
    given === undefined
      ? 'no Chromium was found on the PATH'
      : `there is no browser at ${given} (${named === undefined ? 'REVIEWLOOP_CHROMIUM' : 'browser.executablePath'})`;
  return new ReviewLoopError(
    criteriaErrors.browser_missing,
    `${what}. Install one: ${installCommand()}`,
    { value: given ?? 'chromium' },
  );
}

function installCommand(): string {
  if (process.platform === 'darwin') return 'brew install --cask chromium';
  if (process.platform === 'win32') return 'winget install Google.Chrome';
  return 'apt-get install chromium fonts-liberation';
}
