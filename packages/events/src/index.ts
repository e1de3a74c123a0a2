export * from './audit-event.ts';
export { AUDIT_CEILING, publish, recent } from './audit-stream.ts';
export * from './changes.ts';
export * from './consume.ts';
export * from './live-network.ts';
export * from './live-settings.ts';
export * from './progress.ts';
export * from './trim.ts';
