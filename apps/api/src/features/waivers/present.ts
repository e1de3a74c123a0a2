import type { Waiver, WaiverCoverage as WaiverCoverageView } from '@portcullis/contract';
import type { WaiverCoverage } from '@portcullis/store';
import { presentFinding } from '../trivy/present.ts';
import type { ShownWaiver } from './service.ts';

export function presentWaiver(
  { waiver, isInForce, hasEnded, names }: ShownWaiver,
  approvalsNeeded: number,
): Waiver {
  const isPast = hasEnded && (waiver.state === 'requested' || waiver.state === 'approved');
  return {
    id: waiver.id,
    vulnerability: waiver.vulnerability,
    package: waiver.package,
    package_version: waiver.packageVersion,
    repository: waiver.repository,
    digest: waiver.digest,
    folder: waiver.folder,
    status: waiver.status,
    justification: waiver.justification,
    reason: waiver.reason,
    ticket: waiver.ticket,
    vex: waiver.vexDocument === null ? null : presentSource(waiver.vexDocument, waiver.vexAuthor),
    state: isPast ? 'expired' : waiver.state,
    in_force: isInForce,
    requested_by: { id: waiver.requestedById, username: waiver.requestedBy },
    approvals: waiver.approvals.map(({ accountId, username, at }) => ({
      id: accountId,
      username: names.get(accountId) ?? username,
      at: at.toISOString(),
    })),
    approvals_needed: approvalsNeeded,
    closed: waiver.closed && { ...waiver.closed, at: waiver.closed.at.toISOString() },
    created_at: waiver.createdAt.toISOString(),
    expires_at: waiver.expiresAt.toISOString(),
  };
}

function presentSource(document: string, author: string | null) {
  return { document, author };
}

export function presentCoverage({ images, findings, items }: WaiverCoverage): WaiverCoverageView {
  return { images, findings, items: items.map(presentFinding) };
}
