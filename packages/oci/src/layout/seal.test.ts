import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSealer, createSealKey, isSameSeal } from './seal.ts';

const BYTES = randomBytes(300_001);

function sealOf(bytes: Uint8Array, key: Uint8Array, piece: number): Uint8Array {
  const sealer = createSealer(key);
  for (let at = 0; at < bytes.length; at += piece) sealer.update(bytes.subarray(at, at + piece));
  return sealer.end();
}

it.each([1_000, 4_096, 65_537, 300_001])('is the same in pieces of %i bytes', (piece) => {
  const key = createSealKey();
  const seal = sealOf(BYTES, key, 65_536);
  expect(isSameSeal(sealOf(BYTES, key, piece), seal)).toBe(true);
});

it.each<[string, Uint8Array]>([
  ['a bit differs', BYTES.with(150_000, (BYTES[150_000] ?? 0) ^ 1)],
  ['the last byte is missing', BYTES.subarray(0, -1)],
  ['the last byte is there twice', Buffer.concat([BYTES, BYTES.subarray(-1)])],
  ['the first byte is zero more', Buffer.concat([Buffer.alloc(1), BYTES])],
  ['nothing was read', Buffer.alloc(0)],
])('is another one where %s', (_, other) => {
  const key = createSealKey();
  expect(isSameSeal(sealOf(other, key, 4_096), sealOf(BYTES, key, 4_096))).toBe(false);
});

it('is another one under another key', () => {
  const [one, other] = [createSealKey(), createSealKey()];
  expect(isSameSeal(sealOf(BYTES, one, 4_096), sealOf(BYTES, other, 4_096))).toBe(false);
});
