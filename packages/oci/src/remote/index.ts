/** Registries over HTTP. */

export type { Credentials } from './auth/token.ts';
export type { RegistryOptions } from './client.ts';
export { statedTls, type TlsMode } from './endpoint.ts';
export {
  type AddressGuard,
  type AddressGuardOptions,
  createAddressGuard,
  isAddressRule,
} from './http/guard.ts';
export { endpointsOf, type Lookup } from './http/lookup.ts';
export { DEFAULT_PACE, type Pace } from './http/pace.ts';
export type { ProxyEnv } from './http/proxy.ts';
export { isCostly } from './http/retry.ts';
export {
  createTransport,
  type Transport,
  type TransportLog,
  type TransportOptions,
} from './http/transport.ts';
export { guardedHosts, openWaysOut, type WaysOut, type WaysOutOptions } from './http/ways-out.ts';
export type { FetchedManifest } from './manifests.ts';
export { type Page, type PageOptions, readCatalog } from './page.ts';
export { type PingResult, ping } from './ping.ts';
export { DELETED_TAG } from './removal.ts';
export { openRepository, type Repository, type RepositoryOptions } from './repository.ts';
