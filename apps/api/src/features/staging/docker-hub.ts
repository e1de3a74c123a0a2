/**
 * Docker Hub's search API, which is not part of the registry protocol. Replies are cached because
 * of its rate limit.
 */
import type { HubImage, HubTag } from '@portcullis/contract';
import { isAppError, notFound, unavailable } from '@portcullis/errors';
import { dockerHubRepository, parseJson } from '@portcullis/oci';
import type { Transport } from '@portcullis/oci/remote';
import type { Redis } from '@portcullis/runtime';
import { z } from 'zod';

export interface DockerHub {
  /** @throws unavailable */
  search(q: string, page: number): Promise<HubImage[]>;
  /** Newest first. @throws not_found, unavailable */
  tags(image: string): Promise<HubTag[]>;
}

export interface DockerHubPorts {
  /** `https://hub.docker.com`, or a mirror. */
  apiUrl: string;
  transport: Pick<Transport, 'send'>;
  redis: Pick<Redis, 'get' | 'set'>;
}

const PAGE = 25;
const TAGS = 100;
const KEPT_SECONDS = 600;
const PATIENCE_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

const number = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const SearchAnswer = z.object({
  results: z
    .array(
      z.object({
        repo_name: z.string(),
        short_description: text,
        star_count: number,
        pull_count: number,
        is_official: flag,
        is_automated: flag,
      }),
    )
    .nullish(),
});

const TagsAnswer = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        digest: z.string().nullish(),
        full_size: z.number().nullish(),
        last_updated: z.string().nullish(),
        images: z
          .array(z.object({ os: text, architecture: text, variant: z.string().nullish() }))
          .nullish(),
      }),
    )
    .nullish(),
});
type HubTagAnswer = NonNullable<z.output<typeof TagsAnswer>['results']>[number];

export function createDockerHub(ports: DockerHubPorts): DockerHub {
  async function search(q: string, page: number): Promise<HubImage[]> {
    const query = new URLSearchParams({ query: q, page: String(page), page_size: String(PAGE) });
    const { results } = await ask(`/v2/search/repositories/?${query}`, SearchAnswer, ports);
    return (results ?? []).map(
      ({ repo_name: name, short_description: description, ...counts }) => ({
        name,
        description,
        ...counts,
      }),
    );
  }

  async function tags(image: string): Promise<HubTag[]> {
    const query = new URLSearchParams({ page_size: String(TAGS), ordering: 'last_updated' });
    const { results } = await ask(
      `/v2/repositories/${dockerHubRepository(image)}/tags?${query}`,
      TagsAnswer,
      ports,
    );
    return (results ?? []).map(presentTag).sort(newestFirst);
  }

  return { search, tags };
}

function presentTag({
  name,
  digest,
  full_size: size,
  last_updated: updated,
  images,
}: HubTagAnswer): HubTag {
  const at = updated ? Date.parse(updated) : Number.NaN;
  const platforms = (images ?? [])
    .filter(({ os }) => os !== '' && os !== 'unknown')
    .map(({ os, architecture, variant }) => [os, architecture, variant].filter(Boolean).join('/'));
  return {
    name,
    digest: digest ?? null,
    size: size ?? null,
    updated_at: Number.isNaN(at) ? null : new Date(at).toISOString(),
    platforms: [...new Set(platforms)],
  };
}

function newestFirst(a: HubTag, b: HubTag): number {
  return (b.updated_at ?? '').localeCompare(a.updated_at ?? '');
}

async function ask<S extends z.ZodType>(
  path: string,
  schema: S,
  { apiUrl, transport, redis }: DockerHubPorts,
): Promise<z.output<S>> {
  const key = `portcullis:dockerhub:${path}`;
  const kept = await redis.get(key).catch(() => null);
  if (kept !== null) return schema.parse(await parseJson(Buffer.from(kept)));
  const body = await fetchText(new URL(apiUrl + path), transport);
  const answer = await parse(schema, body);
  // Without the cache, requests are repeated.
  await redis.set(key, body, 'EX', KEPT_SECONDS).catch(() => null);
  return answer;
}

async function fetchText(url: URL, transport: Pick<Transport, 'send'>): Promise<Buffer> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const headers = { accept: 'application/json' };
    const { status, body } = await transport.send({
      method: 'GET',
      url,
      headers,
      trust: { verify: true },
      maxBytes: MAX_BYTES,
      signal,
    });
    if (status === 404) throw notFound('IMAGE_UNKNOWN', 'Docker Hub has no such repository.');
    if (status !== 200) throw hubDown(new Error(`Docker Hub answered ${status}`));
    return body;
  } catch (error) {
    throw isAppError(error) && error.kind === 'not_found' ? error : hubDown(error);
  }
}

async function parse<S extends z.ZodType>(schema: S, body: Buffer): Promise<z.output<S>> {
  try {
    return schema.parse(await parseJson(body));
  } catch (cause) {
    throw hubDown(cause);
  }
}

function hubDown(cause: unknown) {
  return unavailable(
    'DOCKERHUB_UNAVAILABLE',
    'Docker Hub can not be reached, or answered with a fault.',
    {
      cause,
      retryAfter: 30,
    },
  );
}
