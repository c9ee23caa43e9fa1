import { dirname, resolve } from 'node:path';
import { plural } from '../../../core/plural.js';
import type { AllowedSecret } from '../../../core/redact/allowed-secrets.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { isThere, readTextFile, writeFileAtomic } from '../../../node/files.js';
import { listFiles } from '../../../node/list-files.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { usageError } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { type Io, tell } from '../../cli-kit/io.js';
import {
  findSecretLines,
  type SecretLine,
  unusedAllowances,
  unusedText,
} from '../../cli-kit/secrets/find-secrets.js';
import { allowedIn, loadAllowedSecrets, readBaseline } from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import type { secretsFlags } from './secrets-flags.js';

type Settings = SettingsOf<typeof secretsFlags>;

interface SecretsReport {
  readonly files: number;
  readonly found: readonly SecretLine[];
  readonly unused: readonly AllowedSecret[];
  /** The baseline that was written. @default undefined none */
  readonly written: string | undefined;
}

/**
 * With `baseline` it writes them into a file that allows them.
 *
 * @returns The exit code: 50 if a secret is not allowed.
 */
export async function listSecrets(io: Io, settings: Settings): Promise<number> {
  checkTogether(settings);
  // a configured baseline may not be written yet
  const allowed = await loadAllowedSecrets(io.cwd, await loadConfig(io.cwd, settings.config), {
    mayBeMissing: settings.baseline !== undefined,
  });
  const { files, found } = await search(io, settings, allowedIn(io.cwd, allowed.entries));
  const open = found.filter(({ allowedBy }) => allowedBy === undefined);
  const { baseline, reason = '' } = settings;
  if (baseline !== undefined) await writeBaseline(io, { baseline, reason, found: open });
  const unused = await unusedAllowances(io.cwd, allowed.entries);
  await show(io, { files, found, unused, written: baseline }, settings.format);
  return open.length > 0 && baseline === undefined ? 50 : 0;
}

function checkTogether({ baseline, reason }: Settings): void {
  if (baseline !== undefined && (reason === undefined || reason.trim() === ''))
    throw usageError('--baseline requires --reason: say why these lines may stay');
  if (baseline === undefined && reason !== undefined)
    throw usageError('--reason requires --baseline');
}

async function search(
  io: Io,
  { paths, exclude, maxFiles, maxFileSize: maxBytes }: Settings,
  allowed: readonly AllowedSecret[],
): Promise<{ readonly files: number; readonly found: readonly SecretLine[] }> {
  const listed = await listFiles(paths.length === 0 ? ['.'] : paths, {
    cwd: io.cwd,
    maxFiles,
    exclude,
  });
  const found: SecretLine[] = [];
  let files = 0;
  for (const { absolute, path } of listed.files) {
    io.signal.throwIfAborted();
    const read = await readTextFile(absolute, { shown: path, maxBytes });
    if (read.kind !== 'text') continue;
    files += 1;
    found.push(...findSecretLines(path, read.text, allowed));
  }
  return { files, found };
}

async function writeBaseline(
  io: Io,
  given: { baseline: string; reason: string; found: readonly SecretLine[] },
): Promise<void> {
  const path = resolve(io.cwd, given.baseline);
  const before = (await isThere(path)) ? await readBaseline(io.cwd, path) : [];
  const found = given.found.map(({ path: file, line, fingerprint }) => ({
    path: resolve(io.cwd, file),
    line,
    fingerprint,
    reason: redactSecrets(given.reason.trim()),
  }));
  const known = new Set(before.map(keyOf));
  const all = [...before, ...found.filter((entry) => !known.has(keyOf(entry)))];
  const allow = allowedIn(dirname(path), all).sort(
    (a, b) => a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0),
  );
  await writeFileAtomic(path, `${JSON.stringify({ schemaVersion: 1, allow }, null, 2)}\n`, {
    shared: true,
  });
}

function keyOf({ path, fingerprint, line }: AllowedSecret): string {
  return JSON.stringify([path, fingerprint ?? line]);
}

async function show(io: Io, given: SecretsReport, format: 'text' | 'json'): Promise<void> {
  const report = redactJson(given);
  const { files, found, unused, written } = report;
  const open = found.filter(({ allowedBy }) => allowedBy === undefined);
  const lines = open.map(
    ({ path, line, fingerprint, quote }) => `${path}:${line}  ${fingerprint}  ${quote}`,
  );
  const allowed = found.length - open.length;
  const count = `${plural(open.length, 'secret')} in ${plural(files, 'file')}`;
  lines.push(allowed > 0 ? `${count}; ${allowed} more allowed` : count);
  if (written !== undefined)
    lines.push(`written: ${written}; name it as \`secrets.baseline\` in the configuration`);
  await tell(io, format, { data: asJson(report), lines: lines.map((line) => oneLine(line)) });
  if (unused.length > 0 && format !== 'json') io.err(`${sanitise(unusedText(unused))}\n`);
}

function asJson({ files, found, unused, written }: SecretsReport) {
  return {
    files,
    secrets: found.map(({ allowedBy, ...line }) => ({
      ...line,
      allowed: allowedBy !== undefined,
      ...(allowedBy !== undefined && { reason: allowedBy.reason }),
    })),
    unused,
    ...(written !== undefined && { written }),
  };
}
