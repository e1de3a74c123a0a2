/** Registries over HTTP. */

export type { RegistryOptions } from './client.ts';
export { statedTls, type TlsMode } from './endpoint.ts';
export { type AddressGuard, type AddressGuardOptions, createAddressGuard, isAddressRule } from './guard.ts';
export { endpointsOf, type Lookup } from './lookup.ts';
export type { FetchedManifest } from './manifests.ts';
export { DEFAULT_PACE, type Pace } from './pace.ts';
export { type Page, type PageOptions, readCatalog } from './page.ts';
export { type PingResult, ping } from './ping.ts';
export type { ProxyEnv } from './proxy.ts';
export { DELETED_TAG } from './removal.ts';
export { openRepository, type Repository, type RepositoryOptions } from './repository.ts';
export { isCostly } from './retry.ts';
export type { Credentials } from './token.ts';
export { createTransport, type Transport, type TransportLog, type TransportOptions } from './transport.ts';
export { guardedHosts, openWaysOut, type WaysOut, type WaysOutOptions } from './ways-out.ts';
