import { type EffectivePolicy, POLICY_SETTING, policyInForce, type ScanPolicy } from '@portcullis/domain';
import type { JavaDownload } from '@portcullis/scanner';
import { type Check, type Probed, probe } from './probe.ts';
import { isNewer, type Release } from './releases.ts';

export interface ScannerFacts {
  enabled: boolean;
  available: boolean;
  version: string | null;
  db: DatabaseFacts | null;
  javaDownload: JavaDownload | null;
}

interface DatabaseFacts {
  updatedAt: string | null;
  nextUpdate: string | null;
  source: string | null;
  javaUpdatedAt: string | null;
  javaDownloadedAt: string | null;
}

export const DEPENDENCIES = ['database', 'redis', 'registry', 'scanner', 'disk'] as const;
export type DependencyName = (typeof DEPENDENCIES)[number];

export interface SystemPorts {
  checks: Record<DependencyName, Check>;
  scanner(): Promise<ScannerFacts>;
  policy(): Promise<EffectivePolicy>;
  version: string;
  commit: string | null;
  /** Null: nobody is asked. @throws unavailable */
  latest(): Promise<Release | null>;
  now(): number;
}

export interface Ready {
  ready: boolean;
  dependencies: Record<DependencyName, Probed>;
}

/** Anybody may ask: however often that is, no dependency is asked more than once in this time. */
const READY_MS = 1_000;

export function createSystemService(ports: SystemPorts) {
  const { checks, scanner, policy, version, commit, latest, now } = ports;
  let answer: Promise<Ready> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  function ready(): Promise<Ready> {
    if (answer && now() - askedAt < READY_MS) return answer;
    askedAt = now();
    answer = ask();
    return answer;
  }

  async function ask(): Promise<Ready> {
    const [database, redis, registry, scannerState, disk] = await Promise.all(
      DEPENDENCIES.map((name) => probe(checks[name])),
    );
    const none = { ok: false, message: null, latencyMs: 0 };
    const dependencies = {
      database: database ?? none,
      redis: redis ?? none,
      registry: registry ?? none,
      scanner: scannerState ?? none,
      disk: disk ?? none,
    };
    // Without a scanner images wait at the gate, without space they wait to be pulled, but this process serves: not
    // least those who delete something.
    return {
      ready: dependencies.database.ok && dependencies.redis.ok && dependencies.registry.ok,
      dependencies,
    };
  }

  async function latestVersion() {
    const release = await latest();
    return { version, release, newer: release !== null && isNewer(release.version, version) };
  }

  return { ready, scanner, policy, version: () => ({ version, commit }), latestVersion };
}
export type SystemService = ReturnType<typeof createSystemService>;

/** The policy in force: a stored override over the environment. */
export function policyReader(
  settings: { find(key: string): Promise<unknown> },
  env: ScanPolicy,
  scannerEnabled: boolean,
): () => Promise<EffectivePolicy> {
  return async () => policyInForce(await settings.find(POLICY_SETTING), env, scannerEnabled);
}
