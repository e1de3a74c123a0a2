import type {
  ImageDetail,
  ImagePage,
  ImageTag,
  ImageTreeLevel,
  ImageVerdict,
  TagStanding,
} from '@portcullis/contract';
import { NO_FINDINGS } from '@portcullis/domain';
import type { ListedTag, ListQuery, RepositoryPage, TreeLevel, TreeQuery } from './browse.ts';
import type { ImageFacts, JudgedScan } from './detail.ts';
import type { ImageQuery } from './read-image.ts';
import type { TagJudgement } from './tag-standing.ts';

export function presentPage({ items, total }: RepositoryPage, query: ListQuery): ImagePage {
  return {
    items: items.map(({ name, folder, tagCount, size, updatedAt }) => ({
      name,
      folder,
      tag_count: tagCount,
      size,
      updated_at: updatedAt?.toISOString() ?? null,
    })),
    ...pageOf(total, query),
  };
}

export function presentLevel({ items, total }: TreeLevel, query: TreeQuery): ImageTreeLevel {
  return {
    items: items.map(({ name, path, isRepository, repositories, tagCount, size, updatedAt }) => ({
      name,
      path,
      is_repository: isRepository,
      repositories,
      tag_count: tagCount,
      size,
      updated_at: updatedAt?.toISOString() ?? null,
    })),
    ...pageOf(total, query),
  };
}

function pageOf(total: number, { page, pageSize }: { page: number; pageSize: number }) {
  return { total, page, page_size: pageSize, total_pages: Math.ceil(total / pageSize) };
}

export function presentTag({
  tag,
  digest,
  size,
  mediaType,
  platforms,
  updatedAt,
  verdict,
  judgement,
  immutable,
  bypass,
}: ListedTag): ImageTag {
  const updated_at = updatedAt?.toISOString() ?? null;
  const standing = judgement && presentStanding(judgement);
  return {
    ...{ tag, digest, size, media_type: mediaType, platforms, updated_at, verdict, standing },
    immutable,
    let_through: bypass && { by: bypass.by, at: bypass.at.toISOString() },
  };
}

const MOST_NAMED = 3;

function presentStanding(judgement: TagJudgement): TagStanding {
  const { passes, code, standing, scannedAt, since, graceUntil } = judgement;
  const blocking = standing?.blocking ?? [];
  const ends = (standing?.waived ?? []).map(({ until }) => until.getTime());
  return {
    passes,
    code,
    blocking: blocking
      .slice(0, MOST_NAMED)
      .map(({ finding }) => ({ vulnerability: finding.id, package: finding.package })),
    blocking_total: blocking.length,
    waived_until: ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString(),
    scanned_at: scannedAt?.toISOString() ?? null,
    since: since?.toISOString() ?? null,
    grace_until: graceUntil?.toISOString() ?? null,
  };
}

export function presentDetail({ repository, tag }: ImageQuery, detail: ImageFacts): ImageDetail {
  const { root, config } = detail;
  return {
    name: repository,
    tag,
    digest: root.digest,
    media_type: root.mediaType,
    size: detail.size,
    created: config.created,
    platforms: detail.platforms.map(
      ({ platform: { os, architecture, variant = null }, digest, size }) => ({
        os,
        architecture,
        variant,
        digest,
        size,
      }),
    ),
    layers: detail.layers.map(({ mediaType, digest, size, createdBy }) => ({
      media_type: mediaType,
      digest,
      size,
      created_by: createdBy,
      findings: detail.layerFindings && (detail.layerFindings.get(digest) ?? NO_FINDINGS),
    })),
    labels: config.labels,
    env: config.env,
    cmd: config.cmd,
    entrypoint: config.entrypoint,
    exposed_ports: config.exposedPorts,
    user: config.user,
    working_dir: config.workingDir,
    referrers: detail.referrers.map(({ digest, mediaType, artifactType, size }) => ({
      digest,
      media_type: mediaType,
      artifact_type: artifactType,
      size,
    })),
    scan: detail.scan && presentVerdict(detail.scan),
    bypass: detail.bypass && { ...detail.bypass, at: detail.bypass.at.toISOString() },
  };
}

function presentVerdict({ verdict, counts, at, jobId }: JudgedScan): ImageVerdict {
  return { verdict, counts, at: at.toISOString(), job_id: jobId };
}
