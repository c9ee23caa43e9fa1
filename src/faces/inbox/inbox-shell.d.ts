/** The page of the inbox, as scripts/report-shell.mjs builds it from `app/`. */
export declare const script: string;
export declare const style: string;
export declare const views: string;
export declare const scriptHash: string;
export declare const styleHash: string;
export declare const viewsHash: string;
