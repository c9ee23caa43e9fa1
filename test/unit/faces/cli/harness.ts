import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from '@/faces/cli/program.js';
import type { Io } from '@/faces/cli-kit/io.js';
import type { ReportModel } from '@/faces/reports/html/report-model.js';
import { tempFolder } from '../../../support/temp-folder.js';

/** What a command did. */
export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const entry = new URL('../../../../src/faces/cli/bin.ts', import.meta.url);

export async function runCli(
  cwd: string,
  argv: readonly string[],
  overrides: Partial<Io> & { readonly stdin?: string | Buffer } = {},
): Promise<CliResult> {
  let out = '';
  let err = '';
  const { stdin = '', ...rest } = overrides;
  const io: Io = {
    cwd,
    out: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readStdin: async () => Buffer.from(stdin),
    outColumns: undefined,
    errColumns: undefined,
    colours: false,
    watched: false,
    signal: new AbortController().signal,
    ...rest,
  };
  const code = await runProgram(argv, io, entry);
  return { code, out, err };
}

/** What a page of a report contains. */
export function reportIn(cwd: string, file: string): ReportModel {
  const html = readFileSync(join(cwd, file), 'utf8');
  const [, json = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

/** A folder with files, gone after the test. */
export async function folderOf(
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<string> {
  const folder = tempFolder('reviewloop-cli');
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** A page with faults: no language, no viewport, a duplicate id, an input without a label. */
export const faultyPage = `<!doctype html>
<html>
<head>
  <title>Sign in</title>
</head>
<body>
  <h1>Sign in</h1>
  <p id="twin">Welcome</p>
  <p id="twin">back</p>
  <input type="email" name="email">
</body>
</html>
`;

/** A page without faults. */
export const goodPage = `<!doctype html>
<html lang="en">
<head>
  <title>Sign in</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body>
  <h1>Sign in</h1>
  <label for="email">E-mail</label>
  <input id="email" type="email" name="email">
</body>
</html>
`;
