/** Images of the built-in and saved registries: list, inspect, delete, retag, copy. */
import type { Gates } from '@portcullis/gate';
import { type IndexKeeper, isHealthy, type WriteLock } from '@portcullis/local-registry';
import type { RegistryAccess } from '@portcullis/registry-access';
import { readStoredPackages } from '@portcullis/scanner';
import type { Store } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import type { ExplainingAbsence } from '../folders/mirror/absence.ts';
import type { GateService } from '../gate/service.ts';
import { createBrowse } from './browse.ts';
import { createRemoveTags } from './bulk/remove-tags.ts';
import { createChanges } from './changes.ts';
import { createCompare } from './compare/compare.ts';
import { createDetail } from './detail.ts';
import { createFindTag } from './find-tag.ts';
import { createListStatements } from './list-statements.ts';
import { createListPackages } from './packages/list-packages.ts';
import { createStoredScans } from './packages/stored-scans.ts';
import { createRepositories } from './repositories.ts';
import { createStanding } from './standing.ts';
import type { Standings } from './standings.ts';

export interface ImagesPorts {
  images: Store['images'];
  statements: Store['statements'];
  signingKeys: Pick<Store['signingKeys'], 'everyPublicKey'>;
  mirrors: Pick<Store['mirrors'], 'jobsOf'>;
  reports: Pick<Store['reports'], 'find'>;
  analyses: Store['analyses'];
  standings: Standings;
  access: RegistryAccess;
  rights: AccessRights;
  keeper: IndexKeeper;
  registryLock: WriteLock;
  gates: Pick<Gates, 'copyGate' | 'immutableTags' | 'folderQuotas'>;
  explain: GateService['explain'];
  explainingAbsence: ExplainingAbsence;
  registryUrl: string;
}

const PROBE_MS = 3_000;

export function createImagesService({
  images,
  statements,
  signingKeys,
  mirrors,
  reports,
  analyses,
  standings,
  access,
  rights,
  keeper,
  registryLock,
  gates,
  explain,
  explainingAbsence,
  registryUrl,
}: ImagesPorts) {
  const localAnswers = () => isHealthy(registryUrl, { timeoutMs: PROBE_MS });
  const repositories = createRepositories({ access, rights, localAnswers });
  const scans = createStoredScans({
    images,
    reports,
    packages: (image) => readStoredPackages(analyses, image),
  });
  const changes = createChanges({
    ...{ images, signingKeys, rights, keeper, registryLock, gates, repositories },
  });
  return {
    ...createBrowse({ images, standings, gates, access, rights, repositories }),
    ...changes,
    removeTags: createRemoveTags({ repositories, removeTag: changes.removeTag }),
    standing: createStanding({ repositories, explain }),
    compare: createCompare({ repositories, scans }),
    packages: createListPackages({ repositories, scans }),
    statements: createListStatements({ repositories, statements }),
    findTag: createFindTag(repositories),
    detail: createDetail({
      ...{ images, mirrors, standings, repositories, scans },
      explainingAbsence,
    }),
  };
}
export type ImagesService = ReturnType<typeof createImagesService>;
