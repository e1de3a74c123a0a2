/**
 * The SPDX 2.3 document of many images: it describes a container package for each. Identifiers
 * begin with the number of the image, because Trivy gives the same package the same identifier.
 * https://spdx.github.io/spdx-spec/v2.3/
 */
import { z } from 'zod';
import { arrayMember, type Document, objectWith, purlOf } from '../report-part.ts';
import {
  headOf,
  type ImageBatch,
  membersOf,
  type NumberedImage,
  numberImages,
  outcomeText,
} from './batch.ts';

const Element = z.looseObject({
  SPDXID: z.string(),
  hasFiles: z.array(z.string()).optional(),
  primaryPackagePurpose: z.string().optional(),
  comment: z.string().optional(),
});
type Element = z.infer<typeof Element>;
const Relationship = z.looseObject({
  spdxElementId: z.string(),
  relatedSpdxElement: z.string(),
});
const License = z.looseObject({ licenseId: z.string() });
const Creation = z.looseObject({ creators: z.array(z.string()).default([]) });

const DOCUMENT = 'SPDXRef-DOCUMENT';
const OURS = 'Tool: portcullis';

export async function* batchSpdx(batch: ImageBatch): Document {
  const { creationInfo } = await headOf(batch, 'creationInfo');
  const { creators } = Creation.parse(creationInfo ?? {});
  const head = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: DOCUMENT,
    name: batch.name,
    documentNamespace: `urn:uuid:${crypto.randomUUID()}`,
    creationInfo: {
      creators: [...new Set([...creators, OURS])],
      created: `${batch.at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`,
    },
  };
  const images = numberImages(batch);
  yield* objectWith(head, [
    arrayMember('packages', packagesOf(images)),
    arrayMember('files', filesOf(images)),
    arrayMember('hasExtractedLicensingInfos', licensesOf(images)),
    arrayMember('relationships', relationshipsOf(images)),
  ]);
}

async function* packagesOf(images: NumberedImage[]): AsyncGenerator<object> {
  for (const image of images) {
    const document = await image.open();
    if ('fault' in document) {
      yield barePackage(image, document.fault);
      continue;
    }
    for await (const { text } of membersOf(image, 'packages')) {
      const element = Element.parse(JSON.parse(text));
      const isContainer = element.primaryPackagePurpose === 'CONTAINER';
      yield elementOf(isContainer ? withOutcome(element, image) : element, image);
    }
  }
}

function withOutcome(element: Element, image: NumberedImage): Element {
  const { comment } = element;
  const lines = [...(comment === undefined ? [] : [comment]), outcomeText(image)];
  return { ...element, comment: lines.join('\n') };
}

/** An image without a report. */
function barePackage(image: NumberedImage, fault: string | null): object {
  const { name, pinned } = image;
  return {
    SPDXID: bareId(image),
    name,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    primaryPackagePurpose: 'CONTAINER',
    comment: [outcomeText(image), ...(fault === null ? [] : [fault])].join('\n'),
    ...(pinned && {
      externalRefs: [
        {
          referenceCategory: 'PACKAGE-MANAGER',
          referenceType: 'purl',
          referenceLocator: purlOf(pinned),
        },
      ],
    }),
  };
}

function bareId({ label }: NumberedImage): string {
  return `SPDXRef-${label}-Image`;
}

async function* filesOf(images: NumberedImage[]): AsyncGenerator<object> {
  for (const image of images)
    for await (const { text } of membersOf(image, 'files'))
      yield elementOf(Element.parse(JSON.parse(text)), image);
}

function elementOf({ SPDXID, hasFiles, ...rest }: Element, image: NumberedImage): object {
  return {
    ...rest,
    SPDXID: idOf(image, SPDXID),
    ...(hasFiles && { hasFiles: hasFiles.map((each) => idOf(image, each)) }),
  };
}

async function* relationshipsOf(images: NumberedImage[]): AsyncGenerator<object> {
  for (const image of images) {
    if ('fault' in (await image.open())) {
      const [spdxElementId, relatedSpdxElement] = [DOCUMENT, bareId(image)];
      yield { spdxElementId, relationshipType: 'DESCRIBES', relatedSpdxElement };
    }
    for await (const { text } of membersOf(image, 'relationships')) {
      const { spdxElementId, relatedSpdxElement, ...rest } = Relationship.parse(JSON.parse(text));
      yield {
        ...rest,
        spdxElementId: idOf(image, spdxElementId),
        relatedSpdxElement: idOf(image, relatedSpdxElement),
      };
    }
  }
}

/** A licence's identifier is derived from its text: equal identifiers are equal licences. */
async function* licensesOf(images: NumberedImage[]): AsyncGenerator<object> {
  const known = new Set<string>();
  for (const image of images)
    for await (const { text } of membersOf(image, 'hasExtractedLicensingInfos')) {
      const license = License.parse(JSON.parse(text));
      if (known.has(license.licenseId)) continue;
      known.add(license.licenseId);
      yield license;
    }
}

/** `NONE`, `NOASSERTION` and the document itself are the same for every image. */
function idOf({ label }: NumberedImage, id: string): string {
  return id === DOCUMENT || !id.startsWith('SPDXRef-')
    ? id
    : `SPDXRef-${label}-${id.slice('SPDXRef-'.length)}`;
}
