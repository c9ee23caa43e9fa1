import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Bundles a module for Node as an application would, with the packages `external` outside. Returns what loads at its
 * start, the text of the chunks and its kilobytes, minified and gzipped; and the kilobytes with all that `import()`
 * may bring later.
 *
 * @param {string} contents
 * @param {string} root
 * @param {readonly string[]} external
 */
export async function bundleOf(contents, root, external = ['zod']) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['node', 'import'],
    // as the condition `node` of `imports` in package.json has it
    alias: { '#hash': `${root}/src/core/no-portable-hash.ts` },
    external: [...external, 'node:*'],
    outdir: 'out',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const { outputs } = metafile;
  const initial = new Set();
  const open = Object.keys(outputs).filter((path) => outputs[path].entryPoint === '<stdin>');
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (initial.has(path) || outputs[path] === undefined) continue;
    initial.add(path);
    for (const { kind, path: next } of outputs[path].imports)
      if (kind === 'import-statement') open.push(next);
  }
  const text = outputFiles
    .filter(({ path }) => [...initial].some((one) => path.endsWith(one.replace(/^.*out\//, '/'))))
    .map((file) => file.text)
    .join('\n');
  const kilobytesOf = (code) => gzipSync(code, { level: 9 }).length / 1000;
  const all = outputFiles.map((file) => file.text).join('\n');
  return { text, kilobytes: kilobytesOf(text), withLater: kilobytesOf(all) };
}
