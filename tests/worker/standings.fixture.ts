/** What standings.int and standings.night start, and how they look at it. */
import type { ScanReport } from '@portcullis/domain';
import { openSql, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll } from 'vitest';
import { blockedReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export let sql: Awaited<ReturnType<typeof openSql>>;

export let folderId: string;

const made = new Map<string, string>();

/** A tagged image in the folder, with a report. It is in the registry, or it would be forgotten. */
export async function image(name: string, report: ScanReport): Promise<string> {
  const digest = made.get(name) ?? (await pushed(`team/${name}`));
  made.set(name, digest);
  await scanned(digest, report);
  return digest;
}

export async function pushed(repository: string): Promise<string> {
  const { digest, ...rest } = await randomImage({ bytes: 100 });
  await pushImage(harness.registry.url, repository, '1', { digest, ...rest });
  await harness.store.images.record({
    repository,
    tag: '1',
    digest,
    manifests: [],
    at: new Date(),
  });
  return digest;
}

export function scanned(digest: string, report: ScanReport): Promise<unknown> {
  return harness.store.reports.record({ digest, report, scannedAt: new Date() });
}

interface Announced {
  event: string;
  name: string;
  detail: {
    blocking?: string[];
    owners: { name: string }[];
    standing?: object;
    images?: number;
    severity?: string;
    grace_until?: string | null;
  };
}

export async function announced(name: string): Promise<Announced[]> {
  const { rows } = await sql.query<{ body: Announced & { resource: { name: string } } }>(
    `SELECT body FROM audit_outbox
      WHERE body -> 'resource' ->> 'name' = $1
        AND body ->> 'event' IN ('image.blocked', 'image.cleared', 'vulnerability.appeared')
      ORDER BY seq`,
    [name],
  );
  return rows.map(({ body: { event, resource, detail } }) => ({
    event,
    name: resource.name,
    detail,
  }));
}

export const eventsOf = async (name: string) =>
  (await announced(`team/${name}`)).map(({ event }) => event);

export function startStandings(): void {
  beforeAll(async () => {
    harness = await openHarness();
    sql = await openSql(harness.databaseUrl);
    folderId = (await harness.store.folders.insertFolder({ name: 'team' })).id;
    const group = await harness.store.groups.insertGroup({ name: 'developers' });
    await harness.store.groups.addMember(group.id, harness.alice.id);
    await harness.store.folders.grant(folderId, group.id, { canPush: true });
    await image('before', blockedReport());
    await harness.startWorker();
  });
  afterAll(async () => {
    await sql?.end();
    await harness?.[Symbol.asyncDispose]();
  });
}
