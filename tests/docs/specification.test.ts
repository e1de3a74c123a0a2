/** docs/specification.md § 8 lists the server's operations, with their callers and audit events. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contract, type Operation } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/specification.md'), 'utf8');
const ROW =
  /^\| `(?<operation>[A-Z]+ \/\S+)`(?<idempotent> ⟳)? \| (?<who>[PUA])\b[^|]* \| (?:`(?<event>[a-z_.]+)`)? ?\|/gm;
const WHO = { public: 'P', user: 'U', admin: 'A' };

const stated = new Map(
  [...page.matchAll(ROW)].map(({ groups = {} }) => [
    groups.operation,
    { who: groups.who, event: groups.event, idempotent: groups.idempotent !== undefined },
  ]),
);
const groups: Record<string, Operation>[] = Object.values(contract);
const operations = groups.flatMap((group) => Object.values(group));
const nameOf = ({ method, path: at }: Operation) => `${method.toUpperCase()} ${at}`;

describe('the operations of the specification', () => {
  it.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    '%s',
    (name, operation) => {
      expect(stated.get(name)).toEqual({
        who: WHO[operation.access],
        event: operation.audit,
        idempotent: operation.idempotent === true,
      });
    },
  );

  it('are those of the contract', () => {
    const known = operations.map(nameOf);
    expect([...stated.keys()].filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });
});
