export declare const frameworksFolder: string;
export declare const frameworks: Readonly<Record<string, Readonly<Record<string, string>>>>;
export declare function isInstalled(name: string): boolean;
