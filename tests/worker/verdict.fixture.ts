/** What verdict.attack.int and verdict.attack.night start, and how they look at it. */
import {
  DEFAULT_POLICY,
  POLICY_SETTING,
  retry,
  type ScanPolicy,
  type StagingJob,
} from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import {
  debianImage,
  fetchManifest,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestPackage,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Harness, openHarness, type WorkerProcess } from './harness.ts';

const DAY_MS = 86_400_000;

export let harness: Harness;

export let source: TestRegistry;

export let worker: WorkerProcess;

export let environment: Record<string, string>;

/** Clean until the later database, which has a CRITICAL for it. */
export const TOMORROW: TestPackage[] = [{ name: 'sudo', version: '1.9.13p3-1' }];

export const SAFE: TestPackage[] = [{ name: 'tzdata', version: '2024a-0' }];

let serial = 0;

/** Repository and image of this name, with unique content. */
export async function imageOf(packages: TestPackage[]): Promise<string> {
  serial += 1;
  const image = await debianImage({ packages, more: [randomFiles(2_000, `own-${serial}.bin`)] });
  await pushImage(source.url, `team/app${serial}`, '1', image);
  return `team/app${serial}`;
}

export async function stagedBy(
  owner: { id: string },
  packages: TestPackage[],
): Promise<StagingJob> {
  const image = await imageOf(packages);
  const { id } = await harness.submit({ image, tag: '1', host: source.host, ownerId: owner.id });
  return harness.settled(id);
}

export async function pushed({ id, image }: StagingJob): Promise<StagingJob> {
  const { id: requestedById, username: requestedBy } = harness.alice;
  await harness.push(id, { repository: image, tag: '1', requestedById, requestedBy });
  return harness.until(id, ({ status }) => status === 'pushed' || status === 'failed');
}

export async function isThere({ image }: StagingJob): Promise<boolean> {
  return (await fetchManifest(harness.registry.url, image, '1')).status === 200;
}

export const kinds = ({ timeline }: StagingJob) => timeline.map(({ kind }) => kind);

/** Serves a newer database, and waits until the worker has it. */
export async function updateDatabase({ isEarlier = false } = {}): Promise<string> {
  // The scanner omits a zero at the end.
  const UpdatedAt = new Date(Math.floor(Date.now() / 10) * 10 + 1).toISOString();
  await serveVulnerabilityDb(harness.registry.url, { isEarlier, metadata: { UpdatedAt } });
  const order = { kind: 'scanner-db', options: {}, requestedBy: 'root' } as const;
  const run = await harness.store.maintenance.request(order);
  await expect
    .poll(() => harness.store.maintenance.latest('scanner-db'), { interval: 200 })
    .toMatchObject({ id: run?.id, state: 'done', error: null });
  return UpdatedAt;
}

/** Sets the policy, and waits until the worker applies it. */
export async function setPolicy(change: Partial<ScanPolicy>): Promise<void> {
  const probe = await stagedBy(harness.admin, SAFE);
  await harness.store.settings.set(POLICY_SETTING, { ...DEFAULT_POLICY, ...change });
  await publishChange(harness.redis, 'settings');
  const severities = change.severities ?? DEFAULT_POLICY.severities;
  for (let seen: unknown = null; JSON.stringify(seen) !== JSON.stringify(severities); ) {
    const again = await scannedAgain(probe);
    seen = again.vulnResult?.severities;
  }
}

export async function scannedAgain({ id }: StagingJob): Promise<StagingJob> {
  const again = await harness.store.jobs.update(id, (job) => retry(job, harness.admin, new Date()));
  await harness.queues.dispatch(again);
  return harness.settled(id);
}

export function setWorker(value: typeof worker): void {
  worker = value;
}

export function startVerdicts(): void {
  beforeAll(async () => {
    const trivy = await testTrivy();
    [harness, source] = await Promise.all([openHarness(), startRegistry()]);
    const UpdatedAt = new Date(Date.now() - 3 * DAY_MS).toISOString();
    const database = await serveVulnerabilityDb(harness.registry.url, {
      isEarlier: true,
      metadata: { UpdatedAt },
    });
    environment = {
      TRIVY_ENABLED: 'true',
      TRIVY_PATH: trivy,
      TRIVY_DB_REPOSITORY: database,
      EGRESS_ALLOW: '127.0.0.1',
    };
    worker = await harness.startWorker(environment);
    const group = await harness.store.groups.insertGroup({ name: 'crew' });
    await harness.store.groups.addMember(group.id, harness.alice.id);
    const folder = await harness.store.folders.insertFolder({ name: 'team' });
    await harness.store.folders.grant(folder.id, group.id, {
      canPullExternal: true,
      canPush: true,
    });
  });
  afterAll(async () => {
    await harness?.[Symbol.asyncDispose]();
    await source?.stop();
  });
}
