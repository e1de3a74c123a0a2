import type {
  FolderEvent as FolderEventView,
  FolderImage as FolderImageView,
  FolderOverview as FolderOverviewView,
  FolderSummary as FolderSummaryView,
} from '@portcullis/contract';
import { DEFAULT_POLICY_NAME } from '@portcullis/domain';
import type { FolderEvent, FolderImage } from '@portcullis/store';
import type { FolderOverview, FolderSummary } from './overviews.ts';
import { presentFlags, presentGate, presentPermission } from './present.ts';

export function presentSummary({ figures, rights }: FolderSummary): FolderSummaryView {
  const { inGrace, updatedAt, ...rest } = figures;
  return {
    ...rest,
    rights: presentFlags(rights),
    in_grace: inGrace,
    updated_at: updatedAt?.toISOString() ?? null,
  };
}

export function presentOverview(overview: FolderOverview): FolderOverviewView {
  const { folder, groups, owners, waivers, bytes, policyName } = overview;
  return {
    ...presentSummary(overview),
    created_at: folder.createdAt.toISOString(),
    ...presentGate(folder),
    policy_name: policyName ?? DEFAULT_POLICY_NAME,
    bytes,
    groups:
      groups?.map(({ members, memberCount, ...grant }) => ({
        ...presentPermission(grant),
        members,
        member_count: memberCount,
      })) ?? null,
    owners,
    waivers,
    activity: overview.activity.map(presentEvent),
  };
}

function presentEvent({ at, waiverId, ...event }: FolderEvent): FolderEventView {
  return { ...event, at: at.toISOString(), waiver_id: waiverId };
}

export function presentFolderImage(image: FolderImage): FolderImageView {
  const { tagCount, pushedAt, blockingTotal, graceUntil, scannedAt, since, ...rest } = image;
  return {
    ...rest,
    tag_count: tagCount,
    pushed_at: pushedAt.toISOString(),
    blocking_total: blockingTotal,
    since: since?.toISOString() ?? null,
    grace_until: graceUntil?.toISOString() ?? null,
    scanned_at: scannedAt?.toISOString() ?? null,
  };
}
