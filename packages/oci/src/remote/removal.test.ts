import { describe, expect, it } from 'vitest';
import { OCI_INDEX } from '../model/media-type.ts';
import type { AuthorizedClient } from './client.ts';
import type { HttpResponse } from './http/message.ts';
import { digestOf as sha } from './manifests.ts';
import type { RegistryRequest } from './open-stream.ts';
import { removeTag } from './removal.ts';

interface Behaviour {
  /** The codes of distribution 3 and of the specification. */
  deletesTags?: boolean;
  /** The status of each DELETE by digest, in order. */
  deletes?: number[];
  /** Another client pushes the tag before the second of them. */
  pushedMeanwhile?: boolean;
}

const bytesOf = (text: string) =>
  Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_INDEX,
      manifests: [],
      annotations: { text },
    }),
  );

/** A minimal registry: tags with their digests, and the requests that it received. */
function registry({ deletesTags = false, deletes = [], pushedMeanwhile = false }: Behaviour) {
  const first = bytesOf('first');
  const manifests = new Map<string, Buffer>([[sha(first, ''), first]]);
  const tags = new Map([
    ['one', sha(first, '')],
    ['two', sha(first, '')],
  ]);
  const requests: string[] = [];
  const statuses = [...deletes];

  async function send({ method, path, body }: RegistryRequest): Promise<HttpResponse> {
    const reference = String(path).split('/').at(-1) ?? '';
    requests.push(`${method} ${tags.has(reference) ? reference : 'digest'}`);
    if (method === 'PUT' && body) return put(reference, await whole(body));
    return method === 'DELETE' ? remove(reference) : get(reference);
  }

  function get(reference: string): HttpResponse {
    const bytes = manifests.get(tags.get(reference) ?? sha(first, ''));
    return tags.has(reference) && bytes ? answer(200, bytes) : answer(404);
  }

  function put(tag: string, bytes: Buffer): HttpResponse {
    const digest = sha(bytes, '');
    manifests.set(digest, bytes);
    tags.set(tag, digest);
    return answer(201);
  }

  function remove(reference: string): HttpResponse {
    if (tags.has(reference)) {
      if (!deletesTags) return answer(400);
      tags.delete(reference);
      return answer(202);
    }
    const status = statuses.shift() ?? (manifests.size > 1 ? 202 : 404);
    if (status !== 202) return maybePushed(status);
    maybePushed(status);
    for (const [tag, digest] of tags) if (digest === reference) tags.delete(tag);
    return answer(202);
  }

  function maybePushed(status: number): HttpResponse {
    if (pushedMeanwhile && manifests.size > 1) put('one', bytesOf('pushed'));
    return answer(status);
  }

  const identity = { id: 'test', userAgent: 'test', annotationPrefix: 'com.example' };
  const client = { send, identity } as unknown as AuthorizedClient;
  return {
    access: { client, repository: 'a/b', scopes: [], signal: undefined },
    tags,
    requests,
    first: sha(first, ''),
  };
}

async function whole(body: NonNullable<RegistryRequest['body']>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await body.open()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function answer(status: number, body: Buffer = Buffer.alloc(0)): HttpResponse {
  return {
    status,
    headers: { 'content-type': OCI_INDEX },
    body,
    url: new URL('https://registry.example/v2/'),
  };
}

describe('deleting a tag', () => {
  it('uses the specification’s request where the registry supports it', async () => {
    const { access, tags, requests } = registry({ deletesTags: true });
    await removeTag(access, 'one');
    expect([[...tags.keys()], requests]).toEqual([['two'], ['GET one', 'DELETE one']]);
  });

  it('moves the tag to a placeholder if the registry deletes by digest only', async () => {
    const { access, tags, first } = registry({});
    await removeTag(access, 'one');
    expect([...tags]).toEqual([['two', first]]);
  });

  it('changes nothing if the registry does not support deletion', async () => {
    const { access, tags, requests, first } = registry({ deletes: [405] });
    await expect(removeTag(access, 'one')).rejects.toMatchObject({ code: 'DELETE_UNSUPPORTED' });
    expect(tags.get('one')).toBe(first);
    expect(requests).not.toContain('PUT one');
  });

  it('restores the tag when the second request fails', async () => {
    const { access, tags, first } = registry({ deletes: [404, 500] });
    await expect(removeTag(access, 'one')).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    expect(tags.get('one')).toBe(first);
  });

  it.each([
    ['succeeds', [404, 202]],
    ['fails', [404, 500]],
  ])('keeps a concurrent push of the tag if the deletion %s', async (_, deletes) => {
    const { access, tags, first } = registry({ deletes, pushedMeanwhile: true });
    await removeTag(access, 'one').catch(() => undefined);
    expect([...tags]).toEqual([
      ['one', sha(bytesOf('pushed'), '')],
      ['two', first],
    ]);
  });

  it('that does not exist is unknown', async () => {
    await expect(removeTag(registry({}).access, 'none')).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});
