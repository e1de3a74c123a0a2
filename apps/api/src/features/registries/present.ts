import type {
  NewRegistry,
  Registry,
  RegistryChange,
  RegistryCheck,
  RegistryProbe,
} from '@portcullis/contract';
import type { PingResult } from '@portcullis/oci/remote';
import type { ProbeOrder, RegistryOrder, RegistryUpdate, ShownRegistry } from './service.ts';

export function presentRegistry(registry: ShownRegistry): Registry {
  const { lastCheck } = registry;
  return {
    id: registry.id,
    name: registry.name,
    host: registry.host,
    username: registry.username,
    has_password: registry.hasPassword,
    owner: registry.ownerId === null ? 'global' : (registry.ownerName ?? ''),
    use_tls: registry.useTls,
    tls_verify: registry.tlsVerify,
    ca_cert: registry.caCert,
    token_hosts: registry.tokenHosts,
    push_namespace: registry.pushNamespace,
    policy_id: registry.policyId,
    system: registry.system,
    created_at: registry.createdAt?.toISOString() ?? null,
    last_check: lastCheck && {
      at: lastCheck.at.toISOString(),
      ok: lastCheck.ok,
      code: lastCheck.code,
      message: lastCheck.message,
    },
  };
}

export function presentCheck({ latencyMs, ...result }: PingResult): RegistryCheck {
  return { ...result, latency_ms: latencyMs };
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

/** An absent field remains absent instead of null. */
export function registryChange({
  use_tls,
  tls_verify,
  ca_cert,
  policy_id,
  token_hosts,
  push_namespace,
  ...rest
}: RegistryChange): RegistryUpdate {
  const change = {
    ...rest,
    useTls: use_tls,
    tlsVerify: tls_verify,
    caCert: ca_cert,
    policyId: policy_id,
    tokenHosts: token_hosts === null ? [] : token_hosts,
    pushNamespace: push_namespace,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
