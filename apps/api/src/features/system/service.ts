/** Checks what the api depends on, for its health and for the page. */
import {
  type EffectivePolicy,
  POLICY_SETTING,
  policyInForce,
  type ScanPolicy,
} from '@portcullis/domain';
import type { StorageScanner } from '@portcullis/store';
import { type DependencyCheck, type Probed, probe } from './probe.ts';
import { isNewer, type Release } from './releases.ts';

export interface ScannerFacts {
  enabled: boolean;
  available: boolean;
  version: string | null;
  db: DatabaseFacts | null;
  /** Why the last update of the database failed. */
  failure: NonNullable<StorageScanner['databaseFailure']> | null;
  javaDownload: StorageScanner['javaDownload'];
}

interface DatabaseFacts {
  updatedAt: string | null;
  nextUpdate: string | null;
  source: string | null;
  javaUpdatedAt: string | null;
  javaDownloadedAt: string | null;
}

export const DEPENDENCIES = [
  'database',
  'redis',
  'registry',
  'scanner',
  'disk',
  'workers',
] as const;
export type DependencyName = (typeof DEPENDENCIES)[number];

export interface SystemPorts {
  checks: Record<DependencyName, DependencyCheck>;
  scanner(): Promise<ScannerFacts>;
  policy(): Promise<EffectivePolicy>;
  version: string;
  commit: string | null;
  /** Whether all images and vulnerabilities are made up. */
  sampleData: boolean;
  /** True while this process shuts down. */
  stopping(): boolean;
  /** Null: the check is disabled. @throws unavailable */
  latest(): Promise<Release | null>;
  now(): number;
}

export type DependencyStates = Record<DependencyName, Probed>;

/** The route is public: each dependency is checked at most once in this time. */
const REMEMBERED_MS = 1_000;

export function createSystemService(ports: SystemPorts) {
  const { checks, scanner, policy, version, commit, sampleData, latest, now } = ports;
  let answer: Promise<DependencyStates> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  function dependencies(): Promise<DependencyStates> {
    if (answer && now() - askedAt < REMEMBERED_MS) return answer;
    askedAt = now();
    answer = askEach(checks);
    return answer;
  }

  async function latestVersion() {
    const release = await latest();
    return { version, release, newer: release !== null && isNewer(release.version, version) };
  }

  return {
    /**
     * About this process only: an unavailable dependency would otherwise take all processes out of
     * service.
     */
    ready: () => !ports.stopping(),
    dependencies,
    sampleData,
    scanner,
    policy,
    version: () => ({ version, commit }),
    latestVersion,
  };
}
export type SystemService = ReturnType<typeof createSystemService>;

async function askEach(checks: Record<DependencyName, DependencyCheck>): Promise<DependencyStates> {
  const [database, redis, registry, scanner, disk, workers] = await Promise.all([
    probe(checks.database),
    probe(checks.redis),
    probe(checks.registry),
    probe(checks.scanner),
    probe(checks.disk),
    probe(checks.workers),
  ]);
  return { database, redis, registry, scanner, disk, workers };
}

/** Without a scanner, images wait for a scan, and everything else works. */
export function isDegraded({ scanner, ...others }: DependencyStates): boolean {
  return Object.values(others).some(({ ok }) => !ok);
}

/** The policy in force: stored overrides take precedence over the environment. */
export function policyReader(
  settings: { find(key: string): Promise<unknown> },
  env: ScanPolicy,
  scannerEnabled: boolean,
): () => Promise<EffectivePolicy> {
  return async () => policyInForce(await settings.find(POLICY_SETTING), env, scannerEnabled);
}
