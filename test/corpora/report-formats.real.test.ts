import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import type { Artifact } from '@/core/artifact.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import {
  findingsOf,
  gitlabReport,
  junitReport,
  type RunReport,
  rdjsonlReport,
  rdjsonReport,
  runReport,
  sarifReport,
} from '@/faces/reports/index.js';
import { definePipeline } from '@/index.js';
import { describeCorpora } from '../support/corpora.js';
import { junitPrints, sarifPrints } from '../support/report-readers.js';
import { describeSchemas, gitlabProblems } from '../support/report-schemas.js';

interface Files {
  artifacts: Artifact[];
}

const reviewers = [...htmlCriteria(), ...cssCriteria(), ...textCriteria(), ...codeCriteria()];

/** Reviews files once, with the criteria of every kind and the requirements of a task. */
async function reviewed(artifacts: Artifact[], task = 'The page must name the price.') {
  const pipeline = definePipeline<string, Files>({
    name: 'corpus',
    produce: async () => ({ artifacts }),
    reviewers,
    budget: { reviews: 1 },
  });
  const outcome = await pipeline.run(task);
  const report = runReport(outcome, { pipeline: 'corpus', task });
  return { report, versions: { [outcome.version ?? '']: artifacts } };
}

const types: Readonly<Record<string, string>> = {
  html: 'mockup',
  css: 'stylesheet',
  md: 'document',
};

function filesIn(folder: string): { readonly path: string; readonly content: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:html|css|md|txt|json|yml|ts|js)$/.test(name))
    .sort()
    .flatMap((path) => {
      const bytes = readFileSync(join(folder, path));
      return bytes.length > 300_000 ? [] : [{ path, content: bytes.toString('utf8') }];
    });
}

const corporaOf = ['act-rules', 'css', 'plans', 'task-docs', 'hostile-text'];

describeCorpora('reports of every run of the corpora', (corpora) => {
  describeSchemas('against the published schemas', (schemas) => {
    it.each(corporaOf.filter((name) => existsSync(join(corpora, name))))(
      'are valid in every format: %s',
      async (name) => {
        let gaps = 0;
        let runs = 0;
        const files = filesIn(join(corpora, name));
        expect(files.length).toBeGreaterThan(0);
        // long corpora: some files make one run, as they do for users
        for (let at = 0; at < files.length; at += 8) {
          const artifacts = files.slice(at, at + 8).map((file) => ({
            ...file,
            type: types[file.path.split('.').at(-1) ?? ''] ?? 'code',
          }));
          const { report, versions } = await reviewed(artifacts);
          const options = { versions };
          const prints = findingsOf(report, options).map(({ fingerprint }) => fingerprint);
          const sarif = sarifReport(report, options);
          expect(schemas.sarif(sarif)).toEqual([]);
          expect(sarifPrints(sarif)).toEqual(prints);
          const junit = junitReport(report, options);
          expect(schemas.junit(junit)).toEqual([]);
          expect(junitPrints(junit).sort()).toEqual([...prints].sort());
          expect(gitlabProblems(gitlabReport(report, options))).toEqual([]);
          expect(schemas.rdjson(rdjsonReport(report, options))).toEqual([]);
          for (const line of rdjsonlReport(report, options).split('\n').filter(Boolean))
            expect(schemas.rdjsonLine(line)).toEqual([]);
          for (const { place } of findingsOf(report, options))
            if (place?.by === 'gap') expect(place.region.columns, place.file).toBeDefined();
          gaps += report.gaps.length;
          runs += 1;
        }
        console.log(`${name}: ${files.length} files in ${runs} runs, ${gaps} gaps`);
      },
    );
  });

  it('keep at least 95 % of their fingerprints when lines are moved and indented', async () => {
    const folder = join(corpora, 'diffs');
    const rows: string[] = [];
    let all = 0;
    let kept = 0;
    for (const name of readdirSync(folder).filter(
      (file) => file.endsWith('.diff') || file.endsWith('.patch'),
    )) {
      const files = await addedFiles(readFileSync(join(folder, name), 'utf8'));
      if (files.length === 0) continue;
      const before = await longLines(files);
      const after = await longLines(files.map(moved));
      const now = new Map(findingsOf(after).map((finding) => [finding.fingerprint, finding]));
      const found = findingsOf(before);
      const same = found.filter(({ fingerprint, place }) => {
        const match = now.get(fingerprint)?.place;
        return match?.file === place?.file;
      });
      all += found.length;
      kept += same.length;
      rows.push(
        `${name.padEnd(24)} ${String(found.length).padStart(5)} ${String(same.length).padStart(5)}`,
      );
    }
    console.log(
      `${['diff                      gaps  kept', ...rows].join('\n')}\nin all ${kept} of ${all}`,
    );
    expect(all).toBeGreaterThan(500);
    expect(kept / all).toBeGreaterThanOrEqual(0.95);
  });
});

async function addedFiles(text: string): Promise<Artifact[]> {
  return (await parseDiff(text)).flatMap(({ path, hunks }) => {
    const lines = hunks
      .flatMap((hunk) => hunk.lines)
      .filter((line) => line.startsWith('+') || line.startsWith(' '))
      .map((line) => line.slice(1));
    return lines.length === 0 ? [] : [{ type: 'code', path, content: lines.join('\n') }];
  });
}

/** Reviews with a check that finds something in most files: lines of more than 60 characters. */
async function longLines(artifacts: Artifact[]): Promise<RunReport> {
  const pipeline = definePipeline<string, Files>({
    name: 'lines',
    produce: async () => ({ artifacts }),
    criteria: {
      short: (output) => {
        const findings = output.artifacts.flatMap(({ path, content = '' }) =>
          content.split('\n').flatMap((line, index) =>
            line.trim().length > 60
              ? [
                  {
                    description: 'a long line',
                    file: path,
                    line: index + 1,
                    evidence: line.trim().slice(0, 80),
                  },
                ]
              : [],
          ),
        );
        return {
          passed: findings.length === 0,
          score: findings.length === 0 ? 1 : 0,
          details: '',
          findings,
        };
      },
    },
    budget: { reviews: 1 },
  });
  return runReport(await pipeline.run('Keep lines short.'));
}

/** Returns a file with lines before it, its halves swapped, and every line indented. */
function moved({ type, path, content = '' }: Artifact): Artifact {
  const lines = content.split('\n');
  const half = Math.floor(lines.length / 2);
  const swapped = [...lines.slice(half), ...lines.slice(0, half)].map((line) => `\t  ${line}`);
  return { type, path, content: ['// one', '// two', '', ...swapped].join('\n') };
}
