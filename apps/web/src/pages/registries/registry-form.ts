/** The state of the registry form and the requests made of it. */
import type { NewRegistry, Registry } from '@portcullis/contract';
import type { RequestFor } from '../../api/client.ts';

export interface RegistryForm {
  name: string;
  host: string;
  username: string;
  /** Empty: the stored one is kept. */
  password: string;
  global: boolean;
  useTls: boolean;
  tlsVerify: boolean;
  caCert: string;
  /** `host[:port]`, with spaces or commas between them. */
  tokenHosts: string;
  pushNamespace: string;
  /** Of pushes to it; null: the default policy. */
  policyId: string | null;
}

export function emptyForm(global: boolean): RegistryForm {
  return {
    name: '',
    host: '',
    username: '',
    password: '',
    global,
    useTls: true,
    tlsVerify: true,
    caCert: '',
    tokenHosts: '',
    pushNamespace: '',
    policyId: null,
  };
}

export function formOf(registry: Registry): RegistryForm {
  return {
    name: registry.name,
    host: registry.host,
    username: registry.username ?? '',
    password: '',
    global: registry.owner === 'global',
    useTls: registry.use_tls,
    tlsVerify: registry.tls_verify,
    caCert: registry.ca_cert ?? '',
    tokenHosts: registry.token_hosts.join(', '),
    pushNamespace: registry.push_namespace ?? '',
    policyId: registry.policy_id,
  };
}

type Probe = RequestFor<'registries.probeRegistry'>['body'];
type Change = RequestFor<'registries.updateRegistry'>['body'];

export function probeOf(form: RegistryForm): Probe {
  return {
    host: hostOf(form.host),
    username: form.username.trim() || null,
    password: form.username.trim() === '' ? null : form.password || null,
    use_tls: form.useTls,
    tls_verify: form.tlsVerify,
    ca_cert: form.caCert.trim() || null,
    token_hosts: tokenHostsOf(form),
  };
}

export function newRegistryOf(form: RegistryForm): NewRegistry {
  return {
    ...probeOf(form),
    name: form.name.trim(),
    owner: form.global ? 'global' : null,
    push_namespace: form.pushNamespace.trim() || null,
    ...(form.policyId !== null && { policy_id: form.policyId }),
  } as NewRegistry;
}

/**
 * Without a username the credentials are removed; an empty password keeps the stored one.
 * `policyId`: the stored one.
 */
export function changeOf(form: RegistryForm, policyId: string | null): Change {
  const { password, ...access } = probeOf(form);
  const credential = access.username === null || form.password !== '' ? { password } : {};
  // Only administrators may send one.
  const policy = form.policyId === policyId ? {} : { policy_id: form.policyId };
  const push_namespace = form.pushNamespace.trim() || null;
  return { ...access, ...credential, ...policy, push_namespace, name: form.name.trim() };
}

/** Removes the scheme and the path of a pasted URL. */
export function hostOf(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '');
}

/** The stored password is not sent to another host, nor to another token service. */
export function needsPasswordAgain(form: RegistryForm, registry: Registry | null): boolean {
  if (registry?.has_password !== true || form.password !== '') return false;
  const isAdded = (host: string) => !registry.token_hosts.includes(host);
  return hostOf(form.host) !== registry.host || tokenHostsOf(form).some(isAdded);
}

function tokenHostsOf({ tokenHosts }: RegistryForm): string[] {
  return tokenHosts
    .split(/[\s,]+/)
    .map(hostOf)
    .filter((host) => host !== '');
}

/** Which registry the drawer shows; `new` for one that isn't saved yet. */
export type Edited = Registry | 'new' | null;
