/** Declares health, readiness, version and the address for clients. */
import { z } from 'zod';
import { Time } from '../common.ts';
import type { Contract } from '../operation.ts';

export const Health = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptime_s: z.number(),
});

export const Dependency = z.strictObject({
  ok: z.boolean(),
  /** Of what the message says, for programs; null where there is none. */
  code: z.string().nullable(),
  /** For operators; never contains an address or a credential. */
  message: z.string().nullable(),
  latency_ms: z.number(),
});

export const Readiness = z.strictObject({ status: z.enum(['ready', 'stopping']) });
export type Readiness = z.infer<typeof Readiness>;

export const DependencyHealth = z.strictObject({
  /**
   * `degraded` while the database, Redis or the registry is unavailable, no worker runs, or a disk
   * is not ok: requests and jobs that need it get 503 or wait.
   */
  status: z.enum(['ok', 'degraded']),
  /** Whether the operator marked images and vulnerabilities as made up (`SAMPLE_DATA`). */
  sample_data: z.boolean(),
  dependencies: z.strictObject({
    database: Dependency,
    redis: Dependency,
    registry: Dependency,
    scanner: Dependency,
    /**
     * Not ok while less than `DISK_RESERVE` is free on the disk of a worker (`DISK_RESERVE`) or of
     * the built-in registry (`REGISTRY_DISK_RESERVE`), a worker cannot write to its disk
     * (`DISK_UNWRITABLE`), or jobs have waited for a disk for five minutes (`JOBS_WAIT_FOR_DISK`;
     * before, it is ok and has this code). Meanwhile pulls and scans, or pushes to the built-in
     * registry, wait.
     */
    disk: Dependency,
    /** Not ok after no worker was seen for half a minute (`NO_WORKER`): every job waits. */
    workers: Dependency,
  }),
});
export type DependencyHealth = z.infer<typeof DependencyHealth>;

export const Version = z.strictObject({ version: z.string(), commit: z.string().nullable() });

export const LatestVersion = z.strictObject({
  version: z.string(),
  /** Null: the check for releases is disabled. */
  latest: z.string().nullable(),
  newer: z.boolean(),
  url: z.string().nullable(),
  published_at: Time.nullable(),
});

export const system = {
  health: {
    method: 'get',
    path: '/health',
    summary: 'Whether this process is alive',
    access: 'public',
    probe: true,
    success: { status: 200, body: Health },
  },
  dependencyHealth: {
    method: 'get',
    path: '/health/dependencies',
    summary: 'The services that the installation depends on, and which are unavailable; always 200',
    access: 'public',
    probe: true,
    success: { status: 200, body: DependencyHealth },
  },
  ready: {
    method: 'get',
    path: '/ready',
    summary: 'Whether this process accepts requests; 503 with the same body while it shuts down',
    access: 'public',
    probe: true,
    success: { status: 200, body: Readiness },
    /** A 503 has the same body. */
    faults: [{ status: 503, codes: [] }],
  },
  version: {
    method: 'get',
    path: '/version',
    summary: 'Build version',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Version },
  },
  latestVersion: {
    method: 'get',
    path: '/version/latest',
    summary: 'The latest release, where the operator lets us ask for it (RELEASE_CHECK_URL)',
    access: 'user',
    token: 'any',
    success: { status: 200, body: LatestVersion },
    faults: [{ status: 503, codes: ['RELEASES_UNAVAILABLE'] }],
  },
} as const satisfies Contract;
