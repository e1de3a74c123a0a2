/**
 * Receives notifications of an external registry
 * (https://distribution.github.io/distribution/about/notifications/). They are hints: the index
 * stores what the registry answers afterwards.
 */
import { timingSafeEqual } from 'node:crypto';
import { invalid, unauthenticated } from '@portcullis/errors';
import type { IndexKeeper } from '@portcullis/local-registry';
import { isDigest, isRepository, isTag } from '@portcullis/oci';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '../../http/body.ts';

const Envelope = z.looseObject({
  events: z
    .array(
      z.looseObject({
        action: z.string(),
        target: z.looseObject({
          repository: z.string(),
          tag: z.string().optional(),
          digest: z.string().optional(),
          mediaType: z.string().optional(),
        }),
      }),
    )
    .max(1000),
});
type Event = z.infer<typeof Envelope>['events'][number];

export function registryEvents(
  secret: string,
  keeper: Pick<IndexKeeper, 'look'>,
): RequestHandler[] {
  const expected = Buffer.from(`Bearer ${secret}`);
  return [
    (request, _, next) => {
      const given = Buffer.from(request.headers.authorization ?? '');
      const known = given.length === expected.length && timingSafeEqual(given, expected);
      next(
        known
          ? undefined
          : unauthenticated('CREDENTIAL_INVALID', 'The secret is not the one expected.'),
      );
    },
    jsonBody,
    async (request, response) => {
      const parsed = Envelope.safeParse(request.body);
      if (!parsed.success)
        throw invalid('VALIDATION_FAILED', 'The notification is not one of a registry.');
      for (const event of parsed.data.events) await heed(event, keeper);
      response.json({});
    },
  ];
}

/** Blobs are not indexed. On a failure here the registry sends the notification again. */
async function heed({ action, target }: Event, keeper: Pick<IndexKeeper, 'look'>): Promise<void> {
  const { repository, tag, digest = '', mediaType = '' } = target;
  if ((action !== 'push' && action !== 'delete') || !isRepository(repository)) return;
  const isBlob = action === 'push' && !/manifest|index/.test(mediaType);
  if (tag !== undefined && isTag(tag)) await keeper.look(repository, tag);
  else if (!isBlob && isDigest(digest)) await keeper.look(repository, digest);
}
