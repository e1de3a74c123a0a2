/** The rules of mirrors: folders with an upstream. */
export * from './mirror.ts';
