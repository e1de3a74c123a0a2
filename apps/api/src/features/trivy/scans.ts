/** Scans on demand, and the search over all stored findings. */
import {
  type EffectivePolicy,
  foldersWith,
  type Judgement,
  judge,
  LOCAL_REGISTRY_ID,
  type Principal,
  type SeverityCounts,
} from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import { isDigest, parseReference, parseRepository } from '@portcullis/oci';
import type { FindingFilter, ImageScan, Page, Store } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import type { AccessRights } from '../../identity/rights.ts';
import { noImage, type RegistryScope, type Repositories } from '../images/repositories.ts';
import type { ScannerFacts } from '../system/service.ts';
import { scannerDisabled } from './service.ts';

export interface ScansPorts {
  store: Pick<Store, 'scans' | 'reports'>;
  repositories: Repositories;
  rights: AccessRights;
  facts(): Promise<ScannerFacts>;
  policy(): Promise<EffectivePolicy>;
  /** Enqueues the scan; a failure is safe. */
  wake(scan: ImageScan): Promise<void>;
}

export interface ListedScan {
  scan: ImageScan;
  counts: SeverityCounts | null;
}

export interface ScanShown extends ListedScan {
  judgement: Judgement | null;
}

const PATIENCE_MS = 20_000;
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

export function createScansService({
  store,
  repositories,
  rights,
  facts,
  policy,
  wake,
}: ScansPorts) {
  async function request(scope: RegistryScope, image: string): Promise<ScanShown> {
    const scanner = await facts();
    if (!scanner.enabled) throw scannerDisabled();
    const { repository, reference } = parseImage(image);
    const opened = await repositories.open(scope, repository, 'pull');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { digest } = await opened.ask(noImage(repository, reference), (source) =>
      source.resolve(reference, { signal }),
    );
    const registryId = opened.local ? LOCAL_REGISTRY_ID : scope.registryId;
    const wanted = { registryId, repository, digest, requestedById: scope.principal.id };
    // Another registry may claim any digest, so that stored reports are reused for local images
    // only.
    const known = opened.local && (await isKnown(digest, scanner));
    const open = known ? null : await store.scans.findOpen(wanted);
    const state = known ? ('done' as const) : ('queued' as const);
    if (open) return present(open);
    const scan = await store.scans.insert({ ...wanted, reference, state });
    if (scan.state === 'queued') await wake(scan);
    return present(scan);
  }

  /** Whether the digest was scanned with the current database. */
  async function isKnown(digest: string, { db }: ScannerFacts): Promise<boolean> {
    const report = await store.reports.find(digest);
    const [then, now] = [report?.report.scanner.dbUpdatedAt, db?.updatedAt];
    return (
      typeof then === 'string' && typeof now === 'string' && Date.parse(then) === Date.parse(now)
    );
  }

  async function present(scan: ImageScan): Promise<ScanShown> {
    const found = scan.state === 'done' ? await store.reports.find(scan.digest) : null;
    if (!found) return { scan, judgement: null, counts: null };
    const judgement = judge(found.report, await policy(), NO_OVERRIDES);
    return { scan, judgement, counts: judgement.result.counts };
  }

  async function get(id: string, principal: Principal): Promise<ScanShown> {
    const scan = await store.scans.find(id);
    if (!scan || !(await mayRead(scan, principal)))
      throw notFound('SCAN_UNKNOWN', 'There is no scan with this id.');
    return present(scan);
  }

  /** Uses the credentials of the account that requested the scan. */
  async function mayRead(scan: ImageScan, principal: Principal): Promise<boolean> {
    if (scan.registryId !== LOCAL_REGISTRY_ID)
      return principal.isAdmin || scan.requestedById === principal.id;
    return (await rights.decide(principal, { action: 'pull', repository: scan.repository }))
      .allowed;
  }

  async function list(
    scope: RegistryScope,
    repository: string,
    query: { isOpen: boolean; limit: number; cursor: string | undefined },
  ): Promise<Page<ListedScan>> {
    const { local } = await repositories.open(scope, repository, 'pull');
    const registryId = local ? LOCAL_REGISTRY_ID : scope.registryId;
    const found = await store.scans.list({ registryId, repository, ...query });
    const done = found.items.filter(({ state }) => state === 'done');
    const counts = await store.reports.counts(done.map(({ digest }) => digest));
    const items = found.items.map((scan) => ({
      scan,
      counts: scan.state === 'done' ? (counts.get(scan.digest) ?? null) : null,
    }));
    return { ...found, items };
  }

  async function search({ isAdmin, grants }: Principal, query: Omit<FindingFilter, 'folders'>) {
    return store.reports.search({
      ...query,
      folders: isAdmin ? 'all' : foldersWith(grants, 'pull'),
    });
  }

  return { request, get, list, search };
}
export type ScansService = ReturnType<typeof createScansService>;

/** `repository[:tag|@digest]`. @throws invalid */
function parseImage(image: string): { repository: string; reference: string } {
  const at = image.indexOf('@');
  const colon = image.lastIndexOf(':');
  const cut = at >= 0 ? at : colon > image.lastIndexOf('/') ? colon : image.length;
  const repository = parseRepository(image.slice(0, cut));
  const reference = cut === image.length ? 'latest' : parseReference(image.slice(cut + 1));
  if (at >= 0 !== isDigest(reference))
    throw fieldInvalid('image', 'IMAGE_INVALID', 'a digest follows an @');
  return { repository, reference };
}
