import { once } from 'node:events';
import type { Socket } from 'node:net';
import { makeCertificate } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './guard.ts';
import type { Lookup } from './lookup.ts';
import type { HttpRequest } from './message.ts';
import { startProxy, startRawServer, startServer, transportOf } from './server.contract.ts';
import type { Transport } from './transport.ts';
import type { TraceRequest } from './transport-parts.ts';

function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url: new URL(url), trust: { verify: true }, ...more };
}

/** Reads everything and returns its size. */
async function whole(transport: Transport, how: 'send' | 'open', url: string): Promise<number> {
  if (how === 'send') return (await transport.send(get(url))).body.length;
  let size = 0;
  for await (const chunk of (await transport.open(get(url))).chunks) size += chunk.byteLength;
  return size;
}

const answering: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];

describe('a request that fails', () => {
  it('with 429 is repeated after Retry-After', async () => {
    const server = await startServer((_, response) => {
      if (server.requests.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end('ok');
    });
    const waits: unknown[] = [];
    const log = { debug: ({ wait }: Record<string, unknown>) => void waits.push(wait) };
    const answer = await transportOf({ log }).send(get(server.url));
    expect(answer.body.toString()).toBe('ok');
    expect(server.requests).toHaveLength(2);
    expect(waits).toEqual([expect.toSatisfy((wait: number) => wait >= 1_000)]);
  });

  it('with 500 is repeated up to a limit', async () => {
    let left = 2;
    const server = await startServer((_, response) =>
      response.writeHead(left-- > 0 ? 500 : 200).end(),
    );
    expect((await transportOf().send(get(server.url))).status).toBe(200);
    left = 100;
    expect((await transportOf({ retries: 2 }).send(get(server.url))).status).toBe(500);
    expect(server.requests).toHaveLength(6);
  });

  it.each([401, 403, 404])('with %d is not repeated', async (status) => {
    const server = await startServer((_, response) => response.writeHead(status).end());
    expect((await transportOf().send(get(server.url))).status).toBe(status);
    expect(server.requests).toHaveLength(1);
  });

  it('because the connection broke is repeated', async () => {
    let broken = 0;
    const server = await startRawServer((socket) => {
      if (broken++ < 2) socket.destroy();
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    expect((await transportOf().send(get(server.url))).body.toString()).toBe('ok');
    expect(
      (await (await transportOf().open(get(server.url))).chunks.next()).value?.byteLength,
    ).toBe(2);
  });

  it('for good is unavailable', async () => {
    const server = await startRawServer((socket) => socket.destroy());
    for (const how of ['send', 'open'] as const) {
      await expect(transportOf({ retries: 1 })[how](get(server.url))).rejects.toMatchObject({
        kind: 'unavailable',
        code: 'REGISTRY_UNREACHABLE',
      });
    }
  });

  it.each(['send', 'open'] as const)('ends when it is aborted (%s)', async (how) => {
    const controller = new AbortController();
    const server = await startServer(() => controller.abort(new Error('cancelled')));
    await expect(
      transportOf()[how](get(server.url, { signal: controller.signal })),
    ).rejects.toThrow('cancelled');
  });

  it('ends an open body when it is aborted', async () => {
    const server = await startServer((_, response) =>
      response.writeHead(200, { 'content-length': 100 }).write('abc'),
    );
    const controller = new AbortController();
    const answer = await transportOf().open(get(server.url, { signal: controller.signal }));
    await answer.chunks.next();
    const next = answer.chunks.next();
    controller.abort(new Error('cancelled'));
    await expect(next).rejects.toThrow('cancelled');
  });

  const STALLING: [string, (socket: Socket) => void][] = [
    ['says nothing', () => undefined],
    [
      'sends a head and then nothing',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    ],
  ];
  describe.each(STALLING)('F8: because the server %s', (_, behave) => {
    it.each(['send', 'open'] as const)('says so, and is made twice at most (%s)', async (how) => {
      let requests = 0;
      const server = await startRawServer((socket) => {
        requests += 1;
        behave(socket);
      });
      const transport = transportOf({ stall: { idleMs: 100 } });
      await expect(whole(transport, how, server.url)).rejects.toMatchObject({
        code: 'REGISTRY_SILENT',
        message: `${server.host} sent nothing for 0.1 s`,
      });
      expect(requests).toBeLessThanOrEqual(2);
    });
  });

  const DRIPPING: [string, string][] = [
    ['a head', 'HTTP/1.1 200 OK\r\n'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'],
    ['a refusal', 'HTTP/1.1 403 No\r\nContent-Length: 60000\r\n\r\n'],
  ];
  describe.each(DRIPPING)('F2: because the server sends %s byte by byte', (_, head) => {
    it.each(['send', 'open'] as const)('is given up (%s)', async (how) => {
      const server = await startRawServer((socket) => {
        socket.write(head);
        const timer = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(timer));
      });
      const stall = { idleMs: 500, bytesPerSecond: 1000, windowMs: 300 };
      const transport = transportOf({ stall, retries: 0 });
      await expect(whole(transport, how, server.url)).rejects.toMatchObject({
        kind: 'unavailable',
        code: expect.stringMatching(/^REGISTRY_(TOO_SLOW|SILENT)$/),
      });
    });
  });

  it('a slow connection above the minimum rate is not ended', async () => {
    const server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6000\r\n\r\n');
      let left = 60;
      const timer = setInterval(
        () => (left-- > 0 ? socket.write('x'.repeat(100)) : clearInterval(timer)),
        20,
      );
      socket.once('close', () => clearInterval(timer));
    });
    const stall = { idleMs: 60_000, bytesPerSecond: 100, windowMs: 500 };
    expect(await whole(transportOf({ stall, retries: 0 }), 'open', server.url)).toBe(6000);
  });

  it('never fails an upload that the registry answers late', async () => {
    const server = await startServer((_, response) => {
      setTimeout(() => response.writeHead(201).end(), 300);
    });
    const body = {
      size: 2,
      open: async () =>
        (async function* () {
          yield Buffer.from('ok');
        })(),
    };
    const transport = transportOf({ retries: 0, stall: { idleMs: 100, windowMs: 50 } });
    const answer = await transport.send(get(server.url, { method: 'PUT', body }));
    expect(answer.status).toBe(201);
    expect(server.requests[0]?.headers['content-length']).toBe('2');
  });
});

describe('a redirect', () => {
  it.each(['send', 'open'] as const)('to another host goes without the login (%s)', async (how) => {
    const other = await startServer((_, response) => response.end('ok'));
    const server = await startServer((_, response) =>
      response
        .writeHead(307, { location: `http://user:secret@localhost:${other.port}/x?sig=1` })
        .end(),
    );
    await transportOf()[how](get(server.url, { authorization: 'Bearer secret' }));
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(other.requests[0]?.url).toBe('/x?sig=1');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('back to the first host does not restore the credentials', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/')
        response.writeHead(302, { location: `http://localhost:${other.port}/` }).end();
      else response.end('ok');
    });
    const other = await startServer((_, response) =>
      response.writeHead(302, { location: `${server.url}/back` }).end(),
    );
    await transportOf().send(get(server.url, { authorization: 'Bearer secret' }));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      undefined,
    ]);
  });

  it('is returned if it must not be followed', async () => {
    const server = await startServer((_, response) =>
      response.writeHead(307, { location: '/there' }).end(),
    );
    const answer = await transportOf().send(get(server.url, { follow: false }));
    expect([answer.status, answer.headers.location]).toEqual([307, '/there']);
    expect(server.requests).toHaveLength(1);
  });

  it('on the same origin keeps them', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/') response.writeHead(301, { location: '/there' }).end();
      else response.end('ok');
    });
    const answer = await transportOf().send(get(server.url, { authorization: 'Bearer secret' }));
    expect(answer.url.pathname).toBe('/there');
    expect(server.requests[1]?.headers.authorization).toBe('Bearer secret');
  });

  it.each([
    ['in a circle', '/', 'it redirects too often'],
    ['to nowhere', '', 'it redirects to nowhere'],
    ['to a file', 'file:///etc/passwd', 'it redirects from http to file'],
  ])('F8: %s is refused, and the message says why', async (_, location, why) => {
    const server = await startServer((_request, response) =>
      response.writeHead(302, { location }).end(),
    );
    await expect(transportOf().send(get(server.url))).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
      message: `${server.host} sent a redirect that is refused: ${why}`,
    });
  });

  it('from https to http is refused', async () => {
    const certificate = makeCertificate();
    const server = await startServer(
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      certificate,
    );
    const trust = { verify: true, ca: certificate.certificate };
    await expect(transportOf().send(get(server.url, { trust }))).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
    });
  });

  it('repeats an upload completely', async () => {
    const other = await startServer((_, response) => response.writeHead(201).end());
    const server = await startServer((_, response) =>
      response.writeHead(307, { location: `${other.url}/store` }).end(),
    );
    const body = {
      size: 5,
      open: async () =>
        (async function* () {
          yield Buffer.from('bytes');
        })(),
    };
    const answer = await transportOf().send(
      get(server.url, { method: 'PUT', body, authorization: 'Basic x' }),
    );
    expect(answer.status).toBe(201);
    expect(other.requests[0]?.body.toString()).toBe('bytes');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('that would change the method of an upload is refused', async () => {
    const server = await startServer((_, response) =>
      response.writeHead(302, { location: '/' }).end(),
    );
    await expect(transportOf().send(get(server.url, { method: 'POST' }))).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
    });
  });
});

describe('a traced request', () => {
  interface Ended {
    path: string;
    outcomes: unknown[];
  }

  function recorder(): { ended: Ended[]; trace: TraceRequest } {
    const ended: Ended[] = [];
    const trace: TraceRequest = ({ pathname: path }) => {
      const outcomes: unknown[] = [];
      const number = ended.push({ path, outcomes });
      return {
        headers: { traceparent: `span-${number}` },
        ended: (outcome) => void outcomes.push(outcome),
      };
    };
    return { ended, trace };
  }

  it.each(['send', 'open'] as const)(
    'has a header, and ends once, for each try and each redirect (%s)',
    async (how) => {
      const { ended, trace } = recorder();
      const server = await startServer(({ url }, response) => {
        if (url.startsWith('/there')) response.end('four');
        else if (server.requests.length === 1) response.writeHead(503).end();
        else response.writeHead(307, { location: '/there?signature=secret' }).end();
      });
      const transport = transportOf({ trace });
      expect(await whole(transport, how, `${server.url}/here?key=secret`)).toBe(4);
      expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual([
        ...['span-1', 'span-2', 'span-3'],
      ]);
      expect(ended).toEqual([
        { path: '/here', outcomes: [{ status: 503 }] },
        { path: '/here', outcomes: [{ status: 307 }] },
        { path: '/there', outcomes: [{ status: 200 }] },
      ]);
    },
  );

  it.each([
    ['is read to its end and then cancelled', 'read', { status: 200 }],
    ['is cancelled', 'cancel', { status: 200 }],
    ['is cut', 'cut', { status: 200, error: expect.any(Error) }],
  ] as const)('ends once where its body %s', async (_, how, outcome) => {
    const { ended, trace } = recorder();
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': how === 'cut' ? 100 : 2 });
      if (how === 'cut') response.write('ok', () => response.destroy());
      else response.end('ok');
    });
    const answer = await transportOf({ trace }).open(get(server.url));
    const read = async () => {
      for await (const chunk of answer.chunks) expect(chunk.byteLength).toBe(2);
    };
    if (how === 'read') await read();
    if (how === 'cut') await expect(read()).rejects.toThrow();
    if (how !== 'cut') answer.cancel();
    expect(ended).toEqual([{ path: '/', outcomes: [outcome] }]);
  });

  it('ends with the error where there is no answer', async () => {
    const { ended, trace } = recorder();
    const server = await startRawServer((socket) => socket.destroy());
    const transport = transportOf({ trace, retries: 0 });
    for (const how of ['send', 'open'] as const)
      await expect(transport[how](get(server.url))).rejects.toThrow();
    const outcomes = [{ error: expect.objectContaining({ code: 'REGISTRY_UNREACHABLE' }) }];
    expect(ended).toEqual([
      { path: '/', outcomes },
      { path: '/', outcomes },
    ]);
  });
});

describe('the guard', () => {
  const guard = createAddressGuard({ privateAllowed: false });

  it.each(['send', 'open'] as const)(
    'refuses a name that leads to a private address (%s)',
    async (how) => {
      const server = await startServer((_, response) => response.end());
      const call = get(`http://registry.example:${server.port}/`);
      await expect(transportOf({ guard, lookup: answering })[how](call)).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'EGRESS_PRIVATE',
      });
      expect(server.connections()).toBe(0);
    },
  );

  it('connects to the checked address even if the name resolves to another one later', async () => {
    const server = await startServer((_, response) => response.end('ok'));
    let lookups = 0;
    const rebinding: Lookup = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
    };
    const open = createAddressGuard({ allow: ['127.0.0.1'] });
    const transport = transportOf({ guard: open, lookup: rebinding });
    const call = get(`http://registry.example:${server.port}/`);
    expect((await transport.send(call)).body.toString()).toBe('ok');
    expect(lookups).toBe(1);
    transport.close();
    await expect(transport.open(call)).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
  });

  it('refuses a name if one of its addresses is refused', async () => {
    const both: Lookup = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await expect(
      transportOf({ guard, lookup: both }).send(get('http://x.example/')),
    ).rejects.toMatchObject({
      code: 'EGRESS_PRIVATE',
    });
  });

  it('checks every redirect', async () => {
    const hidden = await startServer((_, response) => response.end());
    const server = await startServer((_, response) =>
      response.writeHead(302, { location: `http://localhost:${hidden.port}/` }).end(),
    );
    const own = createAddressGuard({ own: [`127.0.0.1:${hidden.port}`], privateAllowed: true });
    for (const how of ['send', 'open'] as const) {
      await expect(transportOf({ guard: own })[how](get(server.url))).rejects.toMatchObject({
        code: 'EGRESS_OWN_SERVICE',
      });
    }
    expect(hidden.connections()).toBe(0);
  });

  it('checks the target of a proxy request, as far as the name can be resolved', async () => {
    const proxy = await startProxy((target) => target);
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const inner: Lookup = async (name) => {
      if (name === 'inner.example') return [{ address: '10.0.0.1', family: 4 }];
      throw new Error('ENOTFOUND');
    };
    const transport = transportOf({ guard, lookup: inner, proxy: env, retries: 0 });
    await expect(transport.send(get('http://inner.example/'))).rejects.toMatchObject({
      code: 'EGRESS_PRIVATE',
    });
    expect((await transport.send(get('http://outer.example/'))).body.toString()).toBe(
      'proxied http://outer.example/',
    );
  });
});

describe('a proxy', () => {
  it('receives plain requests with the whole URL and its own credentials', async () => {
    const proxy = await startProxy((target) => target);
    const transport = transportOf({
      proxy: { HTTP_PROXY: proxy.url.replace('//', '//user:pass@') },
      lookup: answering,
    });
    expect((await transport.send(get('http://a.example/x'))).body.toString()).toBe(
      'proxied http://a.example/x',
    );
    const answer = await transport.open(get('http://a.example/y'));
    expect(Buffer.from((await answer.chunks.next()).value ?? []).toString()).toBe(
      'proxied http://a.example/y',
    );
    for (const { headers } of proxy.requests) {
      expect(headers['proxy-authorization']).toBe(
        `Basic ${Buffer.from('user:pass').toString('base64')}`,
      );
    }
  });

  it('receives TLS in a tunnel', async () => {
    const certificate = makeCertificate();
    const bytes = Buffer.alloc(3_000_000, 'x');
    const server = await startServer((_, response) => response.end(bytes), certificate);
    const proxy = await startProxy(() => server.host);
    const transport = transportOf({ proxy: () => ({ HTTPS_PROXY: proxy.host }) });
    const trust = { verify: true, ca: certificate.certificate };
    const call = get(`https://localhost:${server.port}/`, {
      trust,
      authorization: 'Bearer secret',
    });
    expect((await transport.send(call)).body.equals(bytes)).toBe(true);
    const chunks: Buffer[] = [];
    for await (const chunk of (await transport.open(call)).chunks) chunks.push(Buffer.from(chunk));
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(proxy.targets).toEqual([`localhost:${server.port}`]);
    expect(proxy.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it.each(['send', 'open'] as const)(
    'that is set or taken away counts for the next request (%s)',
    async (how) => {
      const certificate = makeCertificate();
      const server = await startServer((_, response) => response.end('ok'), certificate);
      const proxy = await startProxy(() => server.host);
      const env: { HTTPS_PROXY?: string } = {};
      const transport = transportOf({ proxy: () => env });
      const ask = async () => {
        const call = get(server.url, { trust: { verify: true, ca: certificate.certificate } });
        const answer = await transport[how](call);
        if ('chunks' in answer) for await (const _ of answer.chunks);
        return proxy.targets.length;
      };
      expect(await ask()).toBe(0);
      env.HTTPS_PROXY = proxy.url;
      expect(await ask()).toBe(1);
      delete env.HTTPS_PROXY;
      expect(await ask()).toBe(1);
      expect(server.connections()).toBe(2);
    },
  );

  it('that refuses is named', async () => {
    const proxy = await startServer((_, response) => response.end());
    const transport = transportOf({ proxy: { HTTPS_PROXY: proxy.url }, retries: 0 });
    await expect(transport.send(get('https://localhost/'))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('TLS', () => {
  it.each(['send', 'open'] as const)(
    'is checked, with the authority that was given (%s)',
    async (how) => {
      const certificate = makeCertificate();
      const server = await startServer((_, response) => response.end('ok'), certificate);
      const call = (trust: HttpRequest['trust']) => transportOf()[how](get(server.url, { trust }));
      await expect(call({ verify: true })).rejects.toMatchObject({ code: 'REGISTRY_TLS_FAILED' });
      await expect(call({ verify: true, ca: makeCertificate().certificate })).rejects.toMatchObject(
        {
          code: 'REGISTRY_TLS_FAILED',
        },
      );
      expect((await call({ verify: true, ca: certificate.certificate })).status).toBe(200);
      expect((await call({ verify: false })).status).toBe(200);
    },
  );

  it('verification that is disabled for one registry applies to the next', async () => {
    const server = await startServer((_, response) => response.end('ok'), makeCertificate());
    const transport = transportOf();
    for (const how of ['send', 'open'] as const) {
      const answer = await transport[how](get(server.url, { trust: { verify: false } }));
      if ('chunks' in answer) for await (const _ of answer.chunks);
      await expect(transport[how](get(server.url))).rejects.toMatchObject({
        code: 'REGISTRY_TLS_FAILED',
      });
    }
  });
});

describe('connections', () => {
  it.each(['send', 'open'] as const)('are used again (%s)', async (how) => {
    const server = await startServer((_, response) => response.end('ok'));
    const transport = transportOf();
    for (let n = 0; n < 3; n++) {
      const answer = await transport[how](get(server.url));
      if ('chunks' in answer)
        for await (const chunk of answer.chunks) expect(chunk.byteLength).toBe(2);
    }
    expect(server.connections()).toBe(1);
  });

  it.each(['send', 'open'] as const)(
    'that the server closed meanwhile are replaced without an error (%s)',
    async (how) => {
      const closed: Promise<unknown>[] = [];
      const server = await startRawServer((socket) => {
        closed.push(once(socket, 'close'));
        // The end arrives with the answer, so the client has read it when it ends its own side.
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
      const transport = transportOf({ retries: 0 });
      for (let n = 1; n <= 3; n++) {
        expect(await whole(transport, how, server.url)).toBe(2);
        await closed.at(-1);
        expect(server.connections()).toBe(n);
      }
    },
  );

  it('that the server closes at the next request are replaced for GET and HEAD only', async () => {
    const heads: string[] = [];
    const server = await startRawServer((socket, head) => {
      heads.push(head.slice(0, head.indexOf(' ')));
      if (heads.length % 2 === 0) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const transport = transportOf({ retries: 0 });
    expect((await transport.send(get(server.url))).body.toString()).toBe('ok');
    expect((await transport.send(get(server.url))).body.toString()).toBe('ok');
    await expect(transport.send(get(server.url, { method: 'POST' }))).rejects.toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
    });
    expect(heads).toEqual(['GET', 'GET', 'GET', 'POST']);
  });

  it('to one host are limited', async () => {
    const server = await startServer((_, response) => response.end('ok'));
    const transport = transportOf({ maxPerHost: 2 });
    await Promise.all(
      Array.from({ length: 8 }, async () =>
        expect(await whole(transport, 'open', server.url)).toBe(2),
      ),
    );
    expect(server.connections()).toBe(2);
  });
});
