/**
 * Merges the CycloneDX documents of an image's platforms. The subject is the index, which depends
 * on one container per platform; components are listed flat, as most readers expect. Each component
 * has the platform as a property and in its reference, because the same package occurs in several.
 * https://cyclonedx.org/docs/1.7/json/
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  arrayMember,
  type Document,
  firstOf,
  type MergedImage,
  objectWith,
  purlOf,
  type ReportPart,
  titleOf,
} from './report-part.ts';

const Component = z.looseObject({
  'bom-ref': z.string().optional(),
  properties: z.array(z.unknown()).optional(),
});
type Component = z.infer<typeof Component>;

const Dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() });
const Affected = z.looseObject({ ref: z.string() });
const Vulnerability = z.looseObject({ affects: z.array(Affected).default([]) });

/** What Trivy writes; it has no services, compositions or formulas. */
const Bom = z.looseObject({
  metadata: z.looseObject({ component: Component.extend({ 'bom-ref': z.string() }) }),
  components: z.array(Component).default([]),
  dependencies: z.array(Dependency).default([]),
  vulnerabilities: z.array(Vulnerability).default([]),
});
type Bom = z.infer<typeof Bom>;

const PLATFORM = 'portcullis:platform';

export async function* mergeCycloneDx(image: MergedImage): Document {
  const { metadata, components, dependencies, vulnerabilities, ...rest } = await firstOf(
    image,
    Bom.parse,
  );
  const purl = purlOf(image.name);
  const component = { 'bom-ref': purl, type: 'container', name: titleOf(image), purl };
  const head = {
    ...rest,
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    metadata: { ...metadata, component },
  };
  yield* objectWith(head, [
    arrayMember('components', componentsOf(image)),
    arrayMember('dependencies', dependenciesOf(image, purl)),
    arrayMember('vulnerabilities', vulnerabilitiesOf(image)),
  ]);
}

async function* documentsOf({
  parts,
}: MergedImage): AsyncGenerator<{ bom: Bom; part: ReportPart }> {
  for (const part of parts) yield { bom: Bom.parse(await part.load()), part };
}

async function* componentsOf(image: MergedImage): AsyncGenerator<object> {
  for await (const { bom, part } of documentsOf(image)) {
    yield ofPlatform(bom.metadata.component, part);
    for (const component of bom.components) yield ofPlatform(component, part);
  }
}

function ofPlatform(component: Component, { label }: ReportPart): object {
  const { 'bom-ref': ref, properties = [] } = component;
  return {
    ...component,
    ...(ref !== undefined && { 'bom-ref': refOf(label, ref) }),
    properties: [...properties, { name: PLATFORM, value: label }],
  };
}

function refOf(label: string, ref: string): string {
  return `${label}#${ref}`;
}

async function* dependenciesOf(image: MergedImage, root: string): AsyncGenerator<object> {
  const containers: string[] = [];
  for await (const { bom, part } of documentsOf(image)) {
    containers.push(refOf(part.label, bom.metadata.component['bom-ref']));
    for (const { ref, dependsOn, ...rest } of bom.dependencies)
      yield {
        ...rest,
        ref: refOf(part.label, ref),
        ...(dependsOn && { dependsOn: dependsOn.map((each) => refOf(part.label, each)) }),
      };
  }
  yield { ref: root, dependsOn: containers };
}

/**
 * Vulnerabilities that differ only in where they were found become one entry; only the references
 * are held in memory.
 */
async function* vulnerabilitiesOf(image: MergedImage): AsyncGenerator<object> {
  const affected = new Map<string, object[]>();
  for await (const { bom, part } of documentsOf(image))
    for (const { affects, ...rest } of bom.vulnerabilities) {
      const here = affects.map((each) => ({ ...each, ref: refOf(part.label, each.ref) }));
      affected.set(keyOf(rest), [...(affected.get(keyOf(rest)) ?? []), ...here]);
    }
  for await (const { bom } of documentsOf(image))
    for (const { affects: _, ...rest } of bom.vulnerabilities) {
      const affects = affected.get(keyOf(rest));
      affected.delete(keyOf(rest));
      if (affects) yield { ...rest, affects };
    }
}

function keyOf(vulnerability: object): string {
  return createHash('sha256').update(JSON.stringify(vulnerability)).digest('base64');
}
