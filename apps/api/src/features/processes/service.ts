/**
 * The state of all processes by their heartbeats, and checks of the services that they depend on.
 */
import type { GroupLag } from '@portcullis/events';
import type { QueueDepth } from '@portcullis/queue';
import type { DiskLooks, Heartbeat, Space } from '@portcullis/runtime';
import type {
  JobWaits,
  RematchProgress,
  ReportedCluster,
  RescanProgress,
  StandingCounts,
  StatementCounts,
} from '@portcullis/store';
import { type DependencyCheck, type Probed, probe } from '../system/probe.ts';
import { DEPENDENCIES, type DependencyName, type ScannerFacts } from '../system/service.ts';

export interface ProcessPorts {
  heartbeats(): Promise<Heartbeat[]>;
  checks: Record<DependencyName, DependencyCheck>;
  scanner(): Promise<ScannerFacts>;
  /** Null without a vulnerability database. */
  rescans(): Promise<RescanProgress | null>;
  /** Null before the first. */
  rematch(): Promise<RematchProgress | null>;
  /** Tagged images by whether they pass; null where no scan says more. */
  standings(): Promise<StandingCounts>;
  statements(): Promise<StatementCounts>;
  /** When the agents of clusters reported last. */
  clusterReports(): Promise<ReportedCluster[]>;
  /** The consumer groups of the audit stream. */
  auditGroups(): string[];
  lags(groups: readonly string[]): Promise<GroupLag[]>;
  /** Audit events in the outbox, not in the stream yet. */
  outbox(): Promise<{ count: number; oldestAgeMs: number | null }>;
  disks: DiskLooks;
  /** Jobs that wait for a stage. */
  waits(): Promise<JobWaits[]>;
  /** With the ages of the jobs that wait longest. */
  depths(): Promise<QueueDepth[]>;
  now(): number;
}

export interface ProcessFacts {
  name: string;
  instance: string;
  status: 'up' | 'late' | 'down' | 'off';
  version: string | null;
  startedAt: string | null;
  seenAt: string | null;
  detail: Record<string, unknown>;
}

/** Two and a half heartbeats. */
const LATE_MS = 5_000;

export function createProcessService(ports: ProcessPorts) {
  async function processes(): Promise<ProcessFacts[]> {
    const probes = await Promise.all(
      DEPENDENCIES.map(async (name) => ({ name, probed: await probe(ports.checks[name]) })),
    );
    const redis = probes.find(({ name }) => name === 'redis');
    const beats = redis?.probed.ok ? await ports.heartbeats() : [];
    const [scanner, disks] = await Promise.all([ports.scanner(), diskDetail(ports.disks)]);
    return [
      ...beats.map((beat) => living(beat, ports.now())),
      ...probes.flatMap(({ name, probed }) => {
        if (name === 'workers') return probed.ok ? [] : dependency('worker', probed);
        if (name === 'scanner') return scannerFacts(scanner, probed);
        return dependency(name, probed, name === 'disk' ? disks : {});
      }),
      ...(redis?.probed.ok ? await readers(beats) : []),
    ];
  }

  /** The readers of the audit stream run in any notifier: their lag is shown even if none runs. */
  async function readers(beats: Heartbeat[]): Promise<ProcessFacts[]> {
    const runs = beats.some(({ name }) => name === 'notifier');
    const lags = await ports.lags(ports.auditGroups());
    return lags.map(({ group, waiting, oldestAgeMs }) => ({
      ...missingProcess('audit', group),
      status: runs ? 'up' : 'down',
      detail: {
        waiting,
        oldest_age_s: oldestAgeMs === null ? null : Math.round(oldestAgeMs / 1000),
      },
    }));
  }

  return { processes, queues: ports.depths };
}
export type ProcessService = ReturnType<typeof createProcessService>;

function living({ seenAt, ...beat }: Heartbeat, now: number): ProcessFacts {
  return { ...beat, seenAt, status: now - Date.parse(seenAt) > LATE_MS ? 'late' : 'up' };
}

function missingProcess(name: string, instance: string) {
  return { name, instance, version: null, startedAt: null, seenAt: null };
}

/** The figures of each disk that is known. */
async function diskDetail({ data, registry }: DiskLooks): Promise<Record<string, unknown>> {
  const figures = (space: Space | null) =>
    space && { free_bytes: space.free, reserve_bytes: space.reserve };
  const [ofData, ofRegistry] = await Promise.all([data(), registry()]);
  return { data_disk: figures(ofData), registry_disk: figures(ofRegistry) };
}

function dependency(
  name: string,
  { ok, code, message, latencyMs }: Probed,
  more: Record<string, unknown> = {},
): ProcessFacts {
  return {
    ...missingProcess(name, name),
    status: ok ? 'up' : 'down',
    detail: { code, message, latency_ms: latencyMs, ...more },
  };
}

function scannerFacts({ enabled, version, db }: ScannerFacts, probed: Probed): ProcessFacts {
  const { detail, ...facts } = dependency('trivy', probed);
  const database = { database_updated_at: db?.updatedAt ?? null };
  const status = enabled ? facts.status : 'off';
  return { ...facts, version, status, detail: { ...detail, ...database } };
}
