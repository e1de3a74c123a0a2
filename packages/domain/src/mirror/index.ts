/** The rules of mirrors: folders with an upstream. */
export * from './absence.ts';
export * from './absent-platform.ts';
export * from './bring-in.ts';
export * from './client-files.ts';
export * from './decide-read.ts';
export * from './last-good.ts';
export * from './mirror.ts';
export * from './mirror-of-host.ts';
export * from './mirror-tag.ts';
export * from './tag-state.ts';
