/** Opens a repository of the built-in or a saved registry after checking the caller's rights. */
import type { Principal, WriteOperation } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import type { Repository } from '@portcullis/oci/remote';
import type { RegistryAccess, RegistryLocation } from '@portcullis/registry-access';
import type { AccessRights } from '../../identity/rights.ts';
import { type OtherRegistry, type RegistryQuestion, translateErrors } from './upstream.ts';

export interface RepositoriesPorts {
  access: RegistryAccess;
  rights: AccessRights;
  /** Whether the built-in registry answers. */
  localAnswers(): Promise<boolean>;
}

export interface RegistryScope {
  principal: Principal;
  registryId: string;
  /** Ends the work, as the client does by leaving. */
  signal?: AbortSignal | undefined;
}

export interface OpenedRepository {
  name: string;
  local: boolean;
  repository: Repository;
  /** Calls the registry and translates its errors. */
  ask<T>(
    missing: RegistryQuestion['missing'],
    question: (repository: Repository) => Promise<T>,
  ): Promise<T>;
}

export interface Repositories {
  locate(scope: RegistryScope): Promise<RegistryLocation>;
  /** @throws forbidden, not_found `REGISTRY_UNKNOWN`, unavailable */
  open(
    scope: RegistryScope,
    name: string,
    action: 'pull' | 'push',
    operation?: WriteOperation,
  ): Promise<OpenedRepository>;
  openLocal(name: string): OpenedRepository;
  /** A list from our index must not hide an outage of the registry. @throws unavailable */
  assertLocalAnswers(): Promise<void>;
}

export function createRepositories({
  access,
  rights,
  localAnswers,
}: RepositoriesPorts): Repositories {
  const locate = ({ registryId, principal }: RegistryScope) => access.locate(registryId, principal);

  async function open(
    scope: RegistryScope,
    name: string,
    action: 'pull' | 'push',
    operation?: WriteOperation,
  ): Promise<OpenedRepository> {
    const { principal } = scope;
    const place = await locate(scope);
    if (place.kind === 'local') {
      await rights.assert(principal, { action, repository: name, ...(operation && { operation }) });
      return openLocal(name);
    }
    await rights.assert(principal, { action: `${action}_external` });
    const repository = await access.openSaved(place.saved.id, name, principal);
    return openedAt({ host: place.saved.host, login: 'saved' }, name, repository);
  }

  function openLocal(name: string): OpenedRepository {
    return openedAt(null, name, access.openLocal(name));
  }

  async function assertLocalAnswers(): Promise<void> {
    if (!(await localAnswers()))
      throw unavailable('REGISTRY_UNAVAILABLE', 'The built-in registry can not be reached.');
  }

  return { locate, open, openLocal, assertLocalAnswers };
}

export function openedAt(
  registry: OtherRegistry | null,
  name: string,
  repository: Repository,
): OpenedRepository {
  return {
    name,
    local: registry === null,
    repository,
    ask: (missing, question) => translateErrors({ registry, missing }, () => question(repository)),
  };
}

export function noImage(name: string, reference: string): RegistryQuestion['missing'] {
  return ['IMAGE_UNKNOWN', `There is no ${reference} in ${name}.`];
}

export function noRepository(name: string): RegistryQuestion['missing'] {
  return ['REPOSITORY_UNKNOWN', `There is no repository ${name}.`];
}
