/** A gate over stored state in memory, for tests of its cache and its doors. */
import {
  DEFAULT_POLICY,
  type Finding,
  type KeptFeed,
  type PassRecord,
  type PolicyRules,
  type ScanPolicy,
  type Waiver,
} from '@portcullis/domain';
import type { ChangeKind, OnChange } from '@portcullis/events';
import type { DigestFacts, FolderGate } from '@portcullis/store';
import { createGate } from './gate.ts';
import type { ManifestShape } from './manifest-shape.ts';

export const DAY_MS = 86_400_000;

interface Stored {
  reports: Map<string, DigestFacts>;
  records: Map<string, PassRecord>;
  gates: Map<string, FolderGate>;
  policies: { id: string; name: string; version: number; rules: PolicyRules }[];
  waivers: Waiver[];
  authorities: Map<string, { version: number }>;
  feeds: (KeptFeed & { digest: string })[];
  shapes: Map<string, ManifestShape>;
  /** Manifests that the registry does not have. */
  missing: Set<string>;
  settings: ScanPolicy;
  now: Date;
}

const NO_COUNTS = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

export function scanned(findings: Partial<Finding>[] = []): DigestFacts {
  const scannedAt = new Date('2026-11-22T11:00:00Z');
  const facts = {
    coverage: 'full' as const,
    lacksThirdPartyAlone: false,
    artifactType: null,
    databaseAt: '2026-11-22T06:00:00Z',
    findings: findings.map((finding) => ({
      id: 'CVE-2026-1',
      severity: 'CRITICAL' as const,
      package: 'openssl',
      installedVersion: '3.0.1',
      fixedVersion: '3.0.2',
      packageType: 'os' as const,
      publishedAt: null,
      ...finding,
    })),
  };
  return {
    report: { facts, counts: NO_COUNTS, scannedAt, scanner: { name: 'trivy', version: '0.74.0' } },
    failedScanIn: [],
    sightedAt: null,
    signatures: null,
  };
}

export const BLOCKED = scanned([{}]);
export const CLEAN = scanned();

export function gateInMemory() {
  const stored: Stored = {
    reports: new Map(),
    records: new Map(),
    gates: new Map([
      [
        'team',
        {
          policyId: null,
          pushGate: 'report',
          pullGate: 'enforce',
          immutableTags: [],
          quotaBytes: null,
          statements: 'off',
        },
      ],
    ]),
    policies: [],
    waivers: [],
    authorities: new Map(),
    feeds: [],
    shapes: new Map(),
    missing: new Set(),
    settings: DEFAULT_POLICY,
    now: new Date('2026-11-22T12:00:00Z'),
  };
  const asked = { reports: 0, rules: 0 };
  const link = { live: true };
  /** What a query waits for after it has read. */
  const delays: { facts: Promise<void> | null } = { facts: null };
  const listeners: OnChange[] = [];
  const gate = createGate({
    now: () => stored.now,
    policy: async () => stored.settings,
    async shapeOf({ digest }, { signal }) {
      signal?.throwIfAborted();
      return stored.missing.has(digest) ? null : (stored.shapes.get(digest) ?? { kind: 'image' });
    },
    watch(onChange) {
      listeners.push(onChange);
      return { live: () => link.live, close: () => {} };
    },
    store: {
      policies: {
        list: async () =>
          stored.policies.map((policy) => ({
            ...policy,
            createdAt: stored.now,
            updatedAt: stored.now,
          })),
      },
      folders: {
        async gates() {
          asked.rules += 1;
          return stored.gates;
        },
      },
      registries: { list: async () => [] },
      authorities: { current: async () => stored.authorities },
      waivers: { inForce: async (now) => stored.waivers.filter((each) => each.expiresAt > now) },
      feeds: {
        find: async (kind) => stored.feeds.find((feed) => feed.kind === kind) ?? null,
      },
      reports: {
        async facts(digests) {
          asked.reports += 1;
          const found = [...stored.reports].filter(([digest]) => digests.includes(digest));
          await delays.facts;
          return new Map(found);
        },
      },
      passRecords: {
        find: async (folder, digest) => stored.records.get(`${folder} ${digest}`) ?? null,
        async save({ folder, digest, passedAt, blockedAt }) {
          stored.records.set(`${folder} ${digest}`, { passedAt, blockedAt });
        },
      },
    },
  });
  const change = (kind: ChangeKind, digests: string[] | null = null) => {
    for (const listener of listeners) listener(kind, digests);
  };
  const pull = (
    digest = 'sha256:a',
    account = { isAdmin: false, canBypassVulnBlock: false },
    repository = 'team/app',
  ) => ({ image: { digest, repository, folder: 'team' }, account });
  return { gate, stored, asked, link, delays, change, pull };
}
