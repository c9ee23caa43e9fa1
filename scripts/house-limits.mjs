/** What `npm run house` and the tests hold the package to. Raising a limit is a commit with its reason. */
export const limits = {
  /** Files of `src`, and their lines. These only go down. */
  sourceFiles: 884,
  sourceLines: 119_324,
  /** Lines of the tests. */
  testLines: 124_624,
  /** Words of docs/. */
  docsWords: 49_994,
  /** Names that all entry points export, and the entry points. */
  names: 626,
  entryPoints: 34,
  /** Names that `.` exports. */
  rootNames: 109,
  /** Lines of a source file. */
  fileLines: 400,
  /** Lines of a function. */
  functionLines: 60,
  /** Packages that `npm i reviewloop` brings, itself included. */
  packages: 16,
  /** Megabytes on disk of these packages, zod aside. */
  megabytes: 11,
  /** Kilobytes of `definePipeline` and `criterion`, minified and gzipped, zod outside. */
  coreKilobytes: 32,
  /** The same of all that `.` exports, with its packages outside; then with what `import()` brings later. */
  rootKilobytes: 69.3,
  rootLaterKilobytes: 134.6,
  /** The same of `reviewloop/testing`. */
  testingKilobytes: 23.8,
};

/** Words that only the authors know: numbers of documents, of requirements and of laws. */
export const jargon = /\bseed[- ]?00\d|\bD00\d-\d|\b(?:SR|RV|QR|P4)-\d|\blaws? \d/gi;
