/**
 * Saved registries: private ones, global ones for all accounts, and the built-in one, which cannot
 * be changed.
 */
import {
  assertAllowed,
  LOCAL_REGISTRY_ID,
  mayAskRegistries,
  type Principal,
} from '@portcullis/domain';
import { conflict, forbidden, notFound } from '@portcullis/errors';
import { registryHost } from '@portcullis/oci';
import { type PingResult, ping, type RegistryOptions } from '@portcullis/oci/remote';
import {
  type Egress,
  endpointOf,
  type RegistryAccess,
  visibleRegistry,
} from '@portcullis/registry-access';
import type { NewRegistry, SavedRegistry, Store } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import { assertSession } from '../tokens/service.ts';
import { checkedCertificate } from './certificate.ts';

export interface RegistriesPorts {
  registries: Store['registries'];
  policies: Pick<Store['policies'], 'find'>;
  access: Pick<RegistryAccess, 'optionsOf'>;
  egress: Pick<Egress, 'for'>;
  /** The host of the built-in registry for clients. */
  publicHost(): string;
  /** Call after a change of a policy that applies to a registry. */
  policyChanged(): Promise<void>;
  now(): Date;
}

export type RegistryOrder = Required<Omit<NewRegistry, 'ownerId' | 'system'>> & {
  global: boolean;
};
export type ProbeOrder = Omit<RegistryOrder, 'name' | 'global' | 'policyId' | 'pushNamespace'>;
export type RegistryUpdate = Partial<Omit<NewRegistry, 'ownerId' | 'system'>>;
/** The built-in registry has no row and no creation time. */
export type ShownRegistry = Omit<SavedRegistry, 'createdAt'> & { createdAt: Date | null };

const MOST_OF_ACCOUNT = 100;

export function createRegistriesService(ports: RegistriesPorts) {
  const { registries, access, egress } = ports;

  async function list(principal: Principal, includeSystem: boolean): Promise<ShownRegistry[]> {
    const rows = await registries.list(principal.isAdmin ? {} : { visibleTo: principal.id });
    const saved = rows.filter(({ system }) => !system);
    return includeSystem ? [builtIn(ports.publicHost()), ...saved] : saved;
  }

  async function get(principal: Principal, id: string): Promise<ShownRegistry> {
    return id === LOCAL_REGISTRY_ID
      ? builtIn(ports.publicHost())
      : visibleRegistry(registries, id, principal);
  }

  async function create(
    principal: Principal,
    { global, ...order }: RegistryOrder,
  ): Promise<SavedRegistry> {
    assertSession(principal, 'saved registries');
    if (global && !principal.isAdmin)
      throw forbidden('ADMIN_ONLY', 'Only an administrator saves a registry for everybody.');
    assertMaySetPolicy(principal, NO_POLICY, order);
    checkedCertificate(order.caCert);
    if (!global) await assertRoom(principal.id);
    await assertPolicy(order.policyId);
    const ownerId = global ? null : principal.id;
    const saved = await registries.insert({ ...order, host: registryHost(order.host), ownerId });
    if (saved.policyId !== null) await ports.policyChanged();
    return saved;
  }

  /** @throws invalid `POLICY_UNKNOWN` */
  async function assertPolicy(id: string | null | undefined): Promise<void> {
    if (id == null || (await ports.policies.find(id))) return;
    throw fieldInvalid('policy_id', 'POLICY_UNKNOWN', 'There is no policy with this id.');
  }

  async function assertRoom(id: string): Promise<void> {
    const own = (await registries.list({ visibleTo: id })).filter(({ ownerId }) => ownerId === id);
    if (own.length >= MOST_OF_ACCOUNT)
      throw conflict(
        'REGISTRIES_MANY',
        `An account saves ${MOST_OF_ACCOUNT} registries of its own at most.`,
      );
  }

  async function update(
    principal: Principal,
    id: string,
    change: RegistryUpdate,
  ): Promise<SavedRegistry> {
    assertSession(principal, 'saved registries');
    const saved = await changeable(principal, id);
    checkedCertificate(change.caCert);
    const wanted = {
      ...change,
      ...(change.host !== undefined && { host: registryHost(change.host) }),
      ...(change.username === null && { password: null }),
    };
    assertMaySetPolicy(principal, saved, wanted);
    assertCredentials(saved, wanted);
    await assertPolicy(wanted.policyId);
    const { name: _, policyId, ...place } = wanted;
    if (Object.keys(place).length > 0) await registries.checked(id, null);
    const updated = await registries.update(id, wanted);
    if (policyId !== undefined) await ports.policyChanged();
    return updated;
  }

  async function remove(principal: Principal, id: string): Promise<void> {
    await registries.remove((await changeable(principal, id)).id);
  }

  /**
   * All accounts may use a global registry, and administrators may change it; other accounts get a
   * 404.
   */
  async function changeable(principal: Principal, id: string): Promise<SavedRegistry> {
    if (id === LOCAL_REGISTRY_ID) throw systemRegistry();
    const saved = await visibleRegistry(registries, id, principal);
    if (saved.ownerId !== principal.id && !principal.isAdmin)
      throw notFound('REGISTRY_UNKNOWN', 'There is no saved registry of yours with this id.');
    if (saved.system) throw systemRegistry();
    return saved;
  }

  async function probe(
    principal: Principal,
    { username, password, ...place }: ProbeOrder,
  ): Promise<PingResult> {
    assertAllowed(mayAskRegistries(principal));
    checkedCertificate(place.caCert);
    const credentials = username && password ? { credentials: { username, password } } : {};
    return attempt({ ...endpointOf(place), transport: egress.for(principal), ...credentials });
  }

  async function check(principal: Principal, id: string): Promise<PingResult> {
    if (id === LOCAL_REGISTRY_ID) return attempt(await access.optionsOf({ kind: 'local' }));
    const saved = await visibleRegistry(registries, id, principal);
    assertAllowed(mayAskRegistries(principal));
    const result = await attempt(await access.optionsOf({ kind: 'saved', saved }));
    const { authenticated: ok, code, message } = result;
    await registries.checked(id, { at: ports.now(), ok, code, message });
    return result;
  }

  return { list, get, create, update, remove, probe, check };
}
export type RegistriesService = ReturnType<typeof createRegistriesService>;

function attempt(options: RegistryOptions): Promise<PingResult> {
  return ping(options, { timeoutMs: CHECK_MS });
}

const CHECK_MS = 10_000;

const NO_POLICY = { policyId: null, host: null };

/**
 * The owner of a registry does not choose which images may be pushed to it, nor where a policy that
 * was set for one host applies.
 */
function assertMaySetPolicy(
  { isAdmin }: Principal,
  saved: { policyId: string | null; host: string | null },
  { policyId = saved.policyId, host = saved.host ?? undefined }: RegistryUpdate,
): void {
  if (isAdmin) return;
  if (policyId !== saved.policyId)
    throw forbidden('ADMIN_ONLY', 'Only an administrator sets the policy of a registry.');
  if (saved.policyId !== null && host !== saved.host)
    throw forbidden(
      'ADMIN_ONLY',
      'An administrator set the policy of this registry: only an administrator changes its host.',
    );
}

/** A stored password must not be sent to another host than it was given for. */
function assertCredentials(saved: SavedRegistry, change: RegistryUpdate): void {
  const { host = saved.host, username = saved.username, password } = change;
  if (password && !username)
    throw fieldInvalid('username', 'USERNAME_REQUIRED', 'A password belongs to a username.');
  if (host !== saved.host && saved.hasPassword && password === undefined) {
    const message = 'For another host the password has to be given anew, or removed with null.';
    throw fieldInvalid('password', 'PASSWORD_REQUIRED', message);
  }
  const added = change.tokenHosts?.some((each) => !saved.tokenHosts.includes(each)) ?? false;
  if (added && saved.hasPassword && password === undefined) {
    const message = 'For another token service the password has to be given again.';
    throw fieldInvalid('password', 'PASSWORD_REQUIRED', message);
  }
}

function systemRegistry() {
  return forbidden('REGISTRY_SYSTEM', 'The built-in registry can not be changed.');
}

function builtIn(host: string): ShownRegistry {
  return {
    id: LOCAL_REGISTRY_ID,
    name: LOCAL_REGISTRY_ID,
    host,
    username: null,
    hasPassword: false,
    ownerId: null,
    ownerName: null,
    policyId: null,
    useTls: true,
    tlsVerify: true,
    caCert: null,
    tokenHosts: [],
    pushNamespace: null,
    system: true,
    createdAt: null,
    lastCheck: null,
  };
}
