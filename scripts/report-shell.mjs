// Builds the pages of a report and of the inbox, their scripts and styles, as the modules `#report-shell` and
// `#inbox-shell`. tsup and vitest resolve them by the plugins here, so that no built file lies among the sources.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const folder = (path) => fileURLToPath(new URL(`../src/${path}/`, import.meta.url));
const apps = { '#report-shell': 'faces/reports/html/app', '#inbox-shell': 'faces/inbox/app' };
const filter = /^#(?:report|inbox)-shell$/;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const target = ['chrome123', 'firefox120', 'safari17.5'];

/** What the second program of the inbox takes from the first one, by package. */
const shared = {
  preact: ['createContext', 'Fragment', 'h'],
  'preact/hooks': ['useContext', 'useEffect', 'useRef', 'useState'],
};

/** Takes packages from the first program of the page in place of another copy. */
const fromFirstProgram = {
  name: 'shared',
  setup(/** @type {import('esbuild').PluginBuild} */ builder) {
    builder.onResolve({ filter: /^preact(\/hooks)?$/ }, ({ path }) => ({
      path,
      namespace: 'shared',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `export const { ${shared[path].join(', ')} } = globalThis.reviewloop.parts;`,
    }));
  },
};

async function programOf(entry, plugins = []) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'iife',
    // smaller than the calls of the automatic form
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [`${folder('faces/reports/html/app')}jsx.ts`],
    tsconfigRaw: {},
    plugins,
    target,
    legalComments: 'none',
    charset: 'ascii',
  });
  const script = (outputFiles[0]?.text ?? '').trim();
  if (/<\/script|<!--/i.test(script))
    throw new Error('the script of the report contains text that would end its element');
  return { script, inputs: Object.keys(metafile.inputs) };
}

/**
 * Returns the script and the style of a page with the hashes that its content policy names. The inbox
 * has a second script, the views of a run.
 */
export async function reportShell(name = '#report-shell') {
  const { script, inputs } = await programOf(`${folder(apps[name])}main.tsx`);
  const second =
    name === '#inbox-shell'
      ? await programOf(`${folder(apps[name])}views.tsx`, [fromFirstProgram])
      : undefined;
  const styles = [...new Set(['faces/reports/html/app', apps[name]])].map((path) =>
    readFileSync(`${folder(path)}style.css`, 'utf8'),
  );
  const style = (
    await transform(styles.join('\n'), { loader: 'css', minify: true, target })
  ).code.trim();
  return {
    shell: {
      script,
      style,
      scriptHash: hashOf(script),
      styleHash: hashOf(style),
      version,
      ...(second && { views: second.script, viewsHash: hashOf(second.script) }),
    },
    inputs: [...inputs, ...(second?.inputs ?? [])],
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
