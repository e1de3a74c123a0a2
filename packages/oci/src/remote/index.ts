/** Entry of `./remote`: registries over HTTP, as sources and targets. */

export type { BlobMovers } from '../movers/blob-movers.ts';
export { createMoverPool, type MoverPoolOptions } from '../movers/mover-pool.ts';
export type { RegistryCredentials } from './auth/token.ts';
export type { RegistryOptions } from './client.ts';
export { type TlsMode, tlsOptions } from './endpoint.ts';
export { followPages } from './follow-pages.ts';
export {
  type AddressGuard,
  type AddressGuardOptions,
  createAddressGuard,
  isAddressRule,
} from './http/guard.ts';
export {
  createGuardedResolver,
  createGuardedTransports,
  type GuardedTransportOptions,
  type GuardedTransports,
} from './http/guarded-transports.ts';
export type { Lookup } from './http/lookup.ts';
export type { ProxyEnv } from './http/proxy.ts';
export { backoffMs, isTimeoutFault } from './http/retry.ts';
export { DEFAULT_STALL_LIMITS, type StallLimits } from './http/stall.ts';
export { createTransport, type Transport, type TransportOptions } from './http/transport.ts';
export type { ClientIdentity } from './http/transport-parts.ts';
export type { FetchedManifest } from './manifests.ts';
export { openRepository } from './named/named-repository.ts';
export { type ListPage, type ListPageOptions, readCatalog } from './page.ts';
export { type PingResult, ping } from './ping.ts';
export { registryWords } from './registry-words.ts';
export { deletedTagType } from './removal.ts';
export type { Repository, RepositoryOptions } from './repository.ts';
