import { errorTable } from '../core/error-table.js';

/** The errors of files, folders and processes. */
export const nodeErrors = /* @__PURE__ */ errorTable({
  usage: { kind: 'usage', fix: 'See `reviewloop --help`.' },
  no_artifacts: {
    kind: 'input',
    fix: 'Pass files, folders or globs with at least one readable text file.',
  },
  file_unreadable: { kind: 'input', fix: 'Check that the file exists and is readable.' },
  file_too_large: { kind: 'input', fix: 'Leave the file out, or raise --max-file-size.' },
  too_many_files: { kind: 'input', fix: 'Pass fewer files, or raise --max-files.' },
  path_outside: {
    kind: 'input',
    fix: 'Move the outputs inside the root, or set `allowOutside` if you trust the paths.',
  },
  output_unwritable: {
    kind: 'environment',
    fix: 'Check that the path is a folder, is writable and has free space.',
  },
  process_not_found: { kind: 'environment', fix: 'Install the command, or give its full path.' },
  process_failed: { kind: 'environment', fix: 'Read the exit code and the end of the output.' },
  process_timeout: { kind: 'environment', fix: 'Raise the timeout of the command.' },
});
