import type { ShownWaiver } from './service.ts';

export function presentWaiver(
  { waiver, isInForce, hasEnded, names }: ShownWaiver,
  approvalsNeeded: number,
) {
  const isPast = hasEnded && (waiver.state === 'requested' || waiver.state === 'approved');
  return {
    ...waiver,
    vex: waiver.vexDocument === null ? null : sourceOf(waiver.vexDocument, waiver.vexAuthor),
    state: isPast ? ('expired' as const) : waiver.state,
    inForce: isInForce,
    requestedBy: { id: waiver.requestedById, username: waiver.requestedBy },
    approvals: waiver.approvals.map(({ accountId, username, at }) => ({
      id: accountId,
      username: names.get(accountId) ?? username,
      at,
    })),
    approvalsNeeded,
  };
}

function sourceOf(document: string, author: string | null) {
  return { document, author };
}
