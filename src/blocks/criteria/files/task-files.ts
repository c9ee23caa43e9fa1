import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import { taskTextOf } from '../../requirements/task-text.js';
import { type ArtifactCriterion, artifactCriterion, skipped } from '../artifact-criterion.js';

const known =
  'md markdown mdx txt rst adoc html htm css scss sass less ts tsx mts cts js jsx mjs cjs json jsonc yaml yml toml xml csv tsv svg py rb go rs java kt c h cc cpp hpp cs php swift scala sh sql vue svelte ini env proto graphql';

const extension = `(?:${known.replaceAll(' ', '|')})`;

const named = new RegExp(
  `(\`?)(?<![\\w/@:.*{-])((?:[\\w.@-]{1,80}/){0,12}[\\w@-][\\w.@-]{0,80}\\.${extension})(?![\\w/*-]|\\.\\w)(\`?)`,
  'gi',
);

const asked =
  /\b(?:create|write|add|produce|generate|output|save|deliver|implement|provide|make|build|put|store|update|edit|modify|extend|named|called|files?)\b/i;

const context =
  /\b(?:not|never|without|instead|don't|see|like|similar|based on|from|using|read|reads|according|described in|defined in|existing|refer|delete|remove|rename)\b[^.!?\n]{0,80}$/i;

const product =
  /^(?:node|next|vue|nuxt|react|express|three|d3|socket\.io|chart|moment|day|alpine|ember|backbone|solid|discord|p5|asp|require|underscore|knockout|bun|deno|plotly|leaflet|mocha)\.js$/i;

/** Names with an extension, in sentences about the creation of files. */
export function filesAskedFor(task: unknown): string[] {
  const text = taskTextOf(task).replaceAll(/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+/gi, ' ');
  const found = text.split(/(?<=[.!?;])\s+|\n/).flatMap((sentence) => {
    if (sentence.length > 5000) return [];
    return Array.from(sentence.matchAll(named), ({ 1: tick = '', 2: path = '', index }) => ({
      path,
      tick,
      before: sentence.slice(0, index),
    }))
      .filter(
        ({ path, tick, before }) =>
          asked.test(before) && !context.test(before) && (tick !== '' || !product.test(path)),
      )
      .map(({ path }) => path.replace(/^(?:\.\/)+/, ''));
  });
  return [...new Set(found)];
}

function isThere(path: string, artifacts: readonly Artifact[]): boolean {
  const wanted = path.toLowerCase();
  return artifacts.some((artifact) => {
    const given = artifact.path.replaceAll('\\', '/').toLowerCase();
    return given === wanted || given.endsWith(`/${wanted}`);
  });
}

export function taskFiles(
  kind: 'text' | 'code',
  isOfKind: (artifact: Artifact) => boolean,
): ArtifactCriterion {
  return artifactCriterion({
    id: `${kind}-task-files`,
    name: 'Requested files',
    description: 'Every file that the task asks for exists',
    severity: 'major',
    category: 'missing',
    version: `${kind}-task-files/1`,
    scope: (output) => ({
      artifacts: artifactsOf(output).map(({ type, path }) => ({ type, path })),
    }),
    check: (output, task) => {
      const asked = filesAskedFor(task).filter((path) => isOfKind({ path, type: '' }));
      if (asked.length === 0) return skipped(`the task asks for no ${kind} file`);
      const missing = asked.filter((path) => !isThere(path, artifactsOf(output)));
      if (missing.length === 0)
        return {
          passed: true,
          score: 1,
          details: `All ${asked.length} files exist`,
          estimatedEffort: 'medium',
        };
      return {
        passed: false,
        score: 1 - missing.length / asked.length,
        details: `Missing files: ${missing.slice(0, 20).join(', ')}`,
        suggestedFix: 'Write the missing files',
        estimatedEffort: 'medium',
        findings: missing.map((path) => ({
          description: `the task asks for ${path}, which is missing`,
          suggestedFix: `Write ${path}`,
        })),
      };
    },
  });
}
