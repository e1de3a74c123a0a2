/** Authorities: what is wrong with them, and their changes. */
import { openAuthority, SIGSTORE_ROOT_DATE } from '@portcullis/attest';
import type {
  AuthorityChange,
  AuthorityTerms,
  FieldFault,
  NewAuthority,
} from '@portcullis/contract';
import type { Principal } from '@portcullis/domain';
import type { AuthorityVersion, Store, StoredAuthority } from '@portcullis/store';
import { fieldsInvalid } from '../../http/problem.ts';
import { presentFault } from './faults.ts';

export interface AuthoritiesPorts {
  authorities: Store['authorities'];
  /** Call after a change: what is verified again follows from it. */
  changed(): Promise<void>;
  now(): Date;
}

/** An authority with the policies that name it, as far as the account may know them. */
export interface ShownAuthority {
  stored: StoredAuthority;
  usedBy: readonly string[];
}

const OLD_MS = 365 * 86_400_000;

export function createAuthoritiesService({ authorities, changed, now }: AuthoritiesPorts) {
  async function list({ isAdmin }: Principal): Promise<ShownAuthority[]> {
    const [stored, uses] = await Promise.all([authorities.list(), authorities.uses()]);
    return stored.map((each) => ({
      stored: each,
      usedBy: isAdmin ? (uses.get(each.name) ?? []) : [],
    }));
  }

  async function get(
    { isAdmin }: Principal,
    name: string,
  ): Promise<{ shown: ShownAuthority; versions: AuthorityVersion[] }> {
    const [stored, versions, uses] = await Promise.all([
      authorities.get(name),
      authorities.versions(name),
      authorities.uses(),
    ]);
    const usedBy = isAdmin ? (uses.get(name) ?? []) : [];
    return { shown: { stored, usedBy }, versions };
  }

  async function create(by: Principal, { name, ...terms }: NewAuthority): Promise<StoredAuthority> {
    assertSound(terms);
    const saved = { name, document: { ...terms }, savedBy: by.username };
    return announce(() => authorities.insertAuthority(saved));
  }

  async function replace(
    by: Principal,
    name: string,
    { version, ...terms }: AuthorityChange,
  ): Promise<StoredAuthority> {
    assertSound(terms);
    const saved = { name, version, document: { ...terms }, savedBy: by.username };
    return announce(() => authorities.replace(saved));
  }

  async function announce<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } finally {
      // Also after an error: a write may be committed although its answer was lost.
      await changed();
    }
  }

  return {
    list,
    get,
    create,
    replace,
    check: faultsOf,
    remove: (name: string) => announce(() => authorities.remove(name)),
    root: () => ({
      date: SIGSTORE_ROOT_DATE,
      isOld: now().getTime() - Date.parse(SIGSTORE_ROOT_DATE) > OLD_MS,
    }),
  };
}
export type AuthoritiesService = ReturnType<typeof createAuthoritiesService>;

/** The name says nothing about it. */
function faultsOf(terms: AuthorityTerms): FieldFault[] {
  return (openAuthority({ name: 'checked', ...terms }).faults ?? []).map(presentFault);
}

/** @throws invalid `VALIDATION_FAILED` */
function assertSound(terms: AuthorityTerms): void {
  const faults = faultsOf(terms);
  if (faults.length > 0) throw fieldsInvalid(faults);
}
