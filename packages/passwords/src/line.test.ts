import { expect, it } from 'vitest';
import { createLine } from './line.ts';

interface Request {
  client: string | undefined;
  name: string;
}

function line(room: { most?: number; mostOfClient?: number } = {}) {
  const requests = createLine<Request>({ most: 64, mostOfClient: 8, ...room });
  return {
    /** `a1` is a request of client `a`, `-1` one of no client. */
    add: (...names: string[]) =>
      names.flatMap(
        (name) => requests.add({ client: name[0] === '-' ? undefined : name[0], name })?.name ?? [],
      ),
    rest(): string[] {
      const next = requests.next();
      return next ? [next.name, ...this.rest()] : [];
    },
    next: () => requests.next()?.name,
    clear: () => requests.clear().map(({ name }) => name),
  };
}

const numbered = (client: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${client}${i}`);

it('serves the newest request of a client first', () => {
  const own = line();
  own.add('a1', 'a2', 'a3');
  expect(own.rest()).toEqual(['a3', 'a2', 'a1']);
});

it('lets clients take turns', () => {
  const own = line();
  own.add('a1', 'a2', 'b1', 'a3', 'c1', 'b2');
  expect(own.rest()).toEqual(['a3', 'b2', 'c1', 'a2', 'b1', 'a1']);
});

it('lets a client that was served wait until the others were', () => {
  const own = line();
  own.add('a1', 'b1', 'b2');
  expect(own.next()).toBe('a1');
  own.add('a2');
  expect(own.rest()).toEqual(['b2', 'a2', 'b1']);
});

it('lets the oldest request of an address leave where it has too many', () => {
  const own = line({ mostOfClient: 2 });
  expect(own.add('a1', 'a2', 'b1', 'a3', 'a4')).toEqual(['a1', 'a2']);
  expect(own.rest()).toEqual(['a4', 'b1', 'a3']);
});

it('keeps a later request beside a burst of the same address', () => {
  const own = line();
  expect(own.add(...numbered('a', 67), 'a-mine')).toHaveLength(60);
  expect(own.next()).toBe('a-mine');
});

it.each<[string, string[], string, string[]]>([
  ['the address with the most', ['a1', 'a2', 'b1'], 'c1', ['a1']],
  ['the new one itself, of those with as many', ['a1', 'b1', 'c1'], 'd1', ['d1']],
  ['its own, where it has as many as another one', ['a1', 'a2', 'b1'], 'b2', ['b1']],
  ['work of no address, where that is the most', ['-1', '-2', 'a1'], 'b1', ['-1']],
  ['the oldest, where all is of no address', ['-1', '-2', '-3'], '-4', ['-1']],
])('without room %s makes room', (_which, before, added, leaves) => {
  const own = line({ most: 3 });
  expect(own.add(...before)).toEqual([]);
  expect(own.add(added)).toEqual(leaves);
});

it('has no limit of one client for work of no address', () => {
  expect(line({ mostOfClient: 2 }).add('-1', '-2', '-3')).toEqual([]);
});

it('is empty after it was cleared', () => {
  const own = line();
  own.add('a1', 'b1');
  expect(own.clear()).toEqual(['a1', 'b1']);
  expect(own.next()).toBeUndefined();
});
