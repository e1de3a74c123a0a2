import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { json, repositoryAt, startServer, transportOf } from './http/server.contract.ts';
import { ping } from './ping.ts';

describe('a token', () => {
  const credentials = { username: 'me', password: 'hunter2' };

  /** A registry on 127.0.0.1 whose challenge names a realm. */
  async function startGuarded(
    realm: () => string,
    accept: (token?: string) => boolean = (token) => token === 'Bearer good',
  ) {
    return startServer((request, response) => {
      if (!accept(request.headers.authorization)) {
        const challenge = `Bearer realm="${realm()}",service="reg",scope="repository:team/app:pull"`;
        json(
          response,
          401,
          { errors: [{ code: 'UNAUTHORIZED' }] },
          { 'www-authenticate': challenge },
        );
      } else json(response, 200, { tags: ['a'] });
    });
  }

  it('is requested once per set of scopes by concurrent requests', async () => {
    const realm = await startServer((_, response) =>
      json(response, 200, { token: 'good', expires_in: 300 }),
    );
    const server = await startGuarded(() => `${realm.url}/token`);
    const repository = repositoryAt(server, { credentials });
    await Promise.all(Array.from({ length: 5 }, () => repository.tags()));
    await repository.tags();
    expect(realm.requests).toHaveLength(1);
    const url = new URL(realm.requests[0]?.url ?? '', realm.url);
    expect(url.searchParams.getAll('scope')).toEqual(['repository:team/app:pull']);
    expect(url.searchParams.get('service')).toBe('reg');
    expect(realm.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('me:hunter2').toString('base64')}`,
    );
  });

  it('from a realm on another domain is requested without credentials', async () => {
    const realm = await startServer((_, response) => json(response, 200, { access_token: 'good' }));
    const server = await startGuarded(() => `http://localhost:${realm.port}/token`);
    await repositoryAt(server, { credentials }).tags();
    expect(realm.requests[0]?.headers.authorization).toBeUndefined();
    expect(realm.requests[0]?.url).not.toContain('me');
  });

  it('from a realm on another domain is requested with credentials where that is allowed', async () => {
    const realm = await startServer((_, response) => json(response, 200, { token: 'good' }));
    const server = await startGuarded(() => `http://localhost:${realm.port}/token`);
    const tokenHosts = [`localhost:${realm.port}`];
    await repositoryAt(server, { credentials, tokenHosts }).tags();
    expect(realm.requests[0]?.headers.authorization).toMatch(/^Basic /);
  });

  it.each<[string, number, string]>([
    ['the token service refuses', 401, 'LOGIN_WITHHELD'],
    ['the registry then refuses', 200, 'LOGIN_WITHHELD'],
  ])('without credentials, which %s, says that they were not sent', async (_, status, code) => {
    const realm = await startServer((_, response) => json(response, status, { token: 'poor' }));
    const server = await startGuarded(() => `http://localhost:${realm.port}/token`);
    const failed = repositoryAt(server, { credentials }).tags();
    const message = expect.stringMatching(/not sent to the token service .*token_hosts/);
    await expect(failed).rejects.toMatchObject({ code, message });
  });

  it.each([
    [401, '{"details":"incorrect login"}', 'REGISTRY_UNAUTHENTICATED', 'incorrect login'],
    [403, '{"errors":[{"message":"limit is 1 repository"}]}', 'REGISTRY_FORBIDDEN', 'limit is 1'],
    [403, 'plan expired', 'REGISTRY_FORBIDDEN', 'plan expired'],
  ])(
    'that is refused with %i says why, in the words of the service: %s',
    async (status, body, code, words) => {
      const realm = await startServer((_, response) => response.writeHead(status).end(body));
      const server = await startGuarded(() => `${realm.url}/token`);
      await expect(repositoryAt(server, { credentials }).tags()).rejects.toMatchObject({
        code,
        message: expect.stringContaining(`the token service says: “${words}`),
      });
    },
  );

  it('of a token service that is silent is not waited for, and the message names it', async () => {
    const realm = await startServer(() => {});
    const server = await startGuarded(() => `${realm.url}/token`);
    const transport = transportOf({ retries: 0, stall: { idleMs: 1_000 } });
    await expect(repositoryAt(server, { credentials, transport }).tags()).rejects.toMatchObject({
      code: 'REGISTRY_SILENT',
      message: expect.stringContaining(realm.host),
    });
    expect(realm.requests).toHaveLength(1);
  });

  it('and the credentials are in no message, also where a registry repeats them', async () => {
    const echo = (authorization = '') => {
      const [, value = ''] = authorization.split(' ');
      return `${authorization} | ${value} | ${Buffer.from(value, 'base64')}`;
    };
    const server = await startServer(({ headers }, response) =>
      json(
        response,
        headers.authorization ? 403 : 401,
        { errors: [{ code: 'DENIED', message: `not you: ${echo(headers.authorization)}` }] },
        { 'www-authenticate': 'Basic realm="x"' },
      ),
    );
    const error = await repositoryAt(server, { credentials }).tags().catch(String);
    expect(error).toContain('not you');
    expect(error).not.toContain('hunter2');
    expect(error).not.toContain(Buffer.from('me:hunter2').toString('base64'));
  });

  it('is not requested from a realm that the guard refuses', async () => {
    const realm = await startServer((_, response) => json(response, 200, { token: 'good' }));
    const server = await startGuarded(() => `${realm.url}/token`);
    const transport = transportOf({
      guard: ({ port }) =>
        port === realm.port
          ? { allowed: false, code: 'EGRESS_REFUSED', reason: 'no' }
          : { allowed: true },
    });
    await expect(repositoryAt(server, { transport }).tags()).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
    expect(realm.connections()).toBe(0);
  });

  it('that has expired is renewed before it is used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let [given, valid] = [0, ''];
    const realm = await startServer((_, response) => {
      valid = `t${++given}`;
      json(response, 200, { token: valid, expires_in: 300 });
    });
    const server = await startGuarded(
      () => realm.url,
      (token) => token === `Bearer ${valid}`,
    );
    const repository = repositoryAt(server);
    await repository.tags();
    vi.setSystemTime(Date.now() + 300_000);
    await repository.tags();
    expect(given).toBe(2);
    expect(server.requests).toHaveLength(3);
  });

  it('that the registry rejects is renewed once', async () => {
    let given = 0;
    let accepted = 1;
    const realm = await startServer((_, response) =>
      json(response, 200, { token: `t${++given}`, expires_in: 300 }),
    );
    const server = await startGuarded(
      () => realm.url,
      (token) => token === `Bearer t${accepted}`,
    );
    const repository = repositoryAt(server);
    await repository.tags();
    accepted = 2;
    await repository.tags();
    accepted = 99;
    await expect(repository.tags()).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(given).toBe(3);
  });

  it('that is refused for the credentials is unauthenticated', async () => {
    const realm = await startServer((_, response) => json(response, 401, {}));
    const server = await startGuarded(() => realm.url);
    const error = await repositoryAt(server, { credentials })
      .tags()
      .catch((each: unknown) => each);
    expect(error).toMatchObject({
      kind: 'unauthenticated',
      message: expect.stringContaining('password'),
    });
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(
      await ping({ host: server.host, tls: 'off', transport: transportOf(), credentials }),
    ).toMatchObject({
      reachable: true,
      authenticated: false,
      catalog: false,
    });
  });

  it('is exchanged for an identity token by POST', async () => {
    const realm = await startServer((_, response) => json(response, 200, { access_token: 'good' }));
    const server = await startGuarded(() => realm.url);
    await repositoryAt(server, {
      credentials: { username: '<token>', password: 'refresh' },
    }).tags();
    expect(realm.requests[0]?.method).toBe('POST');
    const form = Object.fromEntries(new URLSearchParams(realm.requests[0]?.body.toString()));
    expect(form).toMatchObject({ refresh_token: 'refresh', client_id: 'oci-client' });
    expect(realm.requests[0]?.headers['user-agent']).toBe('oci-client');
  });

  it('is not requested after a redirect, with an identity token in the body', async () => {
    const other = await startServer((_, response) => json(response, 200, { access_token: 'good' }));
    const realm = await startServer((_, response) =>
      response.writeHead(307, { location: `http://localhost:${other.port}/token` }).end(),
    );
    const server = await startGuarded(() => realm.url);
    const repository = repositoryAt(server, {
      credentials: { username: '<token>', password: 'refresh' },
    });
    await expect(repository.tags()).rejects.toMatchObject({ kind: 'invalid' });
    expect(other.requests).toHaveLength(0);
  });

  it('is never requested for a host after a redirect', async () => {
    const realm = await startServer((_, response) => json(response, 200, { token: 'good' }));
    const other = await startGuarded(() => realm.url);
    const server = await startServer((_, response) =>
      response.writeHead(302, { location: `http://localhost:${other.port}/` }).end(),
    );
    await expect(repositoryAt(server, { credentials }).tags()).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
    expect(realm.requests).toHaveLength(0);
  });
});
