/** Signed images, and how the checks store them: with our own client, as the product would. */
import { contentOf } from '@portcullis/oci';
import { createTransport, openRepository, type Repository } from '@portcullis/oci/remote';
import { buildArtifact, randomImage, type TestImage } from '@portcullis/testing';

export type Open = (repository: string) => Repository;

export function opener(url: string): Open {
  const transport = createTransport();
  const { host } = new URL(url);
  return (repository) => openRepository({ host, repository, tls: 'off', transport });
}

/** Stores blobs and children first. On a registry without the API, a referrer gets into its tag. */
export async function put(
  repository: Repository,
  image: TestImage,
  tag: string | null,
): Promise<void> {
  for (const { descriptor, bytes } of image.blobs)
    if (!(await repository.exists(descriptor)))
      await repository.push(descriptor, async (part) => contentOf(bytes, part));
  for (const child of image.children) await put(repository, child, null);
  const { mediaType, digest, size } = image.descriptor;
  const manifest = { mediaType, digest, size };
  await repository.push(manifest, async (part) => contentOf(image.bytes, part), {
    tag: tag ?? undefined,
  });
}

export interface SignedImage {
  image: TestImage;
  /** A signature as cosign stores it: an image under the tag `sha256-….sig`. */
  signature: TestImage;
  /** A manifest with the image as its subject. */
  referrer: TestImage;
}

export async function signedImage(): Promise<SignedImage> {
  const image = await randomImage({ layers: 2, bytes: 4_000 });
  const signature = buildArtifact({
    layers: [
      {
        mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
        bytes: Buffer.from(`{"critical":{"image":"${image.digest}"}}`),
      },
    ],
  });
  return { image, signature, referrer: referrerOf(image, 'application/vnd.example.sbom') };
}

export function referrerOf({ descriptor }: TestImage, artifactType: string): TestImage {
  const bytes = Buffer.from(`${artifactType} of ${descriptor.digest}`);
  const layers = [{ mediaType: 'text/plain', bytes }];
  return buildArtifact({ artifactType, subject: descriptor, layers });
}

export const signatureTag = ({ digest }: TestImage) => `${digest.replace(':', '-')}.sig`;

export async function putSigned(
  repository: Repository,
  { image, signature, referrer }: SignedImage,
): Promise<void> {
  await put(repository, image, '1');
  await put(repository, signature, signatureTag(image));
  await put(repository, referrer, null);
}
