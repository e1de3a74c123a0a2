/** Policies: who may read which, and their changes. */
import { isDeepStrictEqual } from 'node:util';
import { fieldFault, type PolicyChange, policyRules, policyTerms } from '@portcullis/contract';
import {
  DEFAULT_POLICY_NAME,
  defaultPolicy,
  foldersWith,
  type Policy,
  type PolicyRules,
  type Principal,
  type ScanPolicy,
} from '@portcullis/domain';
import { type AppError, forbidden, notFound } from '@portcullis/errors';
import type { PolicyUse, PolicyVersion, Store, StoredPolicy } from '@portcullis/store';
import { fieldsInvalid } from '../../http/problem.ts';

export interface PoliciesPorts {
  store: Pick<Store, 'policies' | 'folders' | 'registries' | 'authorities'>;
  /** The scan settings in force, which the default policy is made from. */
  settings(): Promise<ScanPolicy>;
  /** Call after a change: processes judge images again. */
  changed(): Promise<void>;
}

/** A policy with the places that use it, as far as the account may read them. */
export interface ShownPolicy {
  policy: Policy;
  /** Null: the default policy. */
  stored: StoredPolicy | null;
  use: PolicyUse;
}

export interface SavedPolicy {
  before: StoredPolicy;
  after: StoredPolicy;
}

export function createPoliciesService({ store, settings, changed }: PoliciesPorts) {
  const { policies } = store;

  async function list(principal: Principal): Promise<ShownPolicy[]> {
    const [stored, current, useOf] = await Promise.all([
      policies.list(),
      settings(),
      usesFor(principal),
    ]);
    const byDefault = { policy: defaultPolicy(current), stored: null, use: useOf(null) };
    const named = stored.map((each) => presentPolicy(each, useOf(each.id)));
    return [byDefault, ...named.filter((each) => isVisible(principal, each))];
  }

  async function usesFor(principal: Principal): Promise<(id: string | null) => PolicyUse> {
    const [gates, registries] = await Promise.all([
      store.folders.gates(),
      store.registries.list(principal.isAdmin ? {} : { visibleTo: principal.id }),
    ]);
    const names = [...gates.keys()].toSorted();
    const readable = new Set(principal.isAdmin ? names : foldersWith(principal.grants, 'pull'));
    const policyOf = (name: string) => gates.get(name)?.policyId ?? null;
    return (id) => ({
      folders: names.filter((name) => readable.has(name) && policyOf(name) === id),
      registries: registries
        .filter(({ system, policyId }) => !system && policyId === id)
        .map(({ id: registryId, name }) => ({ id: registryId, name })),
    });
  }

  /** @throws not_found `POLICY_UNKNOWN` also where the account may not read it */
  async function get(
    principal: Principal,
    id: string,
  ): Promise<{ shown: ShownPolicy; versions: PolicyVersion[] }> {
    const useOf = await usesFor(principal);
    if (id === DEFAULT_POLICY_NAME) {
      const policy = defaultPolicy(await settings());
      return { shown: { policy, stored: null, use: useOf(null) }, versions: [] };
    }
    const found = presentPolicy(await policies.get(id), useOf(id));
    if (!isVisible(principal, found)) throw unknownPolicy();
    return { shown: found, versions: await policies.versions(id) };
  }

  async function create(
    principal: Principal,
    policy: { name: string; rules: PolicyRules },
  ): Promise<ShownPolicy> {
    await assertAuthorities(policy.rules, store.authorities);
    const made = { ...policy, savedBy: principal.username };
    const stored = await announce(() => policies.insertPolicy(made));
    return presentPolicy(stored, { folders: [], registries: [] });
  }

  /** The same terms make no new version. */
  async function update(
    principal: Principal,
    id: string,
    { version, name, ...terms }: PolicyChange,
  ): Promise<SavedPolicy & { shown: ShownPolicy }> {
    assertStored(id);
    const before = await policies.get(id);
    const rules = policyRules({ ...policyTerms(before.rules), ...present(terms) });
    await assertAuthorities(rules, store.authorities);
    const change = {
      version,
      savedBy: principal.username,
      ...(name !== undefined && { name }),
      ...(!isDeepStrictEqual(rules, before.rules) && { rules }),
    };
    const after = await announce(() => policies.update(id, change));
    const useOf = await usesFor(principal);
    return { before, after, shown: presentPolicy(after, useOf(id)) };
  }

  async function remove(id: string): Promise<StoredPolicy> {
    assertStored(id);
    const stored = await policies.get(id);
    await announce(() => policies.remove(id));
    return stored;
  }

  async function announce<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } finally {
      // Also after an error: a write may be committed although its answer was lost.
      await changed();
    }
  }

  return { list, get, create, update, remove };
}
export type PoliciesService = ReturnType<typeof createPoliciesService>;

export function toPolicy({ id, name, version, rules }: StoredPolicy): Policy {
  return { ...rules, id, name, version: String(version) };
}

function presentPolicy(stored: StoredPolicy, use: PolicyUse): ShownPolicy {
  return { policy: toPolicy(stored), stored, use };
}

function isVisible({ isAdmin }: Principal, { stored, use }: ShownPolicy): boolean {
  return isAdmin || stored === null || use.folders.length + use.registries.length > 0;
}

/**
 * @param at where in the body the policy is
 * @throws invalid with a fault of each field that names no authority
 */
export async function assertAuthorities(
  { signatures }: Pick<PolicyRules, 'signatures'>,
  authorities: Pick<Store['authorities'], 'current'>,
  at = '',
): Promise<void> {
  if (signatures.length === 0) return;
  const known = await authorities.current();
  const faults = signatures.flatMap(({ match, authorities: named }, position) =>
    named.flatMap((authority, nth) =>
      known.has(authority)
        ? []
        : [
            fieldFault(
              `${at}signatures.${position}.${match}.${nth}`,
              'AUTHORITY_UNKNOWN',
              `There is no authority ${authority}.`,
              { authority },
            ),
          ],
    ),
  );
  if (faults.length > 0) throw fieldsInvalid(faults);
}

/** Without the fields that are absent. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** @throws forbidden `POLICY_PROTECTED` */
function assertStored(id: string): void {
  if (id !== DEFAULT_POLICY_NAME) return;
  throw forbidden(
    'POLICY_PROTECTED',
    'The default policy is made from the scan settings: change it with PUT /api/trivy/override.',
  );
}

function unknownPolicy(): AppError {
  return notFound('POLICY_UNKNOWN', 'There is no policy with this id.');
}
