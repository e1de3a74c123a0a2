/** OpenVEX documents: imported as requests for waivers, exported, and attached to images. */
import { randomUUID } from 'node:crypto';
import { OpenVex } from '@portcullis/contract';
import {
  assertAllowed,
  type CoveringWaiver,
  folderOf,
  foldersWith,
  mayRequestWaiver,
  missOf,
  OPENVEX_MEDIA_TYPE,
  type Principal,
  type ScanReport,
  type SkippedStatement,
  vexOf,
} from '@portcullis/domain';
import { conflict, forbidden } from '@portcullis/errors';
import { vexRequests } from '@portcullis/gate';
import {
  guardedTarget,
  type IndexKeeper,
  indexedTarget,
  type WriteLock,
} from '@portcullis/local-registry';
import { copy } from '@portcullis/oci';
import type { Store, StoredWaiver } from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import { noImage, type OpenedRepository } from '../images/repositories.ts';
import { inKnownFolder, type ShownWaiver } from './service.ts';
import { vexArtifact } from './vex-artifact.ts';

export interface VexPorts {
  store: Pick<Store, 'waivers' | 'reports' | 'referrers'>;
  openLocal(name: string): OpenedRepository;
  rights: AccessRights;
  folders(): Promise<ReadonlySet<string>>;
  keeper: IndexKeeper;
  gate: WriteLock;
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

interface CoveredImage {
  repository: string;
  folder: string;
  digest: string;
}

const MOST_WAIVERS = 500;
const MOST_PLACES = 2_000;
const PATIENCE_MS = 30_000;

export function createVexService(ports: VexPorts) {
  const { store, rights, now } = ports;

  async function importVex(
    principal: Principal,
    document: OpenVex,
    { folder, days }: { folder: string | null; days: number },
  ): Promise<{ waivers: ShownWaiver[]; skipped: SkippedStatement[] }> {
    assertAllowed(mayRequestWaiver(principal, { folder }));
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
    const found = await store.reports.find(root.digest);
    const covering = (await store.waivers.inForce(now())).flatMap((waiver) => {
      const covered = covers(waiver, image, found?.report ?? null);
      return covered ? [{ waiver, images: [covered] }] : [];
    });
    return { document: documentOf(covering), opened, root };
  }

  /** Images of the folder that have a tag. @throws forbidden, conflict */
  async function ofFolder(principal: Principal, folder: string): Promise<OpenVex> {
    if (!principal.isAdmin && !foldersWith(principal.grants, 'pull').includes(folder))
      throw forbidden('FOLDER_FORBIDDEN', `Pulling from the folder ${folder} is not allowed.`);
    const reports = new Map<string, ScanReport | null>();
    const covering: CoveringWaiver[] = [];
    let total = 0;
    for (const waiver of await store.waivers.inForce(now())) {
      if (waiver.folder !== null && waiver.folder !== folder) continue;
      const asked = { scope: waiver, folders: [folder], limit: MOST_PLACES };
      const { items, findings } = await store.waivers.coverage(asked);
      total += findings;
      if (total > MOST_PLACES) throw tooLarge('Too many findings; export the images one by one.');
      const images = new Map(items.map((item) => [`${item.repository}@${item.digest}`, item]));
      for (const { digest } of images.values())
        if (!reports.has(digest))
          reports.set(digest, (await store.reports.find(digest))?.report ?? null);
      const covered = [...images.values()].map((image) =>
        covers(waiver, image, reports.get(image.digest) ?? null),
      );
      covering.push({ waiver, images: covered.filter((each) => each !== null) });
    }
    return documentOf(covering);
  }

  /** Null where the waiver covers nothing of the image. */
  function covers(
    waiver: StoredWaiver,
    image: CoveredImage,
    report: ScanReport | null,
  ): CoveringWaiver['images'][number] | null {
    const place = { host: ports.publicHost(), repository: image.repository, digest: image.digest };
    const isCovered = (name: string) => missOf(waiver, { package: name }, image, now()) === null;
    if (waiver.package === null) return isCovered('') ? { place, packageUrls: [] } : null;
    const packages = (report?.vulnerabilities ?? [])
      .filter(({ id }) => id === waiver.vulnerability)
      .flatMap((found) => found.packages)
      .filter(({ name }) => isCovered(name))
      .map(({ purl, name }) => purl ?? `pkg:generic/${encodeURIComponent(name)}`);
    return packages.length > 0 ? { place, packageUrls: [...new Set(packages)] } : null;
  }

  function documentOf(covering: readonly CoveringWaiver[]): OpenVex {
    if (covering.every(({ images }) => images.length === 0))
      throw conflict('VEX_EMPTY', 'No waiver in force covers this.');
    if (covering.length > MOST_WAIVERS) throw tooLarge('More than 500 waivers cover this.');
    const about = {
      id: `urn:uuid:${randomUUID()}`,
      author: `Portcullis at ${ports.publicHost()}`,
      tooling: `Portcullis ${ports.version}`,
      now: now(),
    };
    // The contract's type is this one, with arrays that can be changed.
    return OpenVex.parse(vexOf(covering, about));
  }

  /** @throws forbidden, not_found `IMAGE_UNKNOWN`, conflict, unavailable */
  async function attach(principal: Principal, image: ImageReference) {
    const { repository } = image;
    await rights.assert(principal, { action: 'push', repository });
    const { document, opened, root } = await documentOfImage(image);
    const { store: artifact, manifest } = await vexArtifact(document, root);
    const kept = indexedTarget(repository, opened.repository, ports.keeper);
    const { target, settle } = guardedTarget(repository, kept.target, ports.gate);
    await opened.ask(noImage(repository, image.reference), () =>
      copy(artifact, manifest.digest, target, { signal: AbortSignal.timeout(PATIENCE_MS) }),
    );
    await store.referrers.record({
      repository,
      digest: manifest.digest,
      subject: root.digest,
      mediaType: manifest.mediaType,
      artifactType: OPENVEX_MEDIA_TYPE,
      size: manifest.size,
      annotations: null,
    });
    await Promise.all([kept.record(), settle()]);
    return { subject: root.digest, digest: manifest.digest };
  }

  return { importVex, ofImage, ofFolder, attach };
}
export type VexService = ReturnType<typeof createVexService>;

function tooLarge(message: string) {
  return conflict('VEX_TOO_LARGE', message);
}
