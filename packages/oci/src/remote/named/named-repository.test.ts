import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../target-contract/content.ts';
import {
  blobDescriptor,
  json,
  repositoryAt,
  startServer,
  transportOf,
} from '../http/server.contract.ts';
import { readCatalog } from '../page.ts';
import { ping } from '../ping.ts';
import { shownText } from './shown-name.ts';

const NAME = 'the built-in registry';
const shownAs = NAME;

describe('a text', () => {
  it.each([
    ['registry:5000', 'registry:5000 lacks a blob', `${NAME} lacks a blob`],
    ['registry:5000', 'http://registry:5000/v2/ is away', `http://${NAME}/v2/ is away`],
    ['registry:5000', 'my-registry:5000 and registry:50001 stay', null],
    [
      'registry.localhost',
      'registry.localhost sent nothing for 60 s',
      `${NAME} sent nothing for 60 s`,
    ],
    ['registry.svc', 'old.registry.svc and registry.svcs stay', null],
    ['10.0.0.5:80', 'the connection to 10.0.0.5:80 broke', `the connection to ${NAME} broke`],
    ['[::1]:5000', "[::1]:5000 can't be reached", `${NAME} can't be reached`],
    [
      'registry',
      "registry doesn't have it; the registry says: “no”",
      `${NAME} doesn't have it; the registry says: “no”`,
    ],
    ['registry', 'the connection to registry broke', `the connection to ${NAME} broke`],
  ])('has the name in place of %s', (host, text, shown) => {
    expect(shownText(text, { host, shownAs })).toBe(shown ?? text);
  });
});

describe('a registry that has a name', () => {
  const bytes = randomBytes(200_000);
  const descriptor = blobDescriptor(bytes);
  const refusing = (status: number) =>
    startServer((_, response) => json(response, status, { errors: [{ code: 'DENIED' }] }));

  it.each<[string, number, (repository: ReturnType<typeof repositoryAt>) => Promise<unknown>]>([
    ['a manifest', 404, (repository) => repository.manifest('1')],
    ['a tag', 403, (repository) => repository.resolve('1')],
    ['tags', 500, (repository) => repository.tags()],
    ['all tags', 401, (repository) => repository.allTags()],
    ['a blob', 404, (repository) => repository.fetch(descriptor)],
    [
      'an upload',
      400,
      (repository) => repository.push(descriptor, () => repository.fetch(descriptor)),
    ],
    ['referrers', 403, (repository) => repository.referrers(descriptor.digest)],
    ['a deletion', 405, (repository) => repository.remove(descriptor.digest)],
  ])('is called by it where it refuses %s with %i', async (_, status, ask) => {
    const server = await refusing(status);
    const repository = repositoryAt(server, { shownAs, transport: transportOf({ retries: 0 }) });
    const error = await ask(repository).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ message: expect.stringContaining(NAME) });
    expect(JSON.stringify([String(error), error])).not.toContain(server.host);
  });

  it('is called by it where a blob breaks off', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 100_000), () => response.destroy());
    });
    const repository = repositoryAt(server, { shownAs, transport: transportOf({ retries: 0 }) });
    const error = await repository.fetch(descriptor).then(bytesOf).catch(String);
    expect(error).toContain(NAME);
    expect(error).not.toContain(server.host);
  });

  it('is called by it in the connection test and where its list is closed', async () => {
    const server = await refusing(403);
    const options = { host: server.host, shownAs, transport: transportOf({ retries: 0 }) };
    const said = [
      (await ping({ ...options, tls: 'off' })).message,
      await readCatalog({ ...options, tls: 'off' }).catch(String),
    ];
    for (const text of said) {
      expect(text).toContain(NAME);
      expect(text).not.toContain(server.host);
    }
  });
});
