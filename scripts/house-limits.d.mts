export declare const limits: Readonly<
  Record<
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
