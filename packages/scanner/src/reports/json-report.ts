/**
 * Streams Trivy's JSON reports under the name of the image: that of one platform unchanged, those
 * of several in our own envelope. It needs no Trivy process.
 */
import { formatPinnedImage, type PinnedImage } from '@portcullis/domain';
import { renameReport } from './name-report.ts';
import { type Labelled, labelPlatforms } from './report-part.ts';
import { chooseReports, type PlatformReport } from './report-store.ts';

type Open = (file: string) => AsyncIterable<Buffer>;

/** @throws not_found `REPORT_NOT_FOUND`, invalid `PLATFORM_UNKNOWN` */
export function jsonReport(
  reports: PlatformReport[],
  platform: string | null,
  name: PinnedImage,
  open: Open,
): AsyncIterable<Buffer> {
  return jsonDocument(chooseReports(labelPlatforms(reports), platform), name, open);
}

export async function* jsonDocument(
  reports: readonly (PlatformReport & Labelled)[],
  name: PinnedImage,
  open: Open,
): AsyncGenerator<Buffer> {
  const [only, ...others] = reports;
  const content = ({ file, digest, config }: PlatformReport) =>
    renameReport(open(file), { name, manifest: digest, config });
  if (only && others.length === 0) return yield* content(only);
  yield Buffer.from(`{\n"image": ${JSON.stringify(formatPinnedImage(name))},\n"platforms": [`);
  let separator = '\n';
  for (const report of reports) {
    const facts = `"platform": ${JSON.stringify(report.label)}, "digest": ${JSON.stringify(report.digest)}`;
    yield Buffer.from(`${separator}{${facts}, "report": `);
    yield* content(report);
    yield Buffer.from('}');
    separator = ',\n';
  }
  yield Buffer.from('\n]\n}\n');
}
