/** The row of a waiver, with the names that it refers to. */
import type {
  VexJustification,
  WaiverApproval,
  WaiverState,
  WaiverStatus,
} from '@portcullis/domain';
import type { Waiver as Row } from '../generated/client.ts';
import type { StoredWaiver } from './records.ts';

export const WITH_NAMES = {
  folder: { select: { name: true } },
  requestedBy: { select: { username: true } },
} as const;

type NamedRow = Row & { folder: { name: string } | null; requestedBy: { username: string } };

interface StoredApproval extends Omit<WaiverApproval, 'at'> {
  at: string;
}

export function toWaiver({
  folder,
  folderId: _f,
  requestedBy,
  remindedAt: _r,
  announcedAt: _a,
  expiredAt: _e,
  reviewNumber: review,
  closedBy,
  closedAt,
  closedReason,
  ...row
}: NamedRow): StoredWaiver {
  // Contains what this package wrote.
  const approvals = row.approvals as unknown as StoredApproval[];
  return {
    ...row,
    folder: folder?.name ?? null,
    review,
    requestedBy: requestedBy.username,
    status: row.status as WaiverStatus,
    justification: row.justification as VexJustification | null,
    state: row.state as WaiverState,
    approvals: approvals.map((approval) => ({ ...approval, at: new Date(approval.at) })),
    closed: closedAt && { by: closedBy ?? '', at: closedAt, reason: closedReason },
  };
}
