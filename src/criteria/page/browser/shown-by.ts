import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hashText } from '../../../core/hash.js';
import { findBrowser } from './find-browser.js';
import { statesIn } from './folder-files.js';

const fontFolders: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/share/fonts', '/usr/local/share/fonts', '/etc/fonts'],
  darwin: ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library/Fonts')],
  win32: ['C:\\Windows\\Fonts'],
};

const versions = new Map<string, string>();
const longestMs = 5000;

/** Returns a text that changes with the browser and with the fonts of this machine. */
export function shownBy(executablePath: string | undefined): string {
  const found = findBrowser(executablePath);
  if (found === undefined) return 'no browser';
  return `${found.identity}/${versionOf(found.path, found.identity)}/${fontState()}`;
}

/**
 * Returns what the program says about its version, if it is a script: the browser that the script
 * starts may change without it.
 */
function versionOf(path: string, identity: string): string {
  if (!isScript(path)) return '';
  const known = versions.get(identity);
  if (known !== undefined) return known;
  const version = saidBy(path);
  versions.set(identity, version);
  return version;
}

function isScript(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(file, start, 0, 2, 0);
    return start.toString('latin1') === '#!';
  } finally {
    closeSync(file);
  }
}

function saidBy(path: string): string {
  try {
    return execFileSync(path, ['--version'], {
      timeout: longestMs,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown version';
  }
}

/** Returns a digest of the names, sizes and times of the fonts that a browser may use. */
function fontState(): string {
  const folders = fontFolders[process.platform] ?? [];
  return hashText(folders.map((folder) => statesIn(folder).join('\n')).join('\n\n'));
}
