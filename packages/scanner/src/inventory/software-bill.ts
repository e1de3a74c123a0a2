/**
 * A CycloneDX document of the packages that scans stored of an image
 * (https://cyclonedx.org/docs/1.6/json/): one container for each platform, and its packages, each
 * where it was found.
 */
import type { PinnedImage } from '@portcullis/domain';
import { type Labelled, labelPlatforms, purlOf } from '../reports/report-part.ts';
import type { ListedPackage } from './applied-layers.ts';
import { packageUrl } from './package-url.ts';
import type { StoredPart } from './stored-packages.ts';

export interface BillOf {
  /** Without a registry the image has no package URL. */
  image: Omit<PinnedImage, 'registry'> & { registry: string | null };
  /** When the packages were listed. */
  at: Date;
  scannerVersion: string;
  /** Of this program. */
  version: string;
  parts: readonly StoredPart[];
}

const ROOT = 'image';

export function softwareBill({ image, at, scannerVersion, version, parts }: BillOf): object {
  const { registry, repository, digest } = image;
  const isIndex = parts.length > 1 || parts[0]?.digest !== digest;
  const labelled = labelPlatforms([...parts]);
  const containers = isIndex ? labelled.map(containerOf) : [];
  const packages = labelled.map((part) => ({
    owner: isIndex ? refOf(part) : ROOT,
    components: part.packages.map((each, at) => componentOf(each, { part, at, isIndex })),
  }));
  const purl = registry === null ? null : purlOf({ ...image, registry });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      tools: {
        components: [
          { type: 'application', group: 'aquasecurity', name: 'trivy', version: scannerVersion },
          { type: 'application', name: 'portcullis', version },
        ],
      },
      component: {
        ...{ 'bom-ref': ROOT, type: 'container', name: repository, version: digest },
        ...(purl !== null && { purl }),
      },
    },
    components: [...containers, ...packages.flatMap(({ components }) => components)],
    dependencies: [
      ...(isIndex ? [{ ref: ROOT, dependsOn: labelled.map(refOf) }] : []),
      ...packages.map(({ owner, components }) => ({
        ref: owner,
        dependsOn: components.map((each) => each['bom-ref']),
      })),
    ],
  };
}

type LabelledPart = StoredPart & Labelled;

function refOf({ label }: Labelled): string {
  return `platform:${label}`;
}

function containerOf(part: LabelledPart) {
  const { label, digest } = part;
  return { 'bom-ref': refOf(part), type: 'container', name: label, version: digest };
}

interface ComponentPosition {
  part: LabelledPart;
  at: number;
  isIndex: boolean;
}

function componentOf(each: ListedPackage, { part, at, isIndex }: ComponentPosition) {
  const { name, version, licenses, path, layer, type } = each;
  const purl = packageUrl(each, part.os);
  const properties = [
    { name: 'portcullis:type', value: type },
    { name: 'portcullis:layer', value: layer },
    ...(path === null ? [] : [{ name: 'portcullis:path', value: path }]),
    ...(isIndex ? [{ name: 'portcullis:platform', value: part.label }] : []),
  ];
  return {
    'bom-ref': `${part.label}#${at}`,
    type: 'library',
    name,
    version,
    ...(purl !== null && { purl }),
    ...(licenses.length > 0 && {
      licenses: licenses.map((license) => ({ license: { name: license } })),
    }),
    properties,
  };
}
