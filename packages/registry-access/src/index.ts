/** Which registries an account may open, and which addresses those connections may reach. */
export { type Egress, openEgress } from './egress.ts';
export { MARK_HEADER, readMark } from './instance-mark.ts';
export { ownEndpoints } from './own-endpoints.ts';
export { createOwnHosts, type OwnHosts } from './own-hosts.ts';
export {
  createRegistryAccess,
  endpointOf,
  localRegistryOptions,
  localRepositories,
  type RegistryAccess,
  type RegistryLocation,
} from './registry-access.ts';
export { visibleRegistry } from './trust.ts';
