/**
 * `fetch` for the built-in registry and its store; also over a Unix socket, which `fetch` cannot
 * do.
 */
import { type Agent, request } from 'node:http';
import { type RegistryAddress, registryAgent } from '@portcullis/local-registry';
import { traceOutgoing } from '@portcullis/runtime';

export interface SmallRequest {
  method: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

export interface RegistryFetch {
  /** Returns redirects too. Over a socket the reply is read into memory, so it should be small. */
  fetch(url: URL, init: SmallRequest): Promise<Response>;
  close(): void;
}

export function createRegistryFetch({ base, socketPath, ...rest }: RegistryAddress): RegistryFetch {
  const agent =
    socketPath === null ? null : registryAgent({ base, socketPath, ...rest }, { keepAlive: true });
  const send = (url: URL, init: SmallRequest) =>
    agent !== null && url.origin === base.origin
      ? overSocket(url, init, agent)
      : fetch(url, { ...init, redirect: 'manual' });
  return {
    async fetch(url, init) {
      const { hostname, port, pathname } = url;
      const traced = traceOutgoing({ method: init.method, hostname, port, pathname });
      if (!traced) return send(url, init);
      try {
        const answer = await send(url, {
          ...init,
          headers: { ...init.headers, ...traced.headers },
        });
        traced.ended({ status: answer.status });
        return answer;
      } catch (error) {
        traced.ended({ error });
        throw error;
      }
    },
    close: () => agent?.destroy(),
  };
}

function overSocket(url: URL, init: SmallRequest, agent: Agent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...init, agent });
    outgoing.once('error', reject);
    outgoing.once('response', async (answer) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of answer) chunks.push(chunk);
        const body = chunks.length === 0 ? null : Buffer.concat(chunks);
        const headers = Object.entries(answer.headersDistinct).map(
          ([name, values]): [string, string] => [name, (values ?? []).join(', ')],
        );
        resolve(new Response(body, { status: answer.statusCode ?? 502, headers }));
      } catch (error) {
        reject(error);
      }
    });
    outgoing.end();
  });
}
