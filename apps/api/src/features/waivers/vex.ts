/** OpenVEX documents: imported as requests for waivers, exported, and attached to images. */
import { OpenVex } from '@portcullis/contract';
import {
  assertAllowed,
  folderOf,
  foldersWith,
  mayRequestWaiver,
  OPENVEX_MEDIA_TYPE,
  type Principal,
  type SkippedStatement,
} from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';
import {
  createVexDocuments,
  type ReferrerPorts,
  referrerArtifact,
  storeReferrer,
  vexRequests,
} from '@portcullis/gate';
import type { Store, StoredWaiver } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import { inKnownFolder } from '../folders/in-known-folder.ts';
import { noImage, type OpenedRepository } from '../images/repositories.ts';
import type { ShownWaiver } from './service.ts';

export interface VexPorts extends ReferrerPorts {
  store: Pick<Store, 'waivers' | 'reports' | 'referrers' | 'mirrors'>;
  openLocal(name: string): OpenedRepository;
  rights: AccessRights;
  folders(): Promise<ReadonlySet<string>>;
  publicHost(): string;
  version: string;
  changed(): Promise<void>;
  shown(waivers: readonly StoredWaiver[]): Promise<ShownWaiver[]>;
  now(): Date;
}

export interface ImageReference {
  repository: string;
  reference: string;
}

const PATIENCE_MS = 30_000;

export function createVexService(ports: VexPorts) {
  const { store, rights, now } = ports;
  const documents = createVexDocuments(ports);

  async function importVex(
    principal: Principal,
    document: OpenVex,
    { folder, days }: { folder: string | null; days: number },
  ): Promise<{ waivers: ShownWaiver[]; skipped: SkippedStatement[] }> {
    const mirrors = await store.mirrors.byFolder();
    assertAllowed(mayRequestWaiver(principal, { folder }, mirrors));
    const order = {
      ...{ folder, days, requestedById: principal.id },
      host: ports.publicHost().toLowerCase(),
    };
    const known = { waivers: store.waivers, now: now() };
    const { wanted, skipped } = await vexRequests(known, document, order);
    const inserted = await inKnownFolder(folder, () => store.waivers.insertWaivers(wanted));
    if (inserted.length > 0) await ports.changed();
    return { waivers: await ports.shown(inserted), skipped };
  }

  /** @throws not_found `IMAGE_UNKNOWN`, conflict `VEX_EMPTY` */
  async function ofImage(principal: Principal, image: ImageReference) {
    await rights.assert(principal, { action: 'pull', repository: image.repository });
    return (await documentOfImage(image)).document;
  }

  async function documentOfImage({ repository, reference }: ImageReference) {
    const opened = ports.openLocal(repository);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const root = await opened.ask(noImage(repository, reference), (source) =>
      source.resolve(reference, { signal }),
    );
    const folder = folderOf(repository, await ports.folders());
    const image = { repository, folder, digest: root.digest };
    // The contract's type is this one, with arrays that can be changed.
    const document = OpenVex.parse(await documents.ofImage(image));
    return { document, opened, root };
  }

  /** Images of the folder that have a tag. @throws forbidden, conflict */
  async function ofFolder(principal: Principal, folder: string): Promise<OpenVex> {
    if (!principal.isAdmin && !foldersWith(principal.grants, 'pull').includes(folder))
      throw forbidden('FOLDER_FORBIDDEN', `Pulling from the folder ${folder} is not allowed.`);
    return OpenVex.parse(await documents.ofFolder(folder));
  }

  /** @throws forbidden, not_found `IMAGE_UNKNOWN`, conflict, unavailable */
  async function attach(principal: Principal, image: ImageReference) {
    const { repository } = image;
    await rights.assert(principal, { action: 'push', operation: 'attach', repository });
    const { document, opened, root } = await documentOfImage(image);
    const artifact = await referrerArtifact({
      mediaType: OPENVEX_MEDIA_TYPE,
      bytes: new TextEncoder().encode(JSON.stringify(document)),
      subject: root,
    });
    await opened.ask(noImage(repository, image.reference), () =>
      storeReferrer(ports, opened, artifact, AbortSignal.timeout(PATIENCE_MS)),
    );
    const { manifest } = artifact;
    return { subject: root.digest, digest: manifest.digest };
  }

  return { importVex, ofImage, ofFolder, attach };
}
export type VexService = ReturnType<typeof createVexService>;
