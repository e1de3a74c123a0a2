/** Resolves a transfer request: source, destination and, for each image, all its faults. */
import type { FaultParams, TransferImage, TransferRequest } from '@portcullis/contract';
import {
  bypassOf,
  decide,
  type KnownFolders,
  type Principal,
  type ScanOverrides,
  type ScanPolicy,
  type TransferEntry,
  type TransferOrder,
  transferRights,
} from '@portcullis/domain';
import { type AppError, forbidden, isAppError } from '@portcullis/errors';
import { isDigest } from '@portcullis/oci';
import { fieldFaults, fieldsInvalid } from '../../http/problem.ts';
import {
  type DestinationPorts,
  destinationOf,
  namedFolder,
  type ResolvedDestination,
} from '../staging/destination.ts';
import { overrideFaults } from '../staging/overrides.ts';
import { resolveSource, type SourcePorts } from '../staging/source.ts';
import type { OrderFault } from './order-fault.ts';
import { patternFaults } from './pattern-faults.ts';

export interface OrderPorts extends Omit<SourcePorts & DestinationPorts, 'folders'> {
  knownFolders(): Promise<KnownFolders>;
  policy(): Promise<ScanPolicy>;
}

/** The order as far as it resolves; faulty entries are null. */
export interface ResolvedOrder {
  order: Omit<TransferOrder, 'entries'> | null;
  entries: (TransferEntry | null)[];
  faults: OrderFault[];
}

/** @throws not_found `REGISTRY_UNKNOWN` */
export async function resolveOrder(
  request: TransferRequest,
  principal: Principal,
  ports: OrderPorts,
): Promise<ResolvedOrder> {
  const cached = await remembering(ports);
  const resolved = [];
  for (const [index, image] of request.images.entries())
    resolved.push(await resolveEntry({ request, image, index }, principal, cached));
  const entries = resolved.map((each) => ('entry' in each ? each.entry : null));
  const faults = resolved.flatMap((each) => ('fault' in each ? [each.fault] : []));
  const first = resolved.find((each) => 'entry' in each);
  const overrides = overridesOf(request);
  const order = first && {
    source: first.source,
    destination: first.destination,
    platforms: request.platforms ?? 'all',
    overrides,
    withReferrers: request.include_referrers,
    bypass: bypassOf(principal, {
      allowed: request.bypass_gate,
      reason: request.bypass_reason ?? null,
    }),
  };
  faults.push(...collisions(entries));
  const named = namedFolder(request.dest_folder ?? null);
  const { folders: known, mirrors } = await ports.knownFolders();
  const folders = new Set([...known, ...(named === null ? [] : [named])]);
  if (order) faults.push(...denials({ ...order, entries }, principal, { folders, mirrors }));
  // Rights come first: the pattern of an image that the account may not copy is not compiled.
  const faulty = new Set(faults.map(({ index }) => index));
  faults.push(...(await patternFaults(request.images, (index) => !faulty.has(index))));
  for (const fault of overrideFaults(await ports.policy(), overrides, principal))
    faults.push({ ...fault, index: null, denied: true });
  return { order: order ?? null, entries, faults: onceEach(faults) };
}

/** @throws invalid or forbidden, with every fault by its entry */
export function orderOf({ order, entries, faults }: ResolvedOrder): TransferOrder {
  const errors = faults.map(({ index: _, denied: __, ...fault }) => fault);
  const denied = faults.find((fault) => fault.denied);
  if (denied && faults.every((fault) => fault.denied))
    throw forbidden(denied.code, denied.message, { detail: { errors } });
  if (!order || faults.length > 0) throw fieldsInvalid(errors);
  return { ...order, entries: entries.filter((entry) => entry !== null) };
}

/** Memoizes registries and folders: a thousand images resolve the same two ends. */
async function remembering(ports: OrderPorts): Promise<SourcePorts & DestinationPorts> {
  const locations = new Map<string, ReturnType<OrderPorts['locate']>>();
  const names = [...(await ports.knownFolders()).folders];
  const host = ports.publicHost();
  return {
    ownHosts: ports.ownHosts,
    locate(id, principal) {
      const known = locations.get(id) ?? ports.locate(id, principal);
      locations.set(id, known);
      return known;
    },
    folders: { names: async () => names },
    publicHost: () => host,
  };
}

interface RequestedImage {
  request: TransferRequest;
  image: TransferImage;
  index: number;
}

type Resolved =
  | {
      entry: TransferEntry;
      source: TransferOrder['source'];
      destination: TransferOrder['destination'];
    }
  | { fault: OrderFault };

async function resolveEntry(
  { request, image, index }: RequestedImage,
  principal: Principal,
  ports: SourcePorts & DestinationPorts,
): Promise<Resolved> {
  const wrong = tagFault(request, image);
  if (wrong) return { fault: faultAt(index, wrong) };
  try {
    const { source, image: repository } = await resolveSource(
      pullOrder(request, image),
      principal,
      ports,
    );
    const there = await destinationOf(pushOrder(request, image), principal, ports);
    const { kind, registryId, host } = there;
    const tags = image.tags
      ? { match: image.tags.match, newest: image.tags.newest ?? null }
      : { tag: image.tag ?? DEFAULT_TAG };
    const same = { source, repository, tag: image.tag ?? DEFAULT_TAG };
    if (!image.tags && isSame(same, there))
      return {
        fault: faultAt(index, {
          field: null,
          code: 'DESTINATION_IS_SOURCE',
          message: 'It would be written to where it is read.',
        }),
      };
    const entry = {
      image: repository,
      repository: there.repository,
      tags,
      targetTag: request.dest_tag ?? null,
    };
    return { entry, source, destination: { kind, registryId, host } };
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'invalid') throw error;
    return { fault: faultAt(index, locationFault(error, image)) };
  }
}

const DEFAULT_TAG = 'latest';

function isSame(
  { source, repository, tag }: { source: TransferOrder['source']; repository: string; tag: string },
  there: ResolvedDestination,
): boolean {
  if (source.registryId === null || source.registryId !== there.registryId) return false;
  return repository === there.repository && tag === there.tag;
}

interface Wrong {
  /** Relative to the entry; null for the whole order. */
  field: string | null;
  code: string;
  message: string;
  params?: FaultParams;
}

function faultAt(index: number, { field, code, message, params = {} }: Wrong): OrderFault {
  const path =
    field === 'dest_folder' ? field : `images.${index}${field === null ? '' : `.${field}`}`;
  return { index, path, code, params, message, denied: false };
}

function tagFault({ dest_tag }: TransferRequest, { tag, tags }: TransferImage): Wrong | null {
  if (tags && dest_tag !== undefined && tags.newest !== 1)
    return {
      field: 'tags',
      code: 'TAGS_MANY',
      message: 'Several tags cannot all become dest_tag; take the newest 1.',
    };
  if (tag !== undefined && isDigest(tag) && dest_tag === undefined)
    return { field: 'tag', code: 'TAG_REQUIRED', message: 'A digest needs a dest_tag.' };
  return null;
}

/** Maps the field names of staging to those of transfers. */
function locationFault(error: AppError, { dest_name }: TransferImage): Wrong {
  const { code, message } = error;
  const params = fieldFaults(error)?.[0]?.params ?? {};
  if (code === 'FOLDER_UNKNOWN') return { field: 'dest_folder', code, message, params };
  const field = code === 'IMAGE_HAS_HOST' || dest_name === undefined ? 'repository' : 'dest_name';
  return { field, code, message, params };
}

function pullOrder(request: TransferRequest, image: TransferImage) {
  return {
    image: image.repository,
    tag: image.tag ?? DEFAULT_TAG,
    registryId: request.source_registry_id ?? null,
    host: null,
    credentials: null,
    useTls: null,
    tlsVerify: null,
    platforms: request.platforms ?? ('all' as const),
    overrides: overridesOf(request),
  };
}

function pushOrder(request: TransferRequest, { repository, dest_name, tag }: TransferImage) {
  return {
    targetImage: dest_name ?? repository,
    targetTag: request.dest_tag ?? tag ?? DEFAULT_TAG,
    folder: request.dest_folder ?? null,
    registryId: request.dest_registry_id ?? null,
    host: null,
    username: null,
  };
}

function overridesOf(request: TransferRequest): ScanOverrides {
  return {
    vulnScanEnabled: request.vuln_scan_enabled_override ?? null,
    vulnSeverities: request.vuln_severities_override ?? null,
  };
}

/** Two images must not be written to the same tag. */
function collisions(entries: readonly (TransferEntry | null)[]): OrderFault[] {
  const taken = new Map<string, { entry: TransferEntry; index: number }>();
  return entries.flatMap((entry, index) => {
    if (!entry || !('tag' in entry.tags)) return [];
    const key = `${entry.repository}:${entry.targetTag ?? entry.tags.tag}`;
    const first = taken.get(key);
    if (!first) taken.set(key, { entry, index });
    const message = `It would be written to the same place as images.${first?.index}.`;
    const params = { index: first?.index ?? 0 };
    return first
      ? [faultAt(index, { field: null, code: 'DESTINATION_TWICE', message, params })]
      : [];
  });
}

function denials(
  order: Omit<TransferOrder, 'entries'> & { entries: (TransferEntry | null)[] },
  principal: Principal,
  knownFolders: KnownFolders,
): OrderFault[] {
  const indexes = order.entries.flatMap((entry, index) => (entry ? [index] : []));
  const entries = order.entries.filter((entry) => entry !== null);
  return [...transferRights({ ...order, entries })].flatMap(([right, positions]) => {
    const question = 'repository' in right ? { ...right, ...knownFolders } : right;
    const decision = decide(principal, question);
    if (decision.allowed) return [];
    const { code, reason: message } = decision;
    return positions.map((position) => {
      const index = indexes[position] ?? 0;
      return { index, path: `images.${index}`, code, params: {}, message, denied: true };
    });
  });
}

/** Reports an unknown folder once, however many images name it. */
function onceEach(faults: OrderFault[]): OrderFault[] {
  const seen = new Set<string>();
  return faults.filter(({ path, code }) => {
    const key = `${path} ${code}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
