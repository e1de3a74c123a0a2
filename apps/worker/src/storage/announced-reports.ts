/**
 * The store with announcements: processes that keep standings in memory drop those of a digest
 * when its report or what is known of its signatures changes, or when its scan fails.
 */
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

/** The longest that any process keeps a standing. */
const ANNOUNCEMENT_TTL_MS = 60_000;
const TRY_AGAIN_MS = 1_000;

export interface AnnouncementPorts {
  /** Notifies all processes. */
  publish(digests: readonly string[]): Promise<void>;
  log: Pick<Logger, 'warn'>;
}

export function announcingReports(store: Store, ports: AnnouncementPorts): Store {
  const announce = (digests: readonly string[]) =>
    announceUntil(digests, Date.now() + ANNOUNCEMENT_TTL_MS, ports);
  const { reports, scans, rescans, signatureFacts } = store;
  const announceFacts = async (digest: string, save: () => Promise<string[]>) => {
    let changed = [digest];
    try {
      changed = await save();
      return changed;
    } finally {
      if (changed.length > 0) await announce(changed);
    }
  };
  return {
    ...store,
    reports: {
      ...reports,
      record: (report, parts = [], ...how) =>
        reports
          .record(report, parts, ...how)
          .finally(() => announce([report, ...parts].map(({ digest }) => digest))),
      confirm: (digests, from, to) =>
        reports.confirm(digests, from, to).finally(() => announce(digests)),
    },
    signatureFacts: {
      ...signatureFacts,
      save: (claimed, found) =>
        announceFacts(claimed.digest, () => signatureFacts.save(claimed, found)),
      record: (read, found) => announceFacts(read.digest, () => signatureFacts.record(read, found)),
    },
    rescans: {
      ...rescans,
      fail: (rescan, ...why) =>
        rescans.fail(rescan, ...why).finally(() => announce([rescan.digest])),
    },
    scans: {
      ...scans,
      async finish(id, attempts, end) {
        const finished = await scans.finish(id, attempts, end);
        const scan = end.error === null ? null : await scans.find(id);
        if (scan) await announce([scan.digest]);
        return finished;
      },
    },
  };
}

/** An unavailable Redis fails no scan: the processes are notified once it is back. */
async function announceUntil(
  digests: readonly string[],
  until: number,
  ports: AnnouncementPorts,
): Promise<void> {
  try {
    await ports.publish(digests);
  } catch (err) {
    ports.log.warn({ err }, 'new reports could not be announced');
    if (Date.now() < until)
      setTimeout(() => void announceUntil(digests, until, ports), TRY_AGAIN_MS).unref();
  }
}
