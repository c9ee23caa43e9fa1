export declare const slugOf: (heading: string) => string;
