/** Resolves the source of a pull, and checks whether the caller may pull from it. */
import {
  type JobSource,
  LOCAL_REGISTRY_ID,
  mayUseHosts,
  type Principal,
  type ReferrerChoice,
  type ScanOverrides,
} from '@portcullis/domain';
import { DOCKER_HUB_HOST, dockerHubRepository, registryHost } from '@portcullis/oci';
import type { OwnHosts, RegistryAccess } from '@portcullis/registry-access';
import type { Credentials } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import type { AccessRight } from '../../identity/rights.ts';
import type { PushOrder } from './destination.ts';

export interface SourceOrder {
  image: string;
  registryId: string | null;
  host: string | null;
  credentials: Credentials | null;
  useTls: boolean | null;
  tlsVerify: boolean | null;
}

export interface PullOrder extends SourceOrder {
  tag: string;
  platforms: 'all' | string[];
  withReferrers: ReferrerChoice;
  /** Null: none was chosen. */
  destination: PushOrder | null;
  overrides: ScanOverrides;
}

export interface ResolvedSource {
  source: JobSource;
  /** The repository at the source. */
  image: string;
  credentials: Credentials | null;
  right: AccessRight;
}

export interface SourcePorts {
  locate: RegistryAccess['locate'];
  ownHosts: OwnHosts;
  /** The host of the built-in registry for clients. */
  publicHost(): string;
}

export async function resolveSource(
  order: SourceOrder,
  principal: Principal,
  ports: SourcePorts,
): Promise<ResolvedSource> {
  if (order.registryId !== null) return fromSaved(order.registryId, order, principal, ports);
  if (order.host !== null) return fromHost(order.host, order, principal, ports);
  return fromDockerHub(order);
}

async function fromSaved(
  id: string,
  order: SourceOrder,
  principal: Principal,
  ports: SourcePorts,
): Promise<ResolvedSource> {
  const place = await ports.locate(id, principal);
  if (place.kind === 'local') return fromLocal(order, ports);
  const { saved } = place;
  const source = { kind: 'registry' as const, registryId: saved.id, host: saved.host };
  return {
    source,
    image: imageAt(saved.host, order.image),
    credentials: null,
    right: { action: 'pull_external' },
  };
}

async function fromHost(
  text: string,
  order: SourceOrder,
  principal: Principal,
  ports: SourcePorts,
): Promise<ResolvedSource> {
  const host = registryHost(text);
  // Needs a network request, which is skipped if the account has neither right.
  if (mayUseHosts(principal, 'pull') && (await ports.ownHosts.isOwn(host, principal)))
    return fromLocal(order, ports);
  const { useTls, tlsVerify, credentials } = order;
  const tls = { ...(useTls !== null && { useTls }), ...(tlsVerify !== null && { tlsVerify }) };
  const source = { kind: 'host' as const, registryId: null, host, ...tls };
  return {
    source,
    image: imageAt(host, order.image),
    credentials,
    right: { action: 'pull_external' },
  };
}

/** Docker Hub namespaces contain no dot: such an image names a host, which has a separate field. */
function fromDockerHub({ image }: SourceOrder): ResolvedSource {
  const first = image.split('/', 1)[0] ?? '';
  if (image.includes('/') && first.includes('.')) {
    throw fieldInvalid(
      'image',
      'IMAGE_HAS_HOST',
      'The image names a host; put it into source_registry_host.',
    );
  }
  const source = { kind: 'dockerhub' as const, registryId: null, host: DOCKER_HUB_HOST };
  return { source, image, credentials: null, right: { action: 'pull_external' } };
}

function fromLocal({ image }: SourceOrder, ports: SourcePorts): ResolvedSource {
  const source = {
    kind: 'registry' as const,
    registryId: LOCAL_REGISTRY_ID,
    host: ports.publicHost(),
  };
  return { source, image, credentials: null, right: { action: 'pull', repository: image } };
}

function imageAt(host: string, image: string): string {
  return host === DOCKER_HUB_HOST ? dockerHubRepository(image) : image;
}
