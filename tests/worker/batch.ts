/** Batches of test images, and transfers as the api writes them. */
import { randomUUID } from 'node:crypto';
import {
  isSelection,
  type TransferEntry,
  type TransferOrder,
  transferJob,
} from '@portcullis/domain';
import type { SavedRegistry, Transfer, User } from '@portcullis/store';
import {
  buildImage,
  eventually,
  PATIENCE_MS,
  pushImage,
  randomFiles,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import type { Harness } from './harness.ts';

/** `count` images with three shared layers and one unique layer each. */
export async function pushFamily(
  registry: Pick<TestRegistry, 'url' | 'credentials' | 'ca'>,
  prefix: string,
  count: number,
  layerBytes = 20_000,
): Promise<TestImage[]> {
  const shared = [0, 1, 2].map((n) => randomFiles(layerBytes, `base-${n}.bin`));
  const images: TestImage[] = [];
  for (let n = 0; n < count; n += 1) {
    const own = randomFiles(2_000, `own-${n}.bin`);
    const image = await buildImage({ compression: 'none', layers: [...shared, own] });
    await pushImage(registry.url, `${prefix}-${n}`, '1', image, registry);
    images.push(image);
  }
  return images;
}

export interface Ends {
  from: { registryId: string | null; host: string };
  to: { kind: 'local' | 'registry'; registryId: string; host: string };
}

export function orderOf(
  { from, to }: Ends,
  entries: TransferEntry[],
  change: Partial<TransferOrder> = {},
): TransferOrder {
  return {
    source: { kind: from.registryId === null ? 'host' : 'registry', ...from },
    destination: to,
    entries,
    platforms: 'all',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
    ...change,
  };
}

export function tagged(image: string, repository = image): TransferEntry {
  return { image, repository, tags: { tag: '1' }, targetTag: null };
}

export const fromSaved = ({ id, host }: SavedRegistry): Ends['from'] => ({ registryId: id, host });
export const toSaved = ({ id, host }: SavedRegistry): Ends['to'] => ({
  kind: 'registry',
  registryId: id,
  host,
});
export const toLocal = (host: string): Ends['to'] => ({
  kind: 'local',
  registryId: '__local__',
  host,
});

/** As created by the api. */
const AT_ONCE = 50;

export async function submitTransfer(
  harness: Harness,
  order: TransferOrder,
  by: User = harness.admin,
): Promise<string> {
  const jobs = order.entries.flatMap((entry) =>
    isSelection(entry.tags)
      ? []
      : [
          transferJob(
            order,
            { entry, tag: entry.tags.tag },
            { by, pushId: randomUUID(), now: new Date() },
          ),
        ],
  );
  const made = await harness.store.transfers.insert({ ownerId: by.id, order, jobs });
  for (let from = 0; from < made.jobs.length; from += AT_ONCE)
    await Promise.all(
      made.jobs.slice(from, from + AT_ONCE).map((job) => harness.queues.dispatch(job)),
    );
  if (jobs.length < order.entries.length)
    await harness.queues.enqueue({ name: 'expand-transfer', transferId: made.id });
  return made.id;
}

const OPEN = [
  'pull_queued',
  'pulling',
  'scan_queued',
  'scanning',
  'push_queued',
  'pushing',
] as const;

export async function transferOver(
  harness: Harness,
  id: string,
  patienceMs = PATIENCE_MS,
): Promise<Transfer> {
  const found = async () => {
    const transfer = await harness.store.transfers.find(id);
    if (!transfer) throw new Error('the transfer is gone');
    return transfer;
  };
  const isOver = ({ counts, selections }: Transfer) =>
    OPEN.every((status) => (counts[status] ?? 0) === 0) &&
    selections.every(({ state }) => state !== 'queued');
  return eventually(found, isOver, { patienceMs });
}
