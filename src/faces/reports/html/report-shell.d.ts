/** The page of a report, as scripts/report-shell.mjs builds it from `app/`. */
export declare const script: string;
export declare const style: string;
export declare const scriptHash: string;
export declare const styleHash: string;
export declare const version: string;
