/** Manifests over `/v2` that other readers would read as another image or as a broken one. */
import { buildImage, buildIndex, pushBlob, pushImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { as, codeOf, type StartedV2, startV2 } from './v2.fixture.ts';

let v2: StartedV2;
let image: TestImage;
let index: TestImage;

beforeAll(async () => {
  v2 = await startV2();
  image = await buildImage({ layers: [{ a: '1' }, { b: '2' }] });
  index = buildIndex([image]);
  for (const blob of image.blobs) await pushBlob(v2.registry.url, 'team/app', blob);
  await pushImage(v2.registry.url, 'team/app', null, image);
});
afterAll(() => v2?.stop());

function put({ descriptor }: TestImage, body: string): Promise<Response> {
  return fetch(`${v2.url}/v2/team/app/manifests/1`, {
    ...as('writer'),
    method: 'PUT',
    headers: { ...as('writer').headers, 'content-type': descriptor.mediaType },
    body,
  });
}

const textOf = ({ bytes }: TestImage) => Buffer.from(bytes).toString();

it.each<[string, () => [TestImage, string]]>([
  ['layers twice (G8)', () => [image, `{"layers":[],${textOf(image).slice(1)}`]],
  [
    'a digest twice in a layer (G8)',
    () => [image, textOf(image).replace('"layers":[{', `"layers":[{"digest":"${image.digest}",`)],
  ],
  ['layer\u017F beside layers (S15)', () => [image, `{"layer\u017F":[],${textOf(image).slice(1)}`]],
  [
    'a Digest beside the digest of a layer (S15)',
    () => [image, textOf(image).replace('"layers":[{', `"layers":[{"Digest":"${image.digest}",`)],
  ],
  [
    'a Platform beside the platform of a child (S15)',
    () => [
      index,
      textOf(index).replace('"manifests":[{', '"manifests":[{"Platform":{"os":"windows"},'),
    ],
  ],
  [
    'a hundred thousand annotations (G9)',
    () => [
      image,
      `{"annotations":{${Array.from({ length: 100_000 }, (_, at) => `"a${at}":"x"`).join()}},${textOf(image).slice(1)}`,
    ],
  ],
])('a manifest with %s is refused', async (_, build) => {
  const answer = await put(...build());
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'MANIFEST_INVALID']);
});

it.each<[string, () => [TestImage, string]]>([
  ['a layer', () => [image, resized(image, image.blobs[1]?.descriptor.size ?? 0)]],
  ['its configuration', () => [image, resized(image, image.blobs[0]?.descriptor.size ?? 0)]],
  ['the manifest of a child', () => [index, resized(index, image.descriptor.size)]],
])('a manifest that states a wrong size of %s is refused (G8)', async (_, build) => {
  const answer = await put(...build());
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'SIZE_INVALID']);
});

function resized(document: TestImage, size: number): string {
  return textOf(document).replace(`"size":${size}`, `"size":${size + 1}`);
}

it('a manifest with the true sizes is stored', async () => {
  for (const each of [image, index]) expect((await put(each, textOf(each))).status).toBe(201);
});
