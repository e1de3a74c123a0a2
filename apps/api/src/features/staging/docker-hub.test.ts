import { unavailable } from '@portcullis/errors';
import { describe, expect, it } from 'vitest';
import { createDockerHub, type DockerHubPorts } from './docker-hub.ts';

const SEARCH = {
  count: 1,
  results: [
    {
      repo_name: 'library/nginx',
      short_description: 'web',
      star_count: 3,
      pull_count: 4,
      is_official: true,
      is_automated: null,
    },
  ],
};
const TAGS = {
  results: [
    { name: 'old', digest: null, full_size: 1, last_updated: '2024-01-01T00:00:00.5Z', images: [] },
    {
      name: 'new',
      digest: 'sha256:a',
      full_size: 2,
      last_updated: '2025-01-01T00:00:00Z',
      images: [
        { os: 'linux', architecture: 'arm', variant: 'v7' },
        { os: 'unknown', architecture: 'unknown' },
      ],
    },
  ],
};

function hub(answer: { status: number; body: unknown } | Error) {
  const requestUrls: string[] = [];
  const kept = new Map<string, string>();
  const redis = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => {
      kept.set(key, value);
      return 'OK';
    },
  };
  const send: DockerHubPorts['transport']['send'] = async ({ url }) => {
    requestUrls.push(url.pathname + url.search);
    if (answer instanceof Error) throw answer;
    return {
      status: answer.status,
      headers: {},
      body: Buffer.from(JSON.stringify(answer.body)),
      url,
    };
  };
  // Two of the overloads of Redis's `set` are used.
  const ports = {
    apiUrl: 'https://hub.test',
    transport: { send },
    redis: redis as unknown as DockerHubPorts['redis'],
  };
  return { hub: createDockerHub(ports), requestUrls };
}

describe('Docker Hub', () => {
  it('is searched, and the result cached', async () => {
    const { hub: docker, requestUrls } = hub({ status: 200, body: SEARCH });
    const found = [
      {
        name: 'library/nginx',
        description: 'web',
        star_count: 3,
        pull_count: 4,
        is_official: true,
        is_automated: false,
      },
    ];
    expect(await docker.search('ng & x', 2)).toEqual(found);
    expect(await docker.search('ng & x', 2)).toEqual(found);
    expect(requestUrls).toEqual(['/v2/search/repositories/?query=ng+%26+x&page=2&page_size=25']);
  });

  it('lists tags newest first, of library where no namespace is named', async () => {
    const { hub: docker, requestUrls } = hub({ status: 200, body: TAGS });
    expect(await docker.tags('nginx')).toEqual([
      {
        name: 'new',
        digest: 'sha256:a',
        size: 2,
        updated_at: '2025-01-01T00:00:00.000Z',
        platforms: ['linux/arm/v7'],
      },
      { name: 'old', digest: null, size: 1, updated_at: '2024-01-01T00:00:00.500Z', platforms: [] },
    ]);
    expect(requestUrls[0]).toMatch(/^\/v2\/repositories\/library\/nginx\/tags\?/);
  });

  it.each([
    ['an unknown repository is not found', { status: 404, body: {} }, 'IMAGE_UNKNOWN'],
    ['a fault of the hub is unavailable', { status: 500, body: {} }, 'DOCKERHUB_UNAVAILABLE'],
    ['too many requests is unavailable', { status: 429, body: {} }, 'DOCKERHUB_UNAVAILABLE'],
    [
      'an invalid reply is unavailable',
      { status: 200, body: { results: 3 } },
      'DOCKERHUB_UNAVAILABLE',
    ],
    ['an unreachable hub is unavailable', unavailable('DNS_FAILED', 'no'), 'DOCKERHUB_UNAVAILABLE'],
  ])('%s', async (_, answer, code) => {
    await expect(hub(answer).hub.tags('nginx')).rejects.toMatchObject({ code });
  });
});
