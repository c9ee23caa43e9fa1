export declare const limits: Readonly<
  Record<
    | 'sourceFiles'
    | 'sourceLines'
    | 'testLines'
    | 'docsWords'
    | 'names'
    | 'entryPoints'
    | 'rootNames'
    | 'fileLines'
    | 'functionLines'
    | 'packages'
    | 'megabytes'
    | 'coreKilobytes',
    number
  >
>;
export declare const jargon: RegExp;
