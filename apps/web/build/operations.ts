/**
 * `virtual:operations`: method, path and answer of each operation. The contract's schemas stay on
 * the server; they would be larger than the rest of the first load.
 */
import { contract, type Operation } from '@portcullis/contract';
import type { Plugin } from 'vite';
import type { OperationEndpoint } from '../src/api/endpoint.ts';

const NAME = 'virtual:operations';

export function operations(): Plugin {
  return {
    name: 'portcullis:operations',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export const operations = ${JSON.stringify(endpoints())};` : null,
  };
}

export function endpoints(): Record<string, OperationEndpoint> {
  const groups = Object.entries<Record<string, Operation>>(contract);
  return Object.fromEntries(
    groups.flatMap(([group, all]) =>
      Object.entries(all).map(([name, operation]) => [`${group}.${name}`, endpointOf(operation)]),
    ),
  );
}

function endpointOf({ method, path, idempotent, success }: Operation): OperationEndpoint {
  const answer = 'body' in success ? 'json' : 'mediaTypes' in success ? 'bytes' : 'nothing';
  return { method: method.toUpperCase(), path, answer, ...(idempotent && { idempotent }) };
}
