/** Sources with good images and bad HTTP. */
import { deflateSync, gzipSync } from 'node:zlib';
import { randomImage } from '@portcullis/testing';
import {
  at,
  atLayers,
  cutAt,
  flipped,
  type HostileCase,
  refused,
  retriedThenFailed,
  status,
  writeEndlessly,
} from './case.ts';

const oneLayer = async () => [await randomImage({ bytes: 200_000 })];
const soon = () => new Date(Date.now() + 1000).toUTCString();

const PASSING: HostileCase[] = [
  {
    source: 'answers 429 once, with Retry-After in seconds',
    behave: () => at('blob', status(429, { 'retry-after': '1' }), 1),
    follows: 'staged',
  },
  {
    source: 'answers 429 twice, without Retry-After',
    behave: () => at('manifest', status(429), 2),
    follows: 'staged',
  },
  {
    source: 'answers 429 once, with Retry-After as a date',
    behave: () =>
      at('blob', (seen, response) => status(429, { 'retry-after': soon() })(seen, response), 1),
    follows: 'staged',
  },
  { source: 'answers 500 once', behave: () => at('blob', status(500), 1), follows: 'staged' },
  {
    source: 'answers 502 once, with a page of HTML',
    behave: () =>
      at('manifest', status(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>'), 1),
    follows: 'staged',
  },
  { source: 'answers 503 once', behave: () => at('blob', status(503), 1), follows: 'staged' },
  {
    source: 'cuts a layer once',
    behave: () => atLayers(cutAt(70_000, 'end'), 1),
    follows: 'staged',
  },
  {
    source: 'resets a layer once',
    behave: () => atLayers(cutAt(70_000, 'reset'), 1),
    follows: 'staged',
  },
];

const LASTING: HostileCase[] = [
  {
    source: 'sends Retry-After of a day',
    behave: () => at('blob', status(429, { 'retry-after': '86400' })),
    follows: retriedThenFailed('REGISTRY_RATE_LIMITED'),
    atMost: 10,
  },
  {
    source: 'always answers 429',
    behave: () => at('blob', status(429)),
    follows: retriedThenFailed('REGISTRY_RATE_LIMITED'),
  },
  {
    source: 'answers every blob with 500',
    behave: () => at('blob', status(500)),
    follows: retriedThenFailed('REGISTRY_UNAVAILABLE'),
  },
  {
    source: 'resets every layer after a few bytes',
    behave: () => atLayers(cutAt(10, 'reset')),
    follows: retriedThenFailed('REGISTRY_UNREACHABLE'),
  },
  {
    source: 'cuts every layer after a few bytes',
    behave: () => atLayers(cutAt(10, 'end')),
    follows: retriedThenFailed('REGISTRY_UNREACHABLE'),
  },
  {
    source: 'closes each connection that asks for a manifest',
    behave: () => at('manifest', (_, response) => void response.socket?.destroy()),
    follows: retriedThenFailed('REGISTRY_UNREACHABLE'),
  },
  {
    source: 'always answers 401',
    behave: () => at('manifest', status(401)),
    follows: refused('REGISTRY_UNAUTHENTICATED'),
  },
  {
    source: 'always answers 403',
    behave: () => at('blob', status(403)),
    follows: refused('REGISTRY_FORBIDDEN'),
  },
  {
    source: 'has lost a layer',
    behave: () => atLayers(status(404)),
    follows: refused('NOT_FOUND'),
  },
];

const WRONG_BYTES: HostileCase[] = [
  {
    source: 'flips a bit of a layer',
    behave: () => atLayers(({ content }, response) => void response.end(flipped(content.bytes))),
    follows: refused('DIGEST_MISMATCH'),
  },
  {
    source: 'flips a bit of the configuration',
    behave: () =>
      at('blob', ({ content }, response) => void response.end(flipped(content.bytes)), 1),
    follows: refused('DIGEST_MISMATCH'),
  },
  {
    source: 'sends another manifest than its header names',
    behave: () =>
      at('manifest', ({ content: { bytes, descriptor } }, response) => {
        response.writeHead(200, {
          'content-type': descriptor.mediaType,
          'docker-content-digest': descriptor.digest,
        });
        response.end(Buffer.from(bytes).toString('utf8').replace('{', '{ '));
      }),
    follows: refused('DIGEST_MISMATCH'),
  },
  {
    source: 'states and sends more bytes than the manifest states',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => {
        response.writeHead(200, { 'content-length': bytes.length + 1 });
        response.end(Buffer.concat([bytes, Buffer.from('x')]));
      }),
    follows: refused('SIZE_MISMATCH'),
  },
  {
    source: 'sends more bytes than the manifest states, in chunks',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => {
        response.write(bytes);
        response.end('x');
      }),
    follows: refused('SIZE_MISMATCH'),
  },
  {
    source: 'states fewer bytes than the manifest states',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => void response.end(bytes.subarray(1))),
    follows: refused('SIZE_MISMATCH'),
  },
  {
    source: 'sends fewer bytes than the manifest states, in chunks',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => {
        response.write(bytes.subarray(1));
        response.end();
      }),
    follows: retriedThenFailed('CONTENT_TRUNCATED'),
  },
  {
    source: 'compresses without a request for it',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
      }),
    follows: retriedThenFailed('CONTENT_TRUNCATED'),
  },
  {
    source: 'sends a gzip bomb as a compressed manifest',
    behave: () =>
      at('manifest', ({ content: { descriptor } }, response) => {
        const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
        response.writeHead(200, {
          'content-type': descriptor.mediaType,
          'content-encoding': 'deflate',
        });
        response.end(bomb);
      }),
    follows: refused('MANIFEST_INVALID'),
  },
];

const ODD: HostileCase[] = [
  {
    source: 'names no digest',
    behave: () =>
      at('manifest', ({ content: { bytes, descriptor } }, response) => {
        response.writeHead(200, { 'content-type': descriptor.mediaType }).end(bytes);
      }),
    follows: 'staged',
  },
  {
    source: 'answers everything in chunks, of a few bytes each',
    behave: () => (request, response) => {
      if (!request.content || request.method !== 'GET') return false;
      const { bytes, descriptor } = request.content;
      response.writeHead(200, { 'content-type': descriptor.mediaType });
      for (let from = 0; from < bytes.length; from += 500)
        response.write(bytes.subarray(from, from + 500));
      response.end();
      return true;
    },
    follows: 'staged',
  },
  {
    source: 'does not support HEAD',
    behave: () => (request, response) => {
      if (request.method !== 'HEAD') return false;
      response.writeHead(405).end();
      return true;
    },
    follows: 'staged',
  },
  {
    source: 'does not support ranges, and cuts a layer',
    images: oneLayer,
    behave: () => {
      const cut = atLayers(cutAt(70_000, 'end'), 1);
      const whole = atLayers(({ content }, response) => void response.end(content.bytes));
      return (request, response) =>
        cut(request, response) === true || whole(request, response) === true;
    },
    follows: 'staged',
  },
  {
    source: 'cuts a layer, and resumes at another offset',
    images: oneLayer,
    behave: () => {
      const cut = atLayers(cutAt(70_000, 'end'), 1);
      const astray = atLayers(({ content: { bytes } }, response) => {
        response
          .writeHead(206, { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` })
          .end(bytes);
      });
      return (request, response) =>
        cut(request, response) === true || astray(request, response) === true;
    },
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
  {
    source: 'states a wrong offset when it resumes',
    images: oneLayer,
    behave: () => {
      const cut = atLayers(cutAt(70_000, 'end'), 1);
      const lie = atLayers(({ content: { bytes }, headers }, response) => {
        const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
        response.writeHead(206, {
          'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
        });
        response.end(bytes.subarray(0, bytes.length - from));
      });
      return (request, response) =>
        cut(request, response) === true || lie(request, response) === true;
    },
    follows: refused('DIGEST_MISMATCH'),
  },
  {
    source: 'answers a blob with an unrequested 206',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => {
        response
          .writeHead(206, { 'content-range': `bytes 0-9/${bytes.length}` })
          .end(bytes.subarray(0, 10));
      }),
    follows: refused('REGISTRY_REFUSED'),
  },
  {
    source: 'answers a blob with 204',
    behave: () => atLayers(status(204)),
    follows: refused('REGISTRY_REFUSED'),
  },
  {
    source: 'answers a blob with 304',
    behave: () => atLayers(status(304)),
    follows: refused('REGISTRY_REFUSED'),
  },
  {
    source: 'answers with another protocol',
    behave: () =>
      atLayers((_, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')),
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
  {
    source: 'states two lengths of one body',
    behave: () =>
      atLayers(({ content: { bytes } }, response) => {
        response.socket?.end(
          `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\nContent-Length: 1\r\n\r\nx`,
        );
      }),
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
];

const ENDLESS: HostileCase[] = [
  {
    source: 'sends a layer without an end',
    behave: () => atLayers((_, response) => writeEndlessly(response, Buffer.alloc(64 * 1024))),
    follows: refused('SIZE_MISMATCH'),
  },
  {
    source: 'sends a manifest without an end',
    behave: () =>
      at('manifest', (_, response) => writeEndlessly(response, Buffer.alloc(64 * 1024, ' '))),
    follows: refused('REGISTRY_ANSWER_TOO_LARGE'),
  },
  {
    source: 'sends a manifest of 64 MiB',
    behave: () =>
      at('manifest', (_, response) => void response.end(Buffer.alloc(64 * 1024 * 1024, ' '))),
    follows: refused('REGISTRY_ANSWER_TOO_LARGE'),
  },
  {
    source: 'sends an error without an end',
    behave: () =>
      atLayers((_, response) =>
        writeEndlessly(response.writeHead(404), Buffer.alloc(64 * 1024, ' ')),
      ),
    follows: refused('NOT_FOUND'),
  },
  {
    source: 'announces an answer for ever, with 100 Continue',
    behave: () =>
      atLayers((_, { socket }) => {
        if (socket)
          writeEndlessly(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)));
      }),
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
  {
    source: 'announces a manifest for ever, with 103 Early Hints',
    behave: () =>
      at('manifest', (_, { socket }) => {
        if (socket)
          writeEndlessly(
            socket,
            Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'.repeat(100)),
          );
      }),
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
  {
    source: 'sends header fields without an end',
    behave: () =>
      atLayers((_, { socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        if (socket) writeEndlessly(socket, Buffer.from(`x: ${'y'.repeat(1000)}\r\n`));
      }),
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
  {
    source: 'sends trailers without an end',
    behave: () =>
      atLayers(({ content: { bytes } }, { socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        socket?.write(`${bytes.length.toString(16)}\r\n`);
        socket?.write(bytes);
        socket?.write('\r\n0\r\n');
        if (socket) writeEndlessly(socket, Buffer.from(`x: ${'y'.repeat(1000)}\r\n`));
      }),
    follows: retriedThenFailed('REGISTRY_ANSWER_INVALID'),
  },
];

export const ANSWERS = [...PASSING, ...LASTING, ...WRONG_BYTES, ...ODD, ...ENDLESS];
