import {
  fromWire,
  type NewRegistry,
  RegistryChange,
  type RegistryProbe,
} from '@portcullis/contract';
import type { ProbeOrder, RegistryOrder, RegistryUpdate, ShownRegistry } from './service.ts';

export function presentRegistry(registry: ShownRegistry) {
  const owner = registry.ownerId === null ? 'global' : (registry.ownerName ?? '');
  return { ...registry, owner };
}

export function registryOrder(body: NewRegistry): RegistryOrder {
  return {
    name: body.name,
    ...registryProbe(body),
    global: body.owner === 'global',
    policyId: body.policy_id ?? null,
    pushNamespace: body.push_namespace ?? null,
  };
}

export function registryProbe(body: RegistryProbe): ProbeOrder {
  return {
    host: body.host,
    username: body.username ?? null,
    password: body.password ?? null,
    useTls: body.use_tls,
    tlsVerify: body.tls_verify,
    caCert: body.ca_cert ?? null,
    tokenHosts: body.token_hosts ?? [],
  };
}

export function registryChange(body: RegistryChange): RegistryUpdate {
  const { tokenHosts, ...rest } = fromWire(RegistryChange, body);
  return { ...rest, ...(tokenHosts !== undefined && { tokenHosts: tokenHosts ?? [] }) };
}
