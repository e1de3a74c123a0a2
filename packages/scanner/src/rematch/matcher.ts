/**
 * Makes the report of an image that was scanned before anew, from the stored analyses of its
 * layers and the present vulnerability database. Nothing is pulled, unpacked or started for it:
 * one `trivy server` answers for all images.
 */
import type { ScanResult } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import { readBuckets } from '../database/buckets.ts';
import { concernsNothing, readChanges } from '../database/database-changes.ts';
import { type DatabaseLease, readMetadata } from '../database/database-dir.ts';
import { listPackages } from '../judging/package-list.ts';
import type { Advisories } from '../reports/advisories.ts';
import { imageParts, type SeenPart } from '../reports/part-reports.ts';
import type { RawReport } from '../reports/raw-report.ts';
import { mergeReports, toImageReport, unseen } from '../reports/report.ts';
import type { Invocation } from '../scan/cli.ts';
import { type RedisRelay, relayRedis } from '../scan/redis-relay.ts';
import { LAYOUT } from '../scan/scan-dir.ts';
import type { Analyses } from './analyses.ts';
import {
  keysOf,
  profileOf,
  type ScannedImage,
  type ScannedPart,
  unseenIn,
} from './scanned-image.ts';
import { readAnswer } from './server-answer.ts';
import { ask, askVersion, countWarnings } from './server-client.ts';
import { startServer } from './server-process.ts';

export interface ServerMatcher extends AsyncDisposable {
  /** As the scanner writes it into reports. */
  dbUpdatedAt: string;
  profile: string;
  /** The process id of the server. */
  pid: number;
  hasEnded(): boolean;
  /**
   * Null where the image has to be scanned: its analyses are not stored. @throws unavailable
   * `REMATCH_FAILED`
   */
  match(digest: string, signal?: AbortSignal): Promise<ScanResult | null>;
  /** Which of these images need no match. */
  plan(images: readonly PlannedImage[]): Promise<MatchPlan>;
}

interface PlannedImage {
  digest: string;
  /** The database of its report, as the scanner wrote it. */
  dbUpdatedAt: string | null;
}

interface MatchPlan {
  /** The database since which the changes are known; null where none is. */
  from: string | null;
  /**
   * Whether the report, made with the database `from`, is the same with the present one. Ask just
   * before the image's turn: the end of life of a release is learned from the matches before.
   */
  isUnchanged(digest: string): boolean;
}

export interface Matcher extends ServerMatcher {
  /** Whether its database is the one that a scan would use now. */
  isCurrent(): Promise<boolean>;
}

export interface MatcherContext extends Omit<Invocation, 'databaseDir'> {
  lease: DatabaseLease;
  redisUrl: string;
  analyses: Analyses;
  /** Where what answers say about vulnerabilities is kept. */
  advisories?: Advisories | undefined;
  log: Pick<Logger, 'error' | 'warn'>;
}

/** @throws unavailable `REMATCH_UNAVAILABLE` */
export async function startMatcher(context: MatcherContext): Promise<ServerMatcher> {
  const { lease, redisUrl, analyses, log } = context;
  const metadata = await readMetadata(lease.dir, 'db');
  const buckets = await readBuckets(lease.dir, log);
  const parts = new AsyncDisposableStack();
  try {
    const relay: RedisRelay = parts.use(await relayRedis(redisUrl));
    const invocation = { ...context, databaseDir: lease.dir };
    const server = parts.use(await startServer(invocation, relay.url));
    const { Version: version, VulnerabilityDB } = await askVersion(server);
    if (Date.parse(VulnerabilityDB.UpdatedAt) !== Date.parse(metadata.UpdatedAt))
      throw unavailable('REMATCH_UNAVAILABLE', "the scanner's server has another database");
    const profile = profileOf(version);
    const scanner = { name: 'trivy', version, dbUpdatedAt: metadata.UpdatedAt };

    const changes = await readChanges(lease.dir, metadata.UpdatedAt);
    const lives = lifeEnds();

    async function askFor(part: ScannedPart, signal?: AbortSignal): Promise<RawReport> {
      const target = `${LAYOUT}@${part.digest}`;
      const layers = part.layers.map(({ key }) => key);
      const answer = await ask(server, { target, artifact: part.artifact, layers }, signal);
      // The reads of the server are of no interest, and would add up.
      relay.takeReads();
      const raw = await readAnswer(answer, target, version);
      assertAnswered(raw, part);
      lives.learn(part, raw);
      await context.advisories?.keep(raw);
      return raw;
    }

    async function reportOn(
      root: string,
      image: ScannedImage,
      signal?: AbortSignal,
    ): Promise<ScanResult> {
      const images: SeenPart[] = [];
      for (const part of image.parts) {
        const raw = await askFor(part, signal);
        const digestOf = new Map(part.layers.map(({ diffId, name }) => [diffId, name]));
        const packages = listPackages(raw);
        const report = toImageReport(raw, { ...part, packages, buckets, digestOf });
        images.push({ digest: part.digest, report });
      }
      const reports = images.map(({ report }) => report);
      return {
        report: mergeReports([...reports, ...unseen(unseenIn(image), reports)], scanner),
        // No database changes the reports of what is unreadable or no image.
        parts: imageParts(images, scanner).filter((part) => part.digest !== root),
      };
    }

    /** Null where the server warned of what no scan heard. */
    async function heardReport(
      root: string,
      image: ScannedImage,
      signal?: AbortSignal,
    ): Promise<ScanResult | null> {
      const before = server.warnings.count();
      const result = await reportOn(root, image, signal);
      const hasWarned = (await countWarnings(server, signal)) > before;
      return hasWarned && !isWarned(image) ? null : result;
    }

    async function match(digest: string, signal?: AbortSignal): Promise<ScanResult | null> {
      const kept = (await analyses.find([digest], profile)).get(digest);
      if (!kept) return null;
      const { image } = kept;
      const keys = keysOf(image);
      if (!(await analyses.restore(keys))) return null;
      try {
        return await heardReport(digest, image, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (await server.isEnding()) throw error;
        // Redis may have lost an analysis since.
        log.warn({ err: error, digest }, 'an image was not re-matched; trying once more');
        if (!(await analyses.restore(keys))) return null;
        // The failure was a line of the server, too.
        await countWarnings(server, signal);
        return await heardReport(digest, image, signal);
      }
    }

    async function plan(images: readonly PlannedImage[]): Promise<MatchPlan> {
      if (!changes) return { from: null, isUnchanged: () => false };
      const judged = images.filter(({ dbUpdatedAt }) => dbUpdatedAt === changes.from);
      const digests = judged.map(({ digest }) => digest);
      const kept = await analyses.find(digests, profile);
      const unconcerned = new Map(
        [...kept].filter(([, { image, packages }]) => concernsNothing(changes, image, packages)),
      );
      return {
        from: changes.from,
        isUnchanged(digest) {
          return unconcerned.get(digest)?.image.parts.every(lives.isAsBefore) ?? false;
        },
      };
    }

    const owned = parts.move();
    return {
      dbUpdatedAt: metadata.UpdatedAt,
      profile,
      pid: server.pid,
      hasEnded: server.hasEnded,
      match,
      plan,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } finally {
    await parts.disposeAsync();
  }
}

/**
 * Whether the releases of operating systems are past their end of life, which follows from the date
 * and not from the database.
 */
function lifeEnds() {
  const known = new Map<string, boolean>();
  const keyOf = (os: NonNullable<ScannedPart['os']>) =>
    JSON.stringify([os.family, os.name, os.extended]);
  return {
    learn({ os }: ScannedPart, raw: RawReport): void {
      if (os) known.set(keyOf(os), raw.Metadata?.OS?.EOSL ?? false);
    },
    isAsBefore: ({ os }: ScannedPart): boolean => os === null || known.get(keyOf(os)) === os.eosl,
  };
}

/**
 * Whether the scan heard a warning already. An advisory that is new may be of a package whose
 * version can't be compared: only a scan says in which image.
 */
function isWarned({ parts }: ScannedImage): boolean {
  return parts.some(({ unjudged }) => unjudged.some(({ kind }) => kind === 'scanner_warning'));
}

/** Trivy leaves a layer out of its answer where nothing was found in it. */
function assertAnswered(raw: RawReport, { layers }: ScannedPart): void {
  const known = new Set(layers.map(({ diffId }) => diffId));
  if ((raw.Metadata?.DiffIDs ?? []).every((diffId) => known.has(diffId))) return;
  throw unavailable('REMATCH_FAILED', "the scanner's server answered for other layers");
}
