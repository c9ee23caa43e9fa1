import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Converter } from 'typedoc';
import { libraryEntries } from '../scripts/entries.mjs';
import config from '../typedoc.config.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What typedoc calls the module of a source file. */
const moduleOf = (source) => source.replace(/^src\//, '').replace(/(?:\/index)?\.ts$/, '');
const subpaths = new Map(
  Object.entries(libraryEntries).map(([entry, source]) => [
    moduleOf(source),
    entry === 'index' ? 'reviewloop' : entry,
  ]),
);

/** Names each module after the subpath that users import. */
function namesOfSubpaths(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const each of project.children ?? []) each.name = subpaths.get(each.name) ?? each.name;
  });
}

/** The reference of the site, from the same settings as `npm run docs:check`. */
export default {
  ...config,
  entryPoints: config.entryPoints.map((path) => `${root}${path}`),
  tsconfig: `${root}tsconfig.json`,
  plugin: [createRequire(import.meta.url).resolve('typedoc-plugin-markdown'), namesOfSubpaths],
  emit: 'docs',
  validation: false,
  out: fileURLToPath(new URL('pages/reference', import.meta.url)),
  name: 'Types of each entry point',
  router: 'module',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  sanitizeComments: true,
};
