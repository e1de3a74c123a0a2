import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger, unredacted } from './logger.ts';

function capture() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, log: createLogger({ name: 'api', destination }) };
}

describe('the logger', () => {
  it('writes JSON lines with the level in words and the time in RFC 3339', () => {
    const { lines, log } = capture();
    log.debug('below this level');
    log.warn({ a: 1 }, 'careful');
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0] ?? '');
    expect(line).toMatchObject({ level: 'warn', name: 'api', a: 1, msg: 'careful' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  it.each([
    { password: 'hunter2' },
    {
      request: {
        headers: { authorization: 'hunter2', cookie: 'hunter2', 'set-cookie': 'hunter2' },
      },
    },
    { registry: { password: 'hunter2' } },
    { user: { passwordHash: 'hunter2' }, token: 'hunter2' },
    { source: { credentials: { username: 'u', value: 'hunter2' } } },
  ])('removes secrets: %o', (fields) => {
    const { lines, log } = capture();
    log.info(fields, 'x');
    expect(lines.join()).not.toContain('hunter2');
  });

  it('leaves the fields alone where its caller knows that none is a secret, and elsewhere does not', () => {
    const { lines, log } = capture();
    unredacted(log).info({ token: 'shown' }, 'x');
    log.info({ token: 'hidden' }, 'x');
    const tokens = lines.map((line) => JSON.parse(line)).map(({ token, name }) => [name, token]);
    expect(tokens).toEqual([
      ['api', 'shown'],
      ['api', '[removed]'],
    ]);
  });
});
