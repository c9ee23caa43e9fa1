import { bySeverity } from '../../../core/gap.js';
import { cutAroundSecrets } from '../../../core/redact/secrets.js';
import type { ChangedFile, CompletedWork } from '../completed-work.js';
import type { DimensionIssue } from '../dimension.js';
import { type AddedLine, addedLines, secretLines } from './secret-lines.js';

interface Danger {
  readonly pattern: RegExp;
  readonly message: string;
  readonly suggestion: string;
  readonly severity: 'critical' | 'major';
  /** The files where the pattern is dangerous. @default all */
  readonly files?: RegExp;
}

const script = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i;
const python = /\.py$/i;

const dangers: readonly Danger[] = [
  {
    pattern: /\beval\s*\(|\bnew Function\s*\(/,
    files: script,
    severity: 'major',
    message: 'text is executed as code',
    suggestion: 'Parse the text instead of executing it',
  },
  {
    pattern:
      /\b(?:eval|exec)\s*\(|\bos\.system\s*\(|shell\s*=\s*True|\bpickle\.loads?\s*\(|\byaml\.load\s*\((?![^)]*SafeLoader)/,
    files: python,
    severity: 'major',
    message: 'text is executed as code or as a command',
    suggestion: 'Use a safe parser, or pass the arguments of a command as a list',
  },
  {
    // `exec` of a pattern runs nothing
    pattern:
      /(?:(?:(?<![.\w])|\b(?:child_process|childProcess|cp)\.)exec|\bexecSync)\s*\((?:\s*`[^`]{0,500}\$\{|[^)'"`]{0,200}(?:'[^']{0,500}'|"[^"]{0,500}")\s*\+|[^)'"`]{0,200}\+\s*['"`])/,
    files: script,
    severity: 'major',
    message: 'a shell command is built from text',
    suggestion: 'Pass the arguments as a list, without a shell',
  },
  {
    pattern: /\brm\s+-[a-z]*r[a-z]*f?\s+(?:\/(?:\s|$|\*)|~|"?\$[A-Za-z_{])/,
    severity: 'critical',
    message: 'a folder with a variable path is deleted',
    suggestion: 'Use a fixed path, or check the path first',
  },
  {
    pattern: /\b(?:curl|wget)\b[^|\n]{0,500}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/,
    severity: 'critical',
    message: 'a download is executed without a check',
    suggestion: 'Download it, check its digest, then execute it',
  },
  {
    pattern:
      /rejectUnauthorized\s*:\s*false|NODE_TLS_REJECT_UNAUTHORIZED\s*=\s*['"]?0|verify\s*=\s*False|InsecureSkipVerify\s*:\s*true/,
    severity: 'critical',
    message: 'certificates are not checked',
    suggestion: 'Check certificates; trust the one that you need explicitly',
  },
  {
    pattern: /\bchmod\s+(?:-R\s+)?0?777\b|\bchmod(?:Sync)?\s*\([^)]{0,300}0o?777/,
    severity: 'major',
    message: 'everybody may write a file',
    suggestion: 'Grant only the rights that are needed',
  },
  {
    pattern:
      /\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)|TRUNCATE\s+TABLE)\b|\bDELETE\s+FROM\s+\w+\s*(?:;|$|["'`])/i,
    severity: 'major',
    message: 'data is deleted without a condition',
    suggestion: 'Add a condition, or say in the request that all data is deleted',
  },
  {
    pattern: /(?:query|execute)\s*\(\s*(?:`[^`]*\$\{|f["']|["'][^"']*["']\s*(?:\+|%))/,
    severity: 'major',
    message: 'a query is built from text',
    suggestion: 'Use query parameters',
  },
  {
    pattern: /\bpermissions\s*:\s*write-all\b|\*["']?\s*:\s*["']\*["']|"Action"\s*:\s*"\*"/,
    severity: 'major',
    message: 'all permissions are granted',
    suggestion: 'Grant only the permissions that are needed',
  },
];

const maxFindings = 50;

/**
 * Secrets, dangerous calls, new dependencies and changed permissions: at most 50 issues, worst
 * first.
 */
export function safetyFindings({ changedFiles }: CompletedWork): DimensionIssue[] {
  const found = changedFiles.flatMap((file) => {
    const lines = addedLines(file);
    return [
      ...secretsIn(file),
      ...dangersIn(lines),
      ...dependenciesIn(file, lines),
      ...permissionsIn(file),
    ];
  });
  return found
    .sort(({ severity: a = 'major' }, { severity: b = 'major' }) =>
      bySeverity({ severity: a }, { severity: b }),
    )
    .slice(0, maxFindings);
}

function secretsIn(file: ChangedFile): DimensionIssue[] {
  return [...(file.secrets ?? []), ...secretLines(file)].map(({ line, text }) => ({
    message: `the code seems to contain a secret: ${text}`,
    location: { file: file.path, line },
    severity: 'critical' as const,
    suggestion: 'Remove it, revoke it, and read it from the environment',
  }));
}

function dangersIn(lines: readonly AddedLine[]): DimensionIssue[] {
  return lines.flatMap(({ file, line, text }) =>
    dangers
      .filter(
        ({ pattern, files }) =>
          (files === undefined || files.test(file)) &&
          !/^\s*(?:\/\/|#|\*|--)/.test(text) &&
          pattern.test(text),
      )
      .map(({ message, suggestion, severity }) => ({
        message,
        location: { file, line },
        severity,
        suggestion,
        evidence: cutAroundSecrets(text.trim(), 500),
      })),
  );
}

const dependencyFiles =
  /(?:^|\/)(?:package\.json|requirements[\w.-]*\.txt|pyproject\.toml|go\.mod|Cargo\.toml|Gemfile|composer\.json|pom\.xml)$/;

function dependenciesIn(
  { path, status, diff }: ChangedFile,
  lines: readonly AddedLine[],
): DimensionIssue[] {
  if (!dependencyFiles.test(path) || status === 'deleted' || diff === undefined) return [];
  const added = lines.filter(
    ({ text }) =>
      /^\s*(?:"(?:@[\w.-]+\/)?[\w.-]+"\s*:\s*"[\^~<>=\d*v]|[\w.-]+\s*(?:==|>=|~=|=\s*["'{])|[\w./-]+\s+v\d|gem\s)/.test(
        text,
      ) && !/"(?:version|node|npm|name)"\s*:/.test(text),
  );
  return added.map(({ file, line, text }) => ({
    message: `a dependency was added or changed: ${text.trim().slice(0, 200)}`,
    location: { file, line },
    severity: 'minor' as const,
    suggestion: 'Make sure that the request needs it, and that it is trusted',
    evidence: cutAroundSecrets(text.trim(), 500),
  }));
}

function permissionsIn({ path, diff = '' }: ChangedFile): DimensionIssue[] {
  const [before] = /^old mode (\d+)/m.exec(diff)?.slice(1) ?? [];
  const [after] = /^new mode (\d+)/m.exec(diff)?.slice(1) ?? [];
  if (before === undefined || after === undefined) return [];
  return [
    {
      message: `the mode of the file was changed from ${before} to ${after}`,
      location: { file: path },
      severity: 'minor',
      suggestion: 'Make sure that the request needs it',
    },
  ];
}
