/**
 * `virtual:operations`: what the page needs of each operation to call it. The contract's schemas stay on the server:
 * they would cost the first load more than everything of ours together.
 */
import { contract, type Operation } from '@portcullis/contract';
import type { Plugin } from 'vite';
import type { Endpoint } from '../src/api/endpoint.ts';

const NAME = 'virtual:operations';

export function operations(): Plugin {
  return {
    name: 'portcullis:operations',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export const operations = ${JSON.stringify(endpoints())};` : null,
  };
}

export function endpoints(): Record<string, Endpoint> {
  const groups = Object.entries<Record<string, Operation>>(contract);
  return Object.fromEntries(
    groups.flatMap(([group, all]) =>
      Object.entries(all).map(([name, operation]) => [`${group}.${name}`, endpointOf(operation)]),
    ),
  );
}

function endpointOf({ method, path, idempotent, success }: Operation): Endpoint {
  const answer = 'body' in success ? 'json' : 'mediaTypes' in success ? 'bytes' : 'nothing';
  return { method: method.toUpperCase(), path, answer, ...(idempotent && { idempotent }) };
}
