/**
 * The public keys of statements about images, for all who verify them. Anonymous: they are public,
 * and a second site has no account here.
 */
import { publicJwk } from '@portcullis/attest';
import { notFound } from '@portcullis/errors';
import type { Store } from '@portcullis/store';
import { type Response, Router } from 'express';

type Keys = Pick<Store['signingKeys'], 'published'>;

/** A new key is published for days before it signs. */
const FRESH = 'public, max-age=300';

/** A JSON Web Key Set (RFC 7517) whose keys have their PEM as well; and the PEM of one alone. */
export function publishedKeys(keys: Keys): Router {
  const router = Router();
  router.get('/keys.json', async (_, response) => {
    const published = await keys.published();
    send(response, 'application/jwk-set+json', JSON.stringify({ keys: published.map(toJwk) }));
  });
  router.get('/key.pem', async (_, response) => {
    const current = (await keys.published()).find(({ isCurrent }) => isCurrent);
    if (!current) throw notFound('SIGNING_KEY_UNKNOWN', 'No worker has made the signing key yet.');
    send(response, 'application/x-pem-file', current.publicKey);
  });
  return router;
}

function toJwk(key: Awaited<ReturnType<Keys['published']>>[number]) {
  const { id, publicKey, signsFrom, publishedUntil, isCurrent } = key;
  return {
    kid: id,
    use: 'sig',
    alg: 'ES256',
    ...publicJwk(publicKey),
    pem: publicKey,
    signs_from: signsFrom.toISOString(),
    published_until: publishedUntil?.toISOString() ?? null,
    is_current: isCurrent,
  };
}

function send(response: Response, type: string, text: string): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', FRESH);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(text);
}
