// Builds the pages of a report and of the inbox, their scripts and styles, as the modules `#report-shell` and
// `#inbox-shell`. tsup and vitest resolve them by the plugins here, so that no built file lies among the sources.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const folder = (path) => fileURLToPath(new URL(`../src/${path}/`, import.meta.url));
const apps = { '#report-shell': 'reports/html/app', '#inbox-shell': 'inbox/app' };
const filter = /^#(?:report|inbox)-shell$/;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const target = ['chrome123', 'firefox120', 'safari17.5'];

/** Returns the script and the style of the page with the hashes that its content policy names. */
export async function reportShell(name = '#report-shell') {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${folder(apps[name])}main.tsx`],
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target,
    legalComments: 'none',
    charset: 'ascii',
  });
  const script = (outputFiles[0]?.text ?? '').trim();
  if (/<\/script|<!--/i.test(script))
    throw new Error('the script of the report contains text that would end its element');
  const styles = [...new Set(['reports/html/app', apps[name]])].map((path) =>
    readFileSync(`${folder(path)}style.css`, 'utf8'),
  );
  const style = (
    await transform(styles.join('\n'), { loader: 'css', minify: true, target })
  ).code.trim();
  return {
    shell: { script, style, scriptHash: hashOf(script), styleHash: hashOf(style), version },
    inputs: Object.keys(metafile.inputs),
  };
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function moduleOf({ shell }) {
  return Object.entries(shell)
    .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** The plugin for tsup. */
export const esbuildReportShell = {
  name: 'report-shell',
  setup(/** @type {import('esbuild').PluginBuild} */ builder) {
    builder.onResolve({ filter }, ({ path }) => ({ path, namespace: 'shell' }));
    builder.onLoad({ filter: /.*/, namespace: 'shell' }, async ({ path }) => ({
      contents: moduleOf(await reportShell(path)),
      loader: 'js',
    }));
  },
};

/** The plugin for vitest. */
export function viteReportShell() {
  return {
    name: 'report-shell',
    enforce: /** @type {const} */ ('pre'),
    resolveId: (/** @type {string} */ source) => (filter.test(source) ? `\0${source}` : undefined),
    load: async (/** @type {string} */ source) =>
      source.startsWith('\0#') && filter.test(source.slice(1))
        ? moduleOf(await reportShell(source.slice(1)))
        : undefined,
  };
}
