/**
 * Merges SARIF 2.1.0 documents: one run per platform. Code-scanning services keep uploads apart by
 * the category of a run. It is the image without its digest, so the next pull of the tag replaces
 * the earlier findings.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html#_Toc34317527
 */
import { formatPinnedImage, type PinnedImage } from '@portcullis/domain';
import { z } from 'zod';
import {
  arrayMember,
  type Document,
  firstOf,
  type MergedImage,
  objectWith,
} from './report-part.ts';

const Run = z.looseObject({ properties: z.looseObject({}).optional() });
const Sarif = z.looseObject({ runs: z.array(Run) });

export async function* mergeSarif(image: MergedImage): Document {
  const { runs, ...head } = await firstOf(image, Sarif.parse);
  yield* objectWith(head, [arrayMember('runs', runsOf(image))]);
}

async function* runsOf({ name, parts }: MergedImage): AsyncGenerator<object> {
  for (const part of parts)
    for (const run of Sarif.parse(await part.load()).runs)
      yield {
        ...run,
        automationDetails: { id: categoryOf(name, part.label) },
        properties: {
          ...run.properties,
          imageName: formatPinnedImage(name),
          platform: part.label,
          manifestDigest: part.digest,
        },
      };
}

/** The part after the last slash would be the id of the run; all before it is the category. */
function categoryOf({ registry, repository, tag }: PinnedImage, label: string): string {
  return `portcullis/${registry}/${repository}${tag === null ? '' : `:${tag}`}/${label}/`;
}
