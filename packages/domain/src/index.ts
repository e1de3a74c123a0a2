export * from './access.ts';
export * from './decision.ts';
export * from './location.ts';
export * from './principal.ts';
export * from './settings.ts';
export * from './staging.ts';
export * from './verdict.ts';
export * from './vulnerability.ts';
