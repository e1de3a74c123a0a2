/** OpenVEX documents of the waivers in force: of one image, or of the tagged images of a folder. */
import { randomUUID } from 'node:crypto';
import {
  type CoveringWaiver,
  isOfOneImage,
  type JudgedImage,
  missOf,
  type VexDocument,
  type VulnerablePackage,
  vexOf,
} from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Store, StoredWaiver } from '@portcullis/store';

interface VexContext {
  store: Pick<Store, 'waivers' | 'reports'>;
  /** The name of this installation's registry. */
  publicHost(): string;
  version: string;
  now(): Date;
}

export interface VexDocuments {
  /** @throws conflict `VEX_EMPTY`, `VEX_TOO_LARGE` */
  ofImage(image: JudgedImage): Promise<VexDocument>;
  /** @throws conflict `VEX_EMPTY`, `VEX_TOO_LARGE` */
  ofFolder(folder: string): Promise<VexDocument>;
}

type NamedFindings = {
  id: string;
  packages: Pick<VulnerablePackage, 'name' | 'installedVersion' | 'purl'>[];
}[];

const MOST_WAIVERS = 500;
const MOST_FINDINGS = 2_000;

export function createVexDocuments({ store, publicHost, version, now }: VexContext): VexDocuments {
  async function ofImage(image: JudgedImage): Promise<VexDocument> {
    const waivers = await ofVulnerabilities();
    const named = new Set(waivers.map(({ vulnerability }) => vulnerability));
    const found = await findingsOf(image.digest, named);
    const covering = waivers.flatMap((waiver) => {
      const covered = coveredBy(waiver, image, found);
      return covered ? [{ waiver, images: [covered] }] : [];
    });
    return documentOf(covering);
  }

  async function ofFolder(folder: string): Promise<VexDocument> {
    const reports = new Map<string, NamedFindings>();
    const covering: CoveringWaiver[] = [];
    let total = 0;
    const waivers = (await ofVulnerabilities()).filter(
      (waiver) => waiver.folder === null || waiver.folder === folder,
    );
    assertFew(waivers.length);
    const named = new Set(waivers.map(({ vulnerability }) => vulnerability));
    for (const waiver of waivers) {
      const asked = { scope: waiver, folders: [folder], limit: MOST_FINDINGS };
      const { items, findings } = await store.waivers.coverage(asked);
      total += findings;
      if (total > MOST_FINDINGS) throw tooLarge('Too many findings; export the images one by one.');
      const images = new Map(items.map((item) => [`${item.repository}@${item.digest}`, item]));
      for (const { digest } of images.values())
        if (!reports.has(digest)) reports.set(digest, await findingsOf(digest, named));
      const covered = [...images.values()].map((image) =>
        coveredBy(waiver, image, reports.get(image.digest) ?? []),
      );
      covering.push({ waiver, images: covered.filter((each) => each !== null) });
    }
    return documentOf(covering);
  }

  /** Waivers of an age or of signatures say nothing about vulnerabilities. */
  async function ofVulnerabilities(): Promise<StoredWaiver[]> {
    const waivers = await store.waivers.inForce(now());
    return waivers.filter(({ vulnerability }) => !isOfOneImage(vulnerability));
  }

  /** Only what waivers name: a report may be megabytes, and a folder has many. */
  async function findingsOf(digest: string, named: ReadonlySet<string>): Promise<NamedFindings> {
    const found = (await store.reports.find(digest))?.report.vulnerabilities ?? [];
    return found
      .filter(({ id }) => named.has(id))
      .map(({ id, packages }) => ({
        id,
        packages: packages.map(({ name, installedVersion, purl }) => ({
          name,
          installedVersion,
          purl,
        })),
      }));
  }

  /** Null where the waiver covers nothing of the image. */
  function coveredBy(
    waiver: StoredWaiver,
    image: JudgedImage,
    found: NamedFindings,
  ): CoveringWaiver['images'][number] | null {
    const location = { host: publicHost(), repository: image.repository, digest: image.digest };
    const isCovered = (name: string, installedVersion: string) =>
      missOf(waiver, { package: name, installedVersion }, image, now()) === null;
    if (waiver.package === null) return isCovered('', '') ? { location, packageUrls: [] } : null;
    const packages = found
      .filter(({ id }) => id === waiver.vulnerability)
      .flatMap((each) => each.packages)
      .filter(({ name, installedVersion }) => isCovered(name, installedVersion))
      .map(({ purl, name }) => purl ?? `pkg:generic/${encodeURIComponent(name)}`);
    return packages.length > 0 ? { location, packageUrls: [...new Set(packages)] } : null;
  }

  function documentOf(covering: readonly CoveringWaiver[]): VexDocument {
    if (covering.every(({ images }) => images.length === 0))
      throw conflict('VEX_EMPTY', 'No waiver in force covers this.');
    assertFew(covering.length);
    return vexOf(covering, {
      id: `urn:uuid:${randomUUID()}`,
      author: `Portcullis at ${publicHost()}`,
      tooling: `Portcullis ${version}`,
      now: now(),
    });
  }

  return { ofImage, ofFolder };
}

function assertFew(waivers: number): void {
  if (waivers > MOST_WAIVERS) throw tooLarge(`More than ${MOST_WAIVERS} waivers cover this.`);
}

function tooLarge(message: string) {
  return conflict('VEX_TOO_LARGE', message);
}
