/** The REST API as data: one descriptor per operation. */
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { dashboard } from './dashboard.ts';
import { folders } from './folders.ts';
import { groups } from './groups.ts';
import { images } from './images.ts';
import { maintenance } from './maintenance.ts';
import { network } from './network.ts';
import { oidc } from './oidc.ts';
import { processes } from './processes.ts';
import { registries } from './registries.ts';
import { staging } from './staging.ts';
import { system } from './system.ts';
import { tokens } from './tokens.ts';
import { transfers } from './transfers.ts';
import { trivy } from './trivy.ts';
import { users } from './users.ts';

export * from './audit.ts';
export * from './auth.ts';
export * from './common.ts';
export * from './dashboard.ts';
export * from './faults.ts';
export * from './folder-words.ts';
export * from './folders.ts';
export * from './groups.ts';
export * from './images.ts';
export * from './maintenance.ts';
export * from './network.ts';
export * from './oidc.ts';
export * from './operation.ts';
export { TEXT } from './patterns.ts';
export * from './processes.ts';
export * from './registries.ts';
export * from './severity-counts.ts';
export * from './staging.ts';
export * from './staging-input.ts';
export * from './staging-job.ts';
export * from './system.ts';
export * from './tokens.ts';
export * from './transfer-input.ts';
export * from './transfers.ts';
export * from './trivy.ts';
export * from './users.ts';

export const contract = {
  auth,
  users,
  tokens,
  groups,
  folders,
  registries,
  images,
  staging,
  network,
  oidc,
  transfers,
  audit,
  processes,
  system,
  trivy,
  maintenance,
  dashboard,
};
