// Builds the page of a report, its script and its style, as the module `#report-shell`. tsup and vitest resolve it by
// the plugins here, so that no built file lies among the sources.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const app = fileURLToPath(new URL('../src/reports/html/app/', import.meta.url));
const name = '#report-shell';
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const target = ['chrome123', 'firefox120', 'safari17.5'];

/** Returns the script and the style of the page with the hashes that its content policy names. */
export async function reportShell() {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${app}main.tsx`],
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
  const source = readFileSync(`${app}style.css`, 'utf8');
  const style = (await transform(source, { loader: 'css', minify: true, target })).code.trim();
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
    builder.onResolve({ filter: /^#report-shell$/ }, () => ({ path: name, namespace: 'shell' }));
    builder.onLoad({ filter: /.*/, namespace: 'shell' }, async () => ({
      contents: moduleOf(await reportShell()),
      loader: 'js',
    }));
  },
};

/** The plugin for vitest. */
export function viteReportShell() {
  const id = `\0${name}`;
  return {
    name: 'report-shell',
    enforce: /** @type {const} */ ('pre'),
    resolveId: (/** @type {string} */ source) => (source === name ? id : undefined),
    load: async (/** @type {string} */ source) =>
      source === id ? moduleOf(await reportShell()) : undefined,
  };
}
