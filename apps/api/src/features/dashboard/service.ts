/**
 * The dashboard's figures, limited to what the caller may read: a few queries, cached for some
 * seconds.
 */
import type { Attention } from '@portcullis/contract';
import { foldersWith, LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import { type DiskLooks, isShort, type Space } from '@portcullis/runtime';
import type {
  FigureScope,
  FindingFigures,
  ImageFigures,
  JobFigures,
  JobScope,
  Store,
} from '@portcullis/store';
import type { Standings } from '../images/standings.ts';
import type { DependencyStates, ScannerFacts } from '../system/service.ts';
import { DAY_MS, firstDay } from './days.ts';
import { type NoticedThing, waitingFor } from './waiting.ts';

export interface DashboardPorts {
  store: Pick<Store, 'figures' | 'maintenance' | 'reviews' | 'waivers'>;
  standings: Pick<Standings, 'judged'>;
  facts(): Promise<ScannerFacts>;
  /** Whether the built-in registry answers, and any worker runs. */
  health(): Promise<Pick<DependencyStates, 'registry' | 'workers'>>;
  disks: DiskLooks;
  /** Audit events that the slowest collector has not received. */
  eventsLag(): Promise<number>;
  now(): Date;
}

export interface Stats {
  images: ImageFigures;
  findings: FindingFigures;
  jobs: JobFigures;
  scanner: ScannerFacts;
  registryOk: boolean;
  disk: { total: number; free: number } | null;
  accounts: { users: number; admins: number; disabled: number } | null;
  attention: NoticedThing[];
  asOf: Date;
}

const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 500;

export function createDashboardService(ports: DashboardPorts) {
  const remembered = new Map<string, { at: number; stats: Promise<Stats> }>();

  async function stats(principal: Principal): Promise<Stats> {
    const { reviews, waivers } = ports.store;
    const [known, waiting] = await Promise.all([
      figures(principal),
      waitingFor(principal, { reviews, waivers, now: ports.now }),
    ]);
    const attention = [...known.attention, ...waiting];
    return { ...known, attention: attention.toSorted(byLevel) };
  }

  /** The cache key contains the grants, so that a revoked grant changes the key. */
  function figures({ id, isAdmin, grants }: Principal): Promise<Stats> {
    const folders = isAdmin ? ('all' as const) : foldersWith(grants, 'pull');
    const key = isAdmin ? 'admin' : JSON.stringify([id, folders]);
    const now = ports.now();
    const at = now.getTime();
    const known = remembered.get(key);
    if (known && at - known.at < REMEMBERED_MS) return known.stats;
    const recent = new Date(at - DAY_MS);
    const ownerId = isAdmin ? null : id;
    const fresh = collect({ folders, ownerId, since: firstDay(now), recent }, isAdmin);
    remember(key, { at, stats: fresh });
    return fresh;
  }

  function remember(key: string, entry: { at: number; stats: Promise<Stats> }): void {
    remembered.delete(key);
    remembered.set(key, entry);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    entry.stats.catch(() => remembered.delete(key));
  }

  async function collect(scope: FigureScope & JobScope, isAdmin: boolean): Promise<Stats> {
    const { figures } = ports.store;
    const [images, stored, jobs, scanner, health, spaces, operator] = await Promise.all([
      figures.images(scope),
      figures.findings(scope),
      figures.jobs(scope),
      ports.facts(),
      ports.health(),
      spacesOf(ports),
      isAdmin ? forOperator(ports) : null,
    ]);
    const asOf = ports.now();
    const attention = [
      ...attentionOf({
        jobs,
        scanner,
        health,
        diskShort: spaces.some(isShort),
        now: asOf,
      }),
      ...(operator ? operator.attention : []),
    ];
    const { disk = null, accounts = null } = operator ?? {};
    const worst = await ports.standings.judged(stored.worst, ({ repository }) => ({
      registryId: LOCAL_REGISTRY_ID,
      repository,
    }));
    const findings = { ...stored, worst };
    return {
      images,
      findings,
      jobs,
      scanner,
      registryOk: health.registry.ok,
      disk,
      accounts,
      attention,
      asOf,
    };
  }

  return { stats };
}
export type DashboardService = ReturnType<typeof createDashboardService>;

/** Of the disks that are known, that of DATA_DIR first. */
async function spacesOf({ disks }: Pick<DashboardPorts, 'disks'>): Promise<Space[]> {
  const spaces = await Promise.all([disks.data(), disks.registry()]);
  return spaces.filter((space) => space !== null);
}

async function forOperator(ports: DashboardPorts) {
  const { store, disks, eventsLag } = ports;
  const [accounts, space, spaces, lag, gc] = await Promise.all([
    store.figures.accounts(),
    disks.data(),
    spacesOf(ports),
    eventsLag(),
    store.maintenance.latest('gc'),
  ]);
  const used = Math.max(0, ...spaces.map(({ free, total }) => 100 * (1 - free / total)));
  const attention: NoticedThing[] = [
    ...when(used >= 90, 'disk_nearly_full', used >= 97 ? 'critical' : 'warning', Math.round(used)),
    ...when(lag >= 1_000, 'events_lagging', 'warning', lag),
    ...when(gc?.state === 'failed', 'gc_failed', 'warning', 1),
  ];
  return { accounts, disk: space && { total: space.total, free: space.free }, attention };
}

interface Noticed {
  jobs: JobFigures;
  scanner: ScannerFacts;
  health: Pick<DependencyStates, 'registry' | 'workers'>;
  diskShort: boolean;
  now: Date;
}

/** A new database is published every six hours. */
const OLD_DATABASE_SECONDS = 48 * 3600;

function attentionOf({ jobs, scanner, health, diskShort, now }: Noticed): NoticedThing[] {
  const age = databaseAge(scanner, now) ?? 0;
  return [
    ...when(!health.registry.ok, 'registry_unavailable', 'critical', 1),
    ...when(!health.workers.ok, 'no_worker', 'critical', 1),
    ...when(diskShort, 'disk_short', 'critical', 1),
    ...when(scanner.enabled && !scanner.available, 'scanner_unavailable', 'critical', 1),
    ...when(scanner.enabled && age > OLD_DATABASE_SECONDS, 'scanner_db_old', 'warning', age),
    ...when(jobs.blocked > 0, 'jobs_blocked', 'warning', jobs.blocked),
    ...when(jobs.recentlyFailed > 0, 'jobs_failed', 'warning', jobs.recentlyFailed),
  ];
}

export function databaseAge({ db }: ScannerFacts, now: Date): number | null {
  if (!db || db.updatedAt === null) return null;
  return Math.max(0, Math.round((now.getTime() - Date.parse(db.updatedAt)) / 1000));
}

function when(
  isSo: boolean,
  kind: Attention['kind'],
  level: Attention['level'],
  count: number,
): NoticedThing[] {
  return isSo ? [{ kind, level, count, oldestAt: null }] : [];
}

/** The critical ones first, the others in the order in which they are known. */
function byLevel(one: NoticedThing, other: NoticedThing): number {
  return Number(other.level === 'critical') - Number(one.level === 'critical');
}
