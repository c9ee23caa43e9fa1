export declare function linesOf(file: string): number;
export declare function countLines(text: string): number;
