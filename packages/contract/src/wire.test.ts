import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { Time } from './common.ts';
import { contract } from './index.ts';
import type { Operation } from './operation.ts';
import { fromWire, toWire, type WireSource } from './wire.ts';

const Part = z.strictObject({ part_name: z.string(), made_at: Time.nullable() });
const Whole = z.strictObject({
  tag_count: z.number(),
  parts: z.array(Part),
  labels: z.record(z.string(), z.string()),
  note: z.string().optional(),
  detail: z.unknown(),
  place: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('here') }),
    z.strictObject({ kind: z.literal('there'), host_name: z.string() }),
  ]),
  which: z.union([z.literal('all'), z.array(z.string())]),
});

const AT = new Date('2026-01-02T03:04:05.678Z');

function whole(change: Partial<WireSource<typeof Whole>> = {}) {
  return {
    tagCount: 3,
    parts: [{ partName: 'a', madeAt: AT }],
    labels: { some_key: 'x', otherKey: 'y' },
    detail: { camelCase: 1 },
    place: { kind: 'there' as const, hostName: 'h' },
    which: 'all' as const,
    ...change,
  };
}

describe('toWire', () => {
  it('writes names in snake case and times in RFC 3339, at every depth', () => {
    expect(toWire(Whole, whole())).toEqual({
      tag_count: 3,
      parts: [{ part_name: 'a', made_at: '2026-01-02T03:04:05.678Z' }],
      labels: { some_key: 'x', otherKey: 'y' },
      detail: { camelCase: 1 },
      place: { kind: 'there', host_name: 'h' },
      which: 'all',
    });
  });

  it('leaves out what the schema does not have, at every depth', () => {
    const part = { partName: 'a', madeAt: null, passwordHash: 'secret' };
    const place = { kind: 'here' as const, hostName: 'secret' };
    const value = { ...whole(), parts: [part], place, passwordHash: 'secret' };
    expect(JSON.stringify(toWire(Whole, value))).not.toContain('secret');
  });

  it('refuses an object where the schema has a plain value', () => {
    const value = { partName: { hash: 'secret' }, madeAt: null };
    expect(() => toWire(Part, value as unknown as WireSource<typeof Part>)).toThrow(TypeError);
    const time = { partName: 'a', madeAt: { hash: 'secret' } };
    expect(() => toWire(Part, time as unknown as WireSource<typeof Part>)).toThrow(TypeError);
  });

  it.each([
    ['text for an object', 'text'],
    ['null for an object', null],
    ['a list for an object', []],
    ['no option of a union', whole({ place: JSON.parse('{"kind":"nowhere"}') })],
    ['text for a list', whole({ parts: JSON.parse('"text"') })],
    ['an invalid date', whole({ parts: [{ partName: 'a', madeAt: new Date(Number.NaN) }] })],
  ])('refuses %s', (_, value) => {
    expect(() => toWire(Whole, value as WireSource<typeof Whole>)).toThrow();
  });

  it('reads no member of a prototype', () => {
    const Odd = z.strictObject({ constructor: z.unknown(), to_string: z.unknown() });
    expect(toWire(Odd, {} as WireSource<typeof Odd>)).toEqual({});
    const inherited = Object.create({ partName: 'inherited', madeAt: null });
    expect(toWire(Part, inherited)).toEqual({});
  });

  it('keeps names of a record that are those of prototypes', () => {
    const labels: Record<string, string> = JSON.parse('{"__proto__":"a","constructor":"b"}');
    const written = JSON.stringify(toWire(Whole, whole({ labels })).labels);
    expect(written).toBe('{"__proto__":"a","constructor":"b"}');
    expect(Object.getPrototypeOf(toWire(Whole, whole({ labels })).labels)).toBe(Object.prototype);
  });

  it('takes what is in the form of the wire already', () => {
    const sent = toWire(Whole, whole());
    expect(toWire(Whole, sent)).toEqual(sent);
  });

  it('looks at each schema once', () => {
    let looks = 0;
    const shape = { a_b: z.string() };
    const Counted = z.strictObject({
      get a_b() {
        looks += 1;
        return shape.a_b;
      },
    });
    for (let at = 0; at < 50; at += 1) toWire(Counted, { aB: 'x' });
    const first = looks;
    toWire(Counted, { aB: 'x' });
    expect(looks).toBe(first);
  });

  it('does not compile without a member, or with one of another type', () => {
    expectTypeOf<{ partName: string }>().not.toExtend<WireSource<typeof Part>>();
    expectTypeOf<{ partName: Date; madeAt: null }>().not.toExtend<WireSource<typeof Part>>();
    expectTypeOf<{ partName: string; madeAt: Date }>().toExtend<WireSource<typeof Part>>();
  });

  it('has a form for each reply and body of the contract', () => {
    const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group));
    for (const { body, success } of operations) {
      const refused = Symbol('no value of a schema');
      if ('body' in success) expect(() => toWire(success.body, refused)).not.toThrow(/a schema/);
      if (body) expect(() => fromWire(body, refused)).not.toThrow(/a schema/);
    }
  });
});

describe('fromWire', () => {
  it('reads names in camel case, and leaves records as they are', () => {
    const sent = toWire(Whole, whole());
    expect(fromWire(Whole, sent)).toEqual({
      ...whole(),
      parts: [{ partName: 'a', madeAt: AT.toISOString() }],
    });
  });

  it('leaves absent members absent, and keeps null', () => {
    const Change = z
      .strictObject({ can_push: z.boolean(), ca_cert: z.string().nullable() })
      .partial();
    expect(Object.keys(fromWire(Change, {}))).toEqual([]);
    expect(fromWire(Change, { ca_cert: null })).toEqual({ caCert: null });
  });
});
