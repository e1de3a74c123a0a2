/**
 * The reports of the manifests below an index, each of its own digest: what one platform has is
 * decided apart from the others. What was not looked at has no coverage.
 */
import type { PartReport, ScanReport } from '@portcullis/domain';
import type { Artifact, ScanSelection, Unreadable } from '../scan/select.ts';
import { type ImageReport, mergeReports, type Unseen, unseen } from './report.ts';

type Scanner = ScanReport['scanner'];

/** An image that was scanned. */
export interface SeenPart {
  digest: string;
  report: ImageReport;
}

export function imageParts(images: readonly SeenPart[], scanner: Scanner): PartReport[] {
  return images.map(({ digest, report }) => ({ digest, report: mergeReports([report], scanner) }));
}

/** All manifests below the root; none where the root is no index. */
export function partsOf(
  root: string,
  images: readonly SeenPart[],
  selection: Pick<ScanSelection, 'artifacts' | 'unreadable'>,
  scanner: Scanner,
): PartReport[] {
  const parts = [
    ...imageParts(images, scanner),
    ...selection.unreadable.map((each) => ({
      digest: each.digest,
      report: mergeReports(unseen([unreadable(each)], []), scanner),
    })),
    ...selection.artifacts
      .filter(({ isManifest }) => isManifest)
      .map((each) => ({
        digest: each.digest,
        report: {
          artifactType: each.type,
          ...mergeReports(unseen([noImage(each)], []), scanner),
        },
      })),
  ];
  return parts.filter(({ digest }) => digest !== root);
}

export function unreadable({ part, mediaType }: Unreadable): Unseen {
  return part === 'layer'
    ? {
        gap: { kind: 'layer_unreadable', mediaType },
        note: `a layer of the type ${mediaType} can't be read`,
      }
    : {
        gap: { kind: 'config_unreadable', mediaType },
        note: `an image whose configuration is of the type ${mediaType} can't be read`,
      };
}

export function noImage(artifact: Pick<Artifact, 'type'> | undefined): Unseen {
  const type = artifact?.type ?? null;
  return {
    gap: { kind: 'not_an_image', type },
    note: `this is no container image: ${type ?? 'it is empty'}`,
  };
}

export function artifactFiles({ type }: Pick<Artifact, 'type'>): Unseen {
  return {
    gap: { kind: 'artifact_files', type },
    note: `an artifact of the type ${type} holds files that were not scanned`,
  };
}
