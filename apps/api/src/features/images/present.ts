/** Shows repositories, tags and images as the API does. */
import type { ImageDetail, WireSource } from '@portcullis/contract';
import { byVulnerability, NO_FINDINGS, withBypass } from '@portcullis/domain';
import type { Platform } from '@portcullis/oci';
import type { ListedTag } from './browse.ts';
import type { ImageFacts } from './detail.ts';
import type { ImageQuery } from './read-image.ts';
import type { TagJudgement } from './tag-standing.ts';

export function presentTag({ judgement, bypass, ...tag }: ListedTag) {
  return { ...tag, standing: judgement && presentStanding(judgement, bypass), bypassed: bypass };
}

const MOST_NAMED = 3;

function presentStanding(
  { standing, answer, ...judgement }: TagJudgement,
  bypass: ListedTag['bypass'],
) {
  const blocking = byVulnerability(standing?.blocking ?? []);
  return {
    ...judgement,
    ...withBypass(answer, bypass?.by ?? null),
    blocking: blocking
      .slice(0, MOST_NAMED)
      .map(({ id, first }) => ({ vulnerability: id, package: first.finding.package })),
  };
}

function withPlatform<Of extends { platform: Platform }>({ platform, ...of }: Of) {
  const { os, architecture, variant = null } = platform;
  return { ...of, os, architecture, variant };
}

export function presentDetail(
  { repository, tag }: ImageQuery,
  detail: ImageFacts,
): WireSource<typeof ImageDetail> {
  const { root, config, layerFindings, ...rest } = detail;
  return {
    ...config,
    ...rest,
    name: repository,
    tag,
    digest: root.digest,
    mediaType: root.mediaType,
    platforms: detail.platforms.map(withPlatform),
    absentPlatforms: detail.absentPlatforms.map(withPlatform),
    layers: detail.layers.map((layer) => ({
      ...layer,
      findings: layerFindings && (layerFindings.get(layer.digest) ?? NO_FINDINGS),
    })),
  };
}
