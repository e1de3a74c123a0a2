/** Sources with correct HTTP and malicious manifests. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Descriptor, OCI_INDEX, OCI_MANIFEST } from '@portcullis/oci';
import { blobOf, buildIndex, randomImage, sha256, type TestImage } from '@portcullis/testing';
import type { Hostility } from '../hostile.ts';
import { at, type HostileCase, refused } from './case.ts';

interface Document {
  config: Descriptor;
  layers: Descriptor[];
}

/** Nothing listens here; a request would show as a failed connection. */
const NOWHERE = 'http://127.0.0.1:9';

/** An image whose manifest is replaced by an object or a text. */
export async function documented(
  change: (manifest: Document & Record<string, unknown>, nowhere: string) => unknown,
  mediaType: string = OCI_MANIFEST,
): Promise<TestImage[]> {
  const image = await randomImage({ layers: 2, bytes: 200_000 });
  const changed = change(JSON.parse(Buffer.from(image.bytes).toString('utf8')), NOWHERE);
  const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
  return [{ ...image, ...under(blobOf(mediaType, Buffer.from(text))) }];
}

interface Listing {
  /** Entries per page, and bytes of annotations per entry. */
  entries: number;
  bytes: number;
  /** Whether each page links to another one. */
  endless: boolean;
}

function referring({ entries, bytes, endless }: Listing): Hostility {
  return ({ path }, response) => {
    if (!path.includes('/referrers/')) return false;
    const annotations = { fill: 'x'.repeat(bytes) };
    const manifests = Array.from({ length: entries }, () => ({
      mediaType: OCI_MANIFEST,
      digest: sha256(randomBytes(8)),
      size: 300,
      annotations,
    }));
    const next = `${path.split('?')[0]}?last=${randomUUID()}`;
    response.writeHead(200, {
      'content-type': OCI_INDEX,
      ...(endless && { link: `<${next}>; rel="next"` }),
    });
    response.end(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
    return true;
  };
}

const REFERRERS: HostileCase[] = [
  {
    source: 'lists referrers without an end, with megabytes of annotations',
    referrers: true,
    behave: () => referring({ entries: 900, bytes: 4000, endless: true }),
    follows: 'staged',
    atMost: 200,
  },
  {
    source: 'lists referrers without an end',
    referrers: true,
    behave: () => referring({ entries: 500, bytes: 1, endless: true }),
    follows: 'staged',
    atMost: 200,
  },
  {
    source: 'lists a referrer that it does not have',
    referrers: true,
    behave: () => referring({ entries: 1, bytes: 1, endless: false }),
    follows: 'staged',
  },
];

function under(root: ReturnType<typeof blobOf>) {
  return { ...root, digest: root.descriptor.digest };
}

/** The first layer's descriptor with these fields. */
const withLayer = (text: string, by: string) =>
  documented((manifest) => {
    const [layer] = manifest.layers;
    return JSON.stringify(manifest).replace(
      text === 'size' ? `"size":${layer?.size}` : `${layer?.digest}`,
      by,
    );
  });

async function nested(depth: number): Promise<TestImage[]> {
  let image = await randomImage();
  for (let level = 0; level < depth; level += 1) image = buildIndex([image]);
  return [image];
}

async function indexOf(manifests: (child: TestImage) => unknown[]): Promise<TestImage[]> {
  const child = await randomImage();
  const document = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: manifests(child) };
  const root = blobOf(OCI_INDEX, Buffer.from(JSON.stringify(document)));
  return [{ ...under(root), blobs: [], children: [child] }];
}

const UNREADABLE: HostileCase[] = [
  {
    source: 'serves a manifest that is no JSON',
    images: () => documented(() => '{'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves null',
    images: () => documented(() => 'null'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves a page',
    images: () => documented(() => '<!doctype html><h1>It works', 'text/html'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves an empty manifest',
    images: () => documented(() => ''),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves members of other types than they have',
    images: () => documented((manifest) => ({ ...manifest, config: 'x', layers: { 0: 'y' } })),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves a member twice',
    images: () => documented((manifest) => JSON.stringify(manifest).replace('{', '{"layers":[],')),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves a manifest of schema 1',
    images: () =>
      documented(
        () => ({
          schemaVersion: 1,
          name: 'a',
          tag: '1',
          architecture: 'amd64',
          fsLayers: [],
          history: [],
        }),
        'application/vnd.docker.distribution.manifest.v1+json',
      ),
    follows: refused('MANIFEST_SCHEMA1'),
  },
  {
    source: 'serves its manifest as plain text',
    images: () => documented((manifest) => manifest),
    behave: () =>
      at('manifest', ({ content: { bytes } }, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes);
      }),
    follows: 'staged',
  },
  {
    source: 'serves 200,000 brackets',
    images: () => documented(() => '['.repeat(200_000)),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'serves 5,001 layers',
    images: () =>
      documented((manifest) => ({
        ...manifest,
        layers: Array.from({ length: 5_001 }, () => manifest.config),
      })),
    follows: refused('MANIFEST_TOO_WIDE'),
  },
  {
    source: 'serves 20,000 layers',
    images: () =>
      documented((manifest) => ({
        ...manifest,
        layers: Array.from({ length: 20_000 }, () => manifest.config),
      })),
    follows: refused('MANIFEST_TOO_WIDE'),
  },
];

const LYING: HostileCase[] = [
  {
    source: 'states a size of 2^63-1',
    images: () => withLayer('size', '"size":9223372036854775807'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'states a size of 2^53-1',
    images: () => withLayer('size', '"size":9007199254740991'),
    follows: { code: 'DISK_TOO_SMALL', retryable: false, side: null },
  },
  {
    source: 'states a size of -1',
    images: () => withLayer('size', '"size":-1'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'states a size of 1.5',
    images: () => withLayer('size', '"size":1.5'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'states a size of 1e3000',
    images: () => withLayer('size', '"size":1e3000'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'states a size as text',
    images: () => withLayer('size', '"size":"10"'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'names a layer ../../../../etc/passwd',
    images: () => withLayer('digest', 'sha256:../../../../etc/passwd'),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'names a layer by md5',
    images: () => withLayer('digest', `md5:${'0'.repeat(32)}`),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'names a layer in upper case',
    images: () => withLayer('digest', `sha256:${'A'.repeat(64)}`),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'names a layer with a line break',
    images: () => withLayer('digest', `sha256:${'0'.repeat(63)}\\n`),
    follows: refused('MANIFEST_INVALID'),
  },
  {
    source: 'names one layer with two sizes',
    images: () =>
      documented((manifest) => {
        const [layer] = manifest.layers;
        return { ...manifest, layers: [...manifest.layers, { ...layer, size: 5 }] };
      }),
    follows: refused('SIZE_MISMATCH'),
  },
];

const INDEXES: HostileCase[] = [
  {
    source: 'nests an index 300 deep',
    images: () => nested(300),
    follows: refused('MANIFEST_TOO_DEEP'),
  },
  {
    source: 'lists an image that it does not have',
    images: () =>
      indexOf((child) => [
        child.descriptor,
        { ...child.descriptor, digest: `sha256:${'0'.repeat(64)}` },
      ]),
    follows: refused('PLATFORM_ABSENT'),
  },
  {
    source: 'lists 500 images',
    images: async () => {
      const children = await Promise.all(
        Array.from({ length: 500 }, () => randomImage({ bytes: 10 })),
      );
      return [buildIndex(children)];
    },
    follows: 'staged',
    atMost: 1600,
  },
  {
    source: 'lists one image a thousand times',
    images: () => indexOf((child) => Array.from({ length: 1000 }, () => child.descriptor)),
    follows: 'staged',
  },
  {
    source: 'lists an image without a platform',
    images: () =>
      indexOf(({ descriptor: { mediaType, digest, size } }) => [{ mediaType, digest, size }]),
    follows: 'staged',
  },
  { source: 'serves an empty index', images: () => indexOf(() => []), follows: 'staged' },
  {
    source: 'lists an image under a wrong size',
    images: () => indexOf((child) => [{ ...child.descriptor, size: child.descriptor.size + 1 }]),
    follows: refused('SIZE_MISMATCH'),
  },
  {
    source: 'lists an image as a layer is listed',
    images: () =>
      indexOf((child) => [{ ...child.descriptor, mediaType: 'application/octet-stream' }]),
    follows: 'staged',
  },
];

export const DOCUMENTS = [...UNREADABLE, ...LYING, ...INDEXES, ...REFERRERS];
