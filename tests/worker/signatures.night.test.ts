/** The signatures of a source that is down for a while. */
import { randomImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  answers,
  harness,
  known,
  proxy,
  pushAtSource,
  signature,
  signatureTag,
  source,
  sql,
  startSigned,
} from './signatures.fixture.ts';

startSigned();

describe('an image that a job pulls', () => {
  const pulled = async (image: string, host = source.host, platforms?: string[]) => {
    const job = await harness.submit({ image, tag: '1', host, ...(platforms && { platforms }) });
    return harness.settled(job.id);
  };

  it('is tried again while the source is down, which is no absence', async () => {
    const image = await pushAtSource('up/down', '1', await randomImage());
    await pushAtSource('up/down', signatureTag(image), signature(image));
    let isDown = true;
    const asked: string[] = [];
    proxy.behaviour = {
      answer({ path }) {
        if (!path.includes('/manifests/sha256-')) return null;
        asked.push(path);
        return isDown ? { status: 503 } : null;
      },
    };
    expect(await pulled('up/down', proxy.host)).toMatchObject({ status: 'staged' });
    expect(asked.length).toBeGreaterThan(1);
    expect(await known(image)).toBeUndefined();
    isDown = false;
    // The pause after a failure is longer than a test may take.
    await sql.query('UPDATE image_signatures SET not_before = NULL WHERE digest = $1', [
      image.digest,
    ]);
    await expect.poll(() => answers(image)).toEqual(['counts']);
    expect(await known(image)).toMatchObject({ askedOf: expect.anything() });
  });
});
