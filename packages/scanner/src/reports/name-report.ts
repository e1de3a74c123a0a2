/**
 * Writes the name of the pulled image into a stored report. Trivy read our layout, whose path and
 * digests mean nothing to a reader; reports are stored without a name because jobs of the same
 * content share them.
 */
import { formatPinnedImage, type PinnedImage } from '@portcullis/domain';
import { LAYOUT } from '../scan/scan-dir.ts';
import { type ReportHead, type Rewrite, rewriteReport, rewritten } from './report-file.ts';

export interface NamedImage {
  name: PinnedImage;
  /** Digest of the platform's manifest; that of `name` where the image has one platform. */
  manifest: string;
  /**
   * Digest of the configuration, which is the image's id; null in reports that were stored before
   * it was recorded.
   */
  config: string | null;
}

export async function nameReport(from: string, to: string, image: NamedImage): Promise<void> {
  await rewriteReport(from, to, naming(image));
}

export function renameReport(
  report: AsyncIterable<Buffer>,
  image: NamedImage,
): AsyncIterable<Buffer> {
  return rewritten(report, naming(image));
}

function naming(image: NamedImage): Rewrite {
  return {
    head: (head) => nameHead(head, image),
    results: (chunks) => nameTargets(chunks, formatPinnedImage(image.name)),
  };
}

function nameHead(head: ReportHead, { name, manifest, config }: NamedImage): ReportHead {
  const at = `${name.registry}/${name.repository}`;
  return {
    ...head,
    ArtifactName: formatPinnedImage(name),
    ...(config !== null && { ArtifactID: config }),
    Metadata: {
      ...head.Metadata,
      ...(config !== null && { ImageID: config }),
      RepoTags: name.tag === null ? [] : [`${at}:${name.tag}`],
      RepoDigests: [`${at}@${manifest}`],
    },
  };
}

/** A line with this indentation is the target of a result and nothing nested deeper. */
const TARGET = new RegExp(`^( {6}"Target": ")${LAYOUT}@[a-z0-9+._-]+:[0-9a-f]+(?=[ "])`, 'gm');
const NEWLINE = 0x0a;

/** Works line by line; latin1 keeps every byte as it is. */
async function* nameTargets(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const named = (bytes: Buffer) =>
    Buffer.from(
      bytes.toString('latin1').replace(TARGET, (_, start: string) => start + name),
      'latin1',
    );
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield named(Buffer.concat([...pending, chunk.subarray(0, end)]));
      pending = [];
    }
    pending.push(chunk.subarray(end));
  }
  yield named(Buffer.concat(pending));
}
