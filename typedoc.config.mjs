import { libraryEntries } from './scripts/entries.mjs';

/** @type {Partial<import('typedoc').TypeDocOptions>} */
const config = {
  entryPoints: Object.values(libraryEntries),
  tsconfig: 'tsconfig.json',
  emit: 'none',
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  skipErrorChecking: true,
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  requiredToBeDocumented: ['Enum', 'Variable', 'Function', 'Class', 'Interface', 'TypeAlias'],
  disableSources: true,
};

export default config;
