/** Images of the built-in and saved registries: list, inspect, delete, retag, copy. */
import type { CopyDoors, Gate } from '@portcullis/gate';
import { type IndexKeeper, isHealthy, type WriteLock } from '@portcullis/local-registry';
import type { RegistryAccess } from '@portcullis/registry-access';
import type { Store } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import { createBrowse } from './browse.ts';
import { createChanges } from './changes.ts';
import { createDetail } from './detail.ts';
import { createExplain } from './explain.ts';
import { createRepositories } from './repositories.ts';
import type { Standings } from './standings.ts';

export interface ImagesPorts {
  images: Store['images'];
  standings: Standings;
  access: RegistryAccess;
  rights: AccessRights;
  keeper: IndexKeeper;
  gate: WriteLock;
  doors: CopyDoors;
  imageGate: Pick<Gate, 'decide'>;
  folders(): Promise<ReadonlySet<string>>;
  registryUrl: string;
}

const PROBE_MS = 3_000;

export function createImagesService({
  images,
  standings,
  access,
  rights,
  keeper,
  gate,
  doors,
  imageGate,
  folders,
  registryUrl,
}: ImagesPorts) {
  const localAnswers = () => isHealthy(registryUrl, { timeoutMs: PROBE_MS });
  const repositories = createRepositories({ access, rights, localAnswers });
  return {
    ...createBrowse({ images, standings, access, rights, repositories }),
    ...createChanges({ images, rights, keeper, gate, doors, repositories }),
    explain: createExplain({ repositories, gate: imageGate, folders }),
    detail: createDetail({ images, standings, repositories }),
  };
}
export type ImagesService = ReturnType<typeof createImagesService>;
