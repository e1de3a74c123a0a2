/**
 * Merges SPDX 2.3 documents: one document that describes a container package per platform.
 * Identifiers contain the platform, because Trivy gives the same package the same identifier.
 * https://spdx.github.io/spdx-spec/v2.3/
 */
import { z } from 'zod';
import {
  arrayMember,
  type Document,
  firstOf,
  type MergedImage,
  objectWith,
  plain,
  type ReportPart,
  titleOf,
} from './report-part.ts';

const Element = z.looseObject({ SPDXID: z.string(), hasFiles: z.array(z.string()).optional() });
const Relationship = z.looseObject({
  spdxElementId: z.string(),
  relatedSpdxElement: z.string(),
  relationshipType: z.string(),
});
const License = z.looseObject({ licenseId: z.string() });

const Spdx = z.looseObject({
  creationInfo: z.looseObject({ creators: z.array(z.string()) }),
  packages: z.array(Element).default([]),
  files: z.array(Element).default([]),
  relationships: z.array(Relationship).default([]),
  hasExtractedLicensingInfos: z.array(License).default([]),
});
type Spdx = z.infer<typeof Spdx>;

const DOCUMENT = 'SPDXRef-DOCUMENT';

export async function* mergeSpdx(image: MergedImage): Document {
  const first = await firstOf(image, Spdx.parse);
  const { packages, files, relationships, hasExtractedLicensingInfos, creationInfo, ...rest } =
    first;
  const head = {
    ...rest,
    name: titleOf(image),
    documentNamespace: `urn:uuid:${crypto.randomUUID()}`,
    creationInfo: { ...creationInfo, creators: [...creationInfo.creators, 'Tool: portcullis'] },
  };
  yield* objectWith(head, [
    arrayMember('packages', packagesOf(image)),
    arrayMember('files', filesOf(image)),
    arrayMember('hasExtractedLicensingInfos', licensesOf(image)),
    arrayMember('relationships', relationshipsOf(image)),
  ]);
}

async function* documentsOf({
  parts,
}: MergedImage): AsyncGenerator<{ spdx: Spdx; part: ReportPart }> {
  for (const part of parts) yield { spdx: Spdx.parse(await part.load()), part };
}

async function* packagesOf(image: MergedImage): AsyncGenerator<object> {
  for await (const { spdx, part } of documentsOf(image)) {
    const described = describedBy(spdx);
    const comment = `Platform ${part.label}, manifest ${part.digest}`;
    for (const each of spdx.packages)
      yield { ...elementOf(each, part), ...(described.has(each.SPDXID) && { comment }) };
  }
}

function describedBy({ relationships }: Spdx): Set<string> {
  const described = relationships.filter(
    ({ relationshipType }) => relationshipType === 'DESCRIBES',
  );
  return new Set(described.map(({ relatedSpdxElement }) => relatedSpdxElement));
}

async function* filesOf(image: MergedImage): AsyncGenerator<object> {
  for await (const { spdx, part } of documentsOf(image))
    for (const each of spdx.files) yield elementOf(each, part);
}

function elementOf(
  { SPDXID, hasFiles, ...rest }: z.infer<typeof Element>,
  { label }: ReportPart,
): object {
  return {
    ...rest,
    SPDXID: idOf(label, SPDXID),
    ...(hasFiles && { hasFiles: hasFiles.map((each) => idOf(label, each)) }),
  };
}

async function* relationshipsOf(image: MergedImage): AsyncGenerator<object> {
  for await (const { spdx, part } of documentsOf(image))
    for (const { spdxElementId, relatedSpdxElement, ...rest } of spdx.relationships)
      yield {
        ...rest,
        spdxElementId: idOf(part.label, spdxElementId),
        relatedSpdxElement: idOf(part.label, relatedSpdxElement),
      };
}

/** A licence's identifier is derived from its text: equal identifiers are equal licences. */
async function* licensesOf(image: MergedImage): AsyncGenerator<object> {
  const known = new Set<string>();
  for await (const { spdx } of documentsOf(image))
    for (const license of spdx.hasExtractedLicensingInfos) {
      if (known.has(license.licenseId)) continue;
      known.add(license.licenseId);
      yield license;
    }
}

/** `NONE`, `NOASSERTION` and the document itself are the same for every platform. */
function idOf(label: string, id: string): string {
  return id === DOCUMENT || !id.startsWith('SPDXRef-')
    ? id
    : `SPDXRef-${plain(label)}-${id.slice('SPDXRef-'.length)}`;
}
