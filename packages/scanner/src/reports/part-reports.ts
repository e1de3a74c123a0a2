/**
 * The reports of the manifests below an index, each of its own digest: what one platform has is
 * decided apart from the others. What was not looked at has no coverage.
 */
import type { PartReport, ScanReport } from '@portcullis/domain';
import type { Artifact, ScanSelection, Unreadable } from '../scan/select.ts';
import { type ImageReport, mergeReports, unseen } from './report.ts';

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
  { artifacts, unreadable }: Pick<ScanSelection, 'artifacts' | 'unreadable'>,
  scanner: Scanner,
): PartReport[] {
  const parts = [
    ...imageParts(images, scanner),
    ...unreadable.map((each) => ({
      digest: each.digest,
      report: mergeReports(unseen([unreadableNote(each)], []), scanner),
    })),
    ...artifacts.map((each) => ({
      digest: each.digest,
      report: {
        artifactType: each.type,
        ...mergeReports(unseen([artifactNote(each)], []), scanner),
      },
    })),
  ];
  return parts.filter(({ digest }) => digest !== root);
}

export function unreadableNote({ part, mediaType }: Unreadable): string {
  return part === 'layer'
    ? `a layer of the type ${mediaType} can't be read`
    : `an image whose configuration is of the type ${mediaType} can't be read`;
}

export function artifactNote(artifact: Pick<Artifact, 'type'> | undefined): string {
  return `this is no container image: ${artifact?.type ?? 'it is empty'}`;
}
