declare const VERSION: string;
declare const FILES: Record<string, string>;
