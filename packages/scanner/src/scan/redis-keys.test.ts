import { describe, expect, it } from 'vitest';
import { createScanKeys } from './redis-keys.ts';
import { readCommand, writeCommand } from './redis-protocol.ts';

const VALUE = '*1\r\n$3\r\nGET\r\n'.repeat(100);
const LAYER = 'fanal::blob::sha256:aa';
const COMMANDS = [
  ['CLIENT', 'SETINFO', 'LIB-NAME', 'go-redis'],
  ['get', LAYER],
  ['SET', LAYER, VALUE, 'ex', '60'],
  ['PING'],
  ['GET', LAYER],
  ['set', 'fanal::artifact::sha256:bb', ''],
  ['GET', 'fanal::artifact::sha256:cc'],
];
const SENT = Buffer.concat(COMMANDS.map((words) => writeCommand(words)));

function commandsIn(bytes: Buffer): string[][] {
  const found: string[][] = [];
  for (let at = 0; at < bytes.length; ) {
    const command = readCommand(bytes.subarray(at));
    if (!command) throw new Error('no command');
    found.push(command.words);
    at += command.end;
  }
  return found;
}

describe('the keys of a scan', () => {
  it.each([1, 2, 7, 64, 5_000])(
    'are recorded, and what it wrote has private names, in pieces of %i bytes',
    (size) => {
      const keys = createScanKeys();
      const rewrite = keys.connection();
      const pieces: Buffer[] = [];
      for (let at = 0; at < SENT.length; at += size)
        pieces.push(rewrite(SENT.subarray(at, at + size)) ?? Buffer.from('broken'));
      const [layer, artifact] = keys.takeWritten();
      expect([layer?.key, artifact?.key]).toEqual([LAYER, 'fanal::artifact::sha256:bb']);
      expect(layer?.unheard).toMatch(/^portcullis:unheard:[\w-]{36}:fanal::blob::sha256:aa$/);
      const [client, first, , ping, , , last] = COMMANDS;
      expect(commandsIn(Buffer.concat(pieces))).toEqual([
        ...[client, first, ['SET', layer?.unheard, VALUE, 'ex', '60'], ping],
        ...[['GET', layer?.unheard], ['set', artifact?.unheard, ''], last],
      ]);
      expect(keys.takeReads()).toEqual([LAYER, LAYER, 'fanal::artifact::sha256:cc']);
      expect(keys.takeReads()).toEqual([]);
    },
  );

  it('have their own names again once what was written is taken', () => {
    const keys = createScanKeys();
    const rewrite = keys.connection();
    rewrite(writeCommand(['SET', LAYER, 'x']));
    expect(keys.takeWritten()).toHaveLength(1);
    expect(keys.takeWritten()).toEqual([]);
    const read = writeCommand(['GET', LAYER]);
    expect(rewrite(read)).toEqual(read);
  });

  it('that one connection wrote are found by the others of the scan, and by no other scan', () => {
    const [keys, other] = [createScanKeys(), createScanKeys()];
    keys.connection()(writeCommand(['SET', LAYER, 'x']));
    const read = writeCommand(['GET', LAYER]);
    expect(commandsIn(keys.connection()(read) ?? Buffer.alloc(0))).toEqual([
      ['GET', keys.takeWritten()[0]?.unheard],
    ]);
    expect(other.connection()(read)).toEqual(read);
  });

  it('of several connections are recorded in the order of their arrival', () => {
    const keys = createScanKeys();
    const [one, other] = [keys.connection(), keys.connection()];
    const half = writeCommand(['GET', 'a']);
    one(half.subarray(0, 9));
    other(writeCommand(['GET', 'b']));
    one(half.subarray(9));
    expect(keys.takeReads()).toEqual(['b', 'a']);
  });

  it.each([
    ...['PING\r\n', '*1\r\n:5\r\n', '*x\r\n', '$5\r\nhello\r\n', '9'.repeat(40)],
    writeCommand(['SET', 'x'.repeat(600), 'y']).toString(),
  ])('are unknown once a client sends %j, and nothing of it is passed on', (text) => {
    const keys = createScanKeys();
    const rewrite = keys.connection();
    expect(rewrite(Buffer.from(text))).toBeNull();
    expect(rewrite(writeCommand(['GET', LAYER]))).toBeNull();
    expect(keys.takeReads()).toBeNull();
    expect(keys.takeReads()).toBeNull();
  });
});
