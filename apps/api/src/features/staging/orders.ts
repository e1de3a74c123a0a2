/** Maps request bodies to orders of the service. Absent fields become null. */
import type { BYPASS, PullRequest, PushRequest, SourceTagsRequest } from '@portcullis/contract';
import { proposedTarget } from '@portcullis/domain';
import type { PushOrder } from './destination.ts';
import type { PullOrder, SourceOrder } from './source.ts';

export function pullOrder(body: PullRequest): PullOrder {
  return {
    ...sourceOrder(body),
    tag: body.tag,
    platforms: body.platforms ?? 'all',
    withReferrers: body.include_referrers,
    destination: destinationOrder(body),
    overrides: {
      vulnScanEnabled: body.vuln_scan_enabled_override ?? null,
      vulnSeverities: body.vuln_severities_override ?? null,
    },
  };
}

/** Null: none was chosen. */
function destinationOrder({ image, tag, destination }: PullRequest): PushOrder | null {
  if (destination === undefined) return null;
  const own = proposedTarget({ image, tag });
  return {
    targetImage: destination.target_image ?? own.repository,
    targetTag: destination.target_tag ?? own.tag,
    folder: destination.folder ?? null,
    registryId: destination.external_registry_id ?? null,
    ...{ host: null, username: null },
  };
}

type SourceBody = Pick<PullRequest, keyof SourceTagsRequest> &
  Pick<Partial<PullRequest>, 'source_registry_id'>;

export function sourceOrder(body: SourceBody): SourceOrder {
  const { source_registry_username: username, source_registry_password: password } = body;
  return {
    image: body.image,
    registryId: body.source_registry_id ?? null,
    host: body.source_registry_host ?? null,
    credentials: username !== undefined && password !== undefined ? { username, password } : null,
    useTls: body.source_registry_use_tls ?? null,
    tlsVerify: body.source_registry_tls_verify ?? null,
  };
}

export function pushOrder(
  body: Omit<PushRequest, 'job_id' | 'external_registry_password' | keyof typeof BYPASS>,
): PushOrder {
  return {
    targetImage: body.target_image,
    targetTag: body.target_tag,
    folder: body.folder ?? null,
    registryId: body.external_registry_id ?? null,
    host: body.external_registry_host ?? null,
    username: body.external_registry_username ?? null,
  };
}
