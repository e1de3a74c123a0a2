/** Method, path and answer of each operation of the contract. */
import { contract, type Operation } from '@portcullis/contract';
import type { OperationEndpoint } from './endpoint.ts';

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
