/**
 * The CycloneDX document of many images. The subject is the batch, which depends on one container
 * for each image; references begin with the number of the image, because documents of different
 * images use the same ones. Vulnerabilities stay apart by image, so that memory holds one of them.
 * https://cyclonedx.org/docs/1.7/json/
 */
import { z } from 'zod';
import { arrayMember, type Document, objectWith, purlOf } from '../report-part.ts';
import { headOf, type ImageBatch, membersOf, type NumberedImage, numberImages } from './batch.ts';

const Component = z.looseObject({
  'bom-ref': z.string().optional(),
  properties: z.array(z.unknown()).default([]),
});
const Metadata = z.looseObject({ component: Component });
const Dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() });
const Vulnerability = z.looseObject({
  'bom-ref': z.string().optional(),
  affects: z.array(z.looseObject({ ref: z.string() })).default([]),
});

const VERSION = '1.7';
const ROOT = 'batch';

export async function* batchCycloneDx(batch: ImageBatch): Document {
  const { specVersion = VERSION, metadata } = await headOf(batch, 'specVersion', 'metadata');
  const { tools } = z.looseObject({ tools: z.unknown().optional() }).parse(metadata ?? {});
  const head = {
    $schema: `http://cyclonedx.org/schema/bom-${specVersion}.schema.json`,
    bomFormat: 'CycloneDX',
    specVersion,
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: batch.at.toISOString(),
      ...(tools !== undefined && { tools }),
      component: { 'bom-ref': ROOT, type: 'application', name: batch.name },
    },
  };
  const images = numberImages(batch);
  yield* objectWith(head, [
    arrayMember('components', componentsOf(images)),
    arrayMember('dependencies', dependenciesOf(images)),
    arrayMember('vulnerabilities', vulnerabilitiesOf(images)),
  ]);
}

async function* componentsOf(images: NumberedImage[]): AsyncGenerator<object> {
  for (const image of images) {
    const document = await image.open();
    if ('fault' in document) {
      yield bareContainer(image, document.fault);
      continue;
    }
    for await (const { key, text } of membersOf(image, 'metadata', 'components'))
      if (key === 'metadata') {
        const { component } = Metadata.parse(JSON.parse(text));
        yield ofImage(component, image, outcomeOf(image));
      } else yield ofImage(Component.parse(JSON.parse(text)), image);
  }
}

type Property = { name: string; value: string };

function ofImage(
  { properties, 'bom-ref': ref, ...rest }: z.infer<typeof Component>,
  image: NumberedImage,
  more: Property[] = [],
): object {
  return {
    ...rest,
    ...(ref !== undefined && { 'bom-ref': refOf(image, ref) }),
    properties: [...properties, { name: 'portcullis:image', value: image.name }, ...more],
  };
}

/** An image without a report. */
function bareContainer(image: NumberedImage, fault: string | null): object {
  const { name, pinned } = image;
  return {
    'bom-ref': refOf(image, ''),
    type: 'container',
    name,
    ...(pinned && { purl: purlOf(pinned) }),
    properties: [
      ...outcomeOf(image),
      ...(fault === null ? [] : [{ name: 'portcullis:report', value: fault }]),
    ],
  };
}

function outcomeOf({ outcome, code }: NumberedImage): Property[] {
  return [
    { name: 'portcullis:outcome', value: outcome },
    ...(code === null ? [] : [{ name: 'portcullis:code', value: code }]),
  ];
}

async function* dependenciesOf(images: NumberedImage[]): AsyncGenerator<object> {
  const containers: string[] = [];
  for (const image of images) {
    if ('fault' in (await image.open())) containers.push(refOf(image, ''));
    for await (const { key, text } of membersOf(image, 'metadata', 'dependencies'))
      if (key === 'metadata') {
        const { component } = Metadata.parse(JSON.parse(text));
        containers.push(refOf(image, component['bom-ref'] ?? ''));
      } else yield dependencyOf(Dependency.parse(JSON.parse(text)), image);
  }
  yield { ref: ROOT, dependsOn: containers };
}

function dependencyOf(
  { ref, dependsOn, ...rest }: z.infer<typeof Dependency>,
  image: NumberedImage,
): object {
  return {
    ...rest,
    ref: refOf(image, ref),
    ...(dependsOn && { dependsOn: dependsOn.map((each) => refOf(image, each)) }),
  };
}

async function* vulnerabilitiesOf(images: NumberedImage[]): AsyncGenerator<object> {
  for (const image of images)
    for await (const { text } of membersOf(image, 'vulnerabilities')) {
      const { 'bom-ref': ref, affects, ...rest } = Vulnerability.parse(JSON.parse(text));
      yield {
        ...rest,
        ...(ref !== undefined && { 'bom-ref': refOf(image, ref) }),
        affects: affects.map((each) => ({ ...each, ref: refOf(image, each.ref) })),
      };
    }
}

function refOf({ label }: NumberedImage, ref: string): string {
  return `${label}/${ref}`;
}
