/** The page of the inbox, as scripts/report-shell.mjs builds it from `app/`. */
export declare const script: string;
export declare const style: string;
/** The second program, which shows a run. */
export declare const views: string;
/** The hashes that the content policy of the page names. */
export declare const scriptHash: string;
export declare const styleHash: string;
export declare const viewsHash: string;
