/** Resolves the digests of base images at a real registry. */

import { createTransport } from '@portcullis/oci/remote';
import {
  buildImage,
  buildIndex,
  pushImage,
  startRegistry,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE_NAMES, type Bases } from '../../scripts/bases.ts';
import { pin, readBases } from '../../scripts/bases-command.ts';

const registry = await startRegistry();
const transport = createTransport();
let both: TestImage;

beforeAll(async () => {
  const platforms = ['linux/amd64', 'linux/arm64/v8'];
  both = buildIndex(
    await Promise.all(
      platforms.map((platform) => buildImage({ platform, layers: [{ platform }] })),
    ),
  );
  await pushImage(registry.url, 'library/base', '1', both);
  await pushImage(registry.url, 'library/single', '1', await buildImage({ layers: [{ a: 'b' }] }));
});
afterAll(async () => {
  await transport.close();
  await registry.stop();
});

const named = (image: string): Bases => {
  const bases = structuredClone(readBases());
  for (const name of BASE_NAMES) bases[name] = { image: `${registry.host}/${image}`, digest: null };
  return bases;
};

it('pins each base to the index of its tag', async () => {
  const pinned = await pin(named('library/base:1'), transport);
  expect(Object.values(pinned).map(({ digest }) => digest)).toEqual(
    BASE_NAMES.map(() => both.digest),
  );
});

it('refuses a base for one platform only', async () => {
  await expect(pin(named('library/single:1'), transport)).rejects.toThrow('for one platform only');
});

it('fails where the registry does not have the image', async () => {
  await expect(pin(named('library/none:1'), transport)).rejects.toMatchObject({
    kind: 'not_found',
  });
});
