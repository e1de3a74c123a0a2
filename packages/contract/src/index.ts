/** The REST API as data: one descriptor per operation. */
import { auth } from './auth.ts';
import { staging } from './staging.ts';
import { system, trivy } from './system.ts';

export * from './auth.ts';
export * from './common.ts';
export * from './operation.ts';
export * from './staging.ts';
export * from './staging-input.ts';
export * from './staging-job.ts';
export * from './system.ts';

export const contract = { auth, staging, system, trivy };
