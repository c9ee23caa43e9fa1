export declare function isFresh(): boolean;
export declare function buildIfNeeded(): void;
