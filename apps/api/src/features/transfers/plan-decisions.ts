/**
 * What the gate would decide about the images of a plan, before their transfer scans them: the
 * policy of the destination judges the stored report of each digest, as the gate of the push will.
 * A plan tells an account no more than its transfer would (docs/decisions/0053).
 */
import type { PlannedDecision } from '@portcullis/contract';
import {
  byVulnerability,
  codeOfRefusal,
  countBySeverity,
  earlierScanOf,
  foldersWith,
  isCertain,
  LOCAL_REGISTRY_ID,
  type Principal,
  type ScanOverrides,
  scanWanted,
  type TransferOrder,
  targetAt,
} from '@portcullis/domain';
import type { GatedScan, JudgedPush, PushGate } from '@portcullis/gate';
import type { DigestFacts, Store } from '@portcullis/store';

export interface DecisionPorts {
  reports: Pick<Store['reports'], 'facts'>;
  images: Pick<Store['images'], 'readable'>;
  pushGate: Pick<PushGate, 'openAll'>;
  folders(): Promise<ReadonlySet<string>>;
}

export interface PlannedWaitPorts extends Pick<DecisionPorts, 'pushGate' | 'folders'> {
  sightings: Pick<Store['sightings'], 'first'>;
}

interface PlannedImage {
  digest: string;
  /** The manifests in an index; empty for another image. */
  parts: readonly string[];
  /** At the destination. */
  repository: string;
}

type Order = Omit<TransferOrder, 'entries'>;

/** In the order of the images; null without a report that the account may read. */
export type DecidePlan = (
  images: readonly PlannedImage[],
  order: Order,
  principal: Principal,
) => Promise<(PlannedDecision | null)[]>;

/** Until when images are too young for the destination; null: its policy asks for no age. */
export type WaitsAt = (
  repository: string,
  order: Order,
  principal: Principal,
) => Promise<((digest: string) => Promise<Date | null>) | null>;

/** A digest without a sighting is seen by the transfer, and waits from then on. */
export function createPlanWaits({ sightings, pushGate, folders }: PlannedWaitPorts): WaitsAt {
  return async (repository, order, account) => {
    const { bypass } = order;
    const target = targetAt({ ...order.destination, repository }, await folders());
    const { waits } = (await pushGate.openAll({ account, bypass, digests: [] }))(target);
    if (waits === null) return null;
    return async (digest) => waits({ digest, sightedAt: await sightings.first(digest) });
  };
}

/** Images whose reports are read by one query: those of a usual plan, some ten megabytes. */
const AT_ONCE = 250;

export function createPlanDecisions(ports: DecisionPorts): DecidePlan {
  return async (images, order, principal) => {
    const { bypass } = order;
    const [gateOf, folders] = await Promise.all([
      ports.pushGate.openAll({
        ...{ account: principal, bypass },
        digests: images.map(({ digest }) => digest),
      }),
      ports.folders(),
    ]);
    const decisions: (PlannedDecision | null)[] = [];
    for (let from = 0; from < images.length; from += AT_ONCE) {
      const batch = images.slice(from, from + AT_ONCE);
      const known = await factsOf(batch, { order, principal }, ports);
      for (const image of batch) {
        const gate = gateOf(
          targetAt({ ...order.destination, repository: image.repository }, folders),
        );
        const asked = { image, known, overrides: order.overrides };
        decisions.push(decisionOf(gate, asked));
      }
    }
    return decisions;
  };
}

type Facts = ReadonlyMap<string, DigestFacts>;

/** Reports of parts are read for those indexes alone that have no report. */
async function factsOf(
  images: readonly PlannedImage[],
  reader: { order: Order; principal: Principal },
  { reports, images: index }: DecisionPorts,
): Promise<Facts> {
  const all = images.flatMap(({ digest, parts }) => [digest, ...parts]);
  const readable = await readableOf(all, reader, index);
  const roots = images.map(({ digest }) => digest).filter(readable);
  const known = await reports.facts(roots);
  const parts = images
    .filter(({ digest }) => !known.get(digest)?.report)
    .flatMap((image) => image.parts.filter(readable));
  return parts.length === 0 ? known : new Map([...known, ...(await reports.facts(parts))]);
}

/**
 * A saved registry may claim any digest and belong to the caller, who would read the report of an
 * image that it does not have. The built-in registry and Docker Hub have what they name.
 */
async function readableOf(
  digests: readonly string[],
  { order: { source }, principal }: { order: Order; principal: Principal },
  images: DecisionPorts['images'],
): Promise<(digest: string) => boolean> {
  const isTrusted = source.kind === 'dockerhub' || source.registryId === LOCAL_REGISTRY_ID;
  if (isTrusted || principal.isAdmin) return () => true;
  const folders = foldersWith(principal.grants, 'pull');
  const known = await images.readable([...new Set(digests)], { ownerId: principal.id, folders });
  return (digest) => known.has(digest);
}

interface Asked {
  image: PlannedImage;
  known: Facts;
  overrides: ScanOverrides;
}

type OpenGate = ReturnType<Awaited<ReturnType<PushGate['openAll']>>>;

function decisionOf(gate: OpenGate, { image, known, overrides }: Asked): PlannedDecision | null {
  const { digest } = image;
  const sightedAt = known.get(digest)?.sightedAt ?? null;
  const nothing = { facts: null, lastScanFailed: false, scanner: null };
  const scan = { digest, overrides, sightedAt, ...nothing };
  // What the transfer will not scan is decided without a report.
  if (!scanWanted(gate.settings, overrides))
    return present(gate.judgeScan({ ...scan, verdict: 'skipped' }), null);
  const reportOf = (each: string) => known.get(each)?.report ?? null;
  const found = earlierScanOf(reportOf(digest), image.parts.map(reportOf));
  if (!found) return null;
  const { facts, scannedAt } = found;
  const judged = gate.judgeScan({ ...scan, facts, verdict: 'pending' } satisfies GatedScan);
  const isBlocked = judged.explanation.code === codeOfRefusal('findings');
  return isCertain(found, isBlocked) ? present(judged, scannedAt) : null;
}

/** Of the findings that block, as many as a row of the page names. */
const MOST_FINDINGS = 3;

function present({ explanation, blocking }: JudgedPush, scannedAt: Date | null): PlannedDecision {
  const { outcome, because, code, policy, verdict, valid_until } = explanation;
  const { blocking_total, waived_total, waits_until } = explanation;
  const named = explanation.blocking.slice(0, MOST_FINDINGS);
  const matched = new Set(named.map(({ rule }) => rule));
  return {
    outcome,
    because,
    code,
    policy: { ...policy, rules: policy.rules.filter(({ position }) => matched.has(position)) },
    verdict,
    blocking: named,
    blocking_total,
    waived_total,
    valid_until,
    waits_until,
    counts: countBySeverity(byVulnerability(blocking)),
    scanned_at: scannedAt?.toISOString() ?? null,
  };
}
