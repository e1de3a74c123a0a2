import { describe, expect, it } from 'vitest';
import { endOfHead, parseChunkSize, parseResponseHead } from './response-head.ts';

function parse(lines: string[], method = 'GET') {
  return parseResponseHead(`${lines.join('\r\n')}\r\n\r\n`, method);
}

describe('the head of an answer', () => {
  it('is parsed', () => {
    const head = parse(['HTTP/1.1 200 OK', 'Content-Length: 5', 'X-A: 1', 'x-a:2 ']);
    expect(head).toMatchObject({
      status: 200,
      framing: { kind: 'length', length: 5 },
      reusable: true,
    });
    expect(head.headers['x-a']).toBe('1, 2');
  });

  it.each([
    [
      'a length',
      ['HTTP/1.1 200 OK', 'content-length: 7'],
      'GET',
      { kind: 'length', length: 7 },
      true,
    ],
    [
      'the same length twice',
      ['HTTP/1.1 200', 'content-length: 7, 7'],
      'GET',
      { kind: 'length', length: 7 },
      true,
    ],
    ['chunks', ['HTTP/1.1 200 OK', 'transfer-encoding: Chunked'], 'GET', { kind: 'chunked' }, true],
    ['neither', ['HTTP/1.1 200 OK'], 'GET', { kind: 'until-close' }, false],
    [
      'a close',
      ['HTTP/1.1 200 OK', 'content-length: 7', 'connection: x, close'],
      'GET',
      { kind: 'length', length: 7 },
      false,
    ],
    [
      'HTTP/1.0',
      ['HTTP/1.0 200 OK', 'content-length: 7'],
      'GET',
      { kind: 'length', length: 7 },
      false,
    ],
    ['HEAD', ['HTTP/1.1 200 OK', 'content-length: 7'], 'HEAD', { kind: 'length', length: 0 }, true],
    ['204', ['HTTP/1.1 204 No Content'], 'GET', { kind: 'length', length: 0 }, true],
    [
      '304',
      ['HTTP/1.1 304 Not Modified', 'content-length: 7'],
      'GET',
      { kind: 'length', length: 0 },
      true,
    ],
  ])('with %s says where the body ends', (_, lines, method, framing, reusable) => {
    expect(parse(lines, method)).toMatchObject({ framing, reusable });
  });

  it.each([
    ['two lengths', ['HTTP/1.1 200 OK', 'content-length: 7', 'content-length: 8']],
    ['a length and chunks', ['HTTP/1.1 200 OK', 'content-length: 7', 'transfer-encoding: chunked']],
    ['a negative length', ['HTTP/1.1 200 OK', 'content-length: -7']],
    ['a length with a sign', ['HTTP/1.1 200 OK', 'content-length: +7']],
    ['a hexadecimal length', ['HTTP/1.1 200 OK', 'content-length: 0x7']],
    ['an empty length', ['HTTP/1.1 200 OK', 'content-length:']],
    ['an unknown encoding', ['HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked']],
    ['a folded line', ['HTTP/1.1 200 OK', 'a: b', ' c']],
    ['a blank before the colon', ['HTTP/1.1 200 OK', 'content-length : 7']],
    ['a bare line feed in a value', ['HTTP/1.1 200 OK', 'a: b\nc: d']],
    ['another protocol', ['SSH-2.0-OpenSSH']],
    ['another version', ['HTTP/2 200']],
    ['a strange status', ['HTTP/1.1 999 OK']],
    ['too many fields', ['HTTP/1.1 200 OK', ...Array.from({ length: 201 }, (_, n) => `a${n}: b`)]],
  ])('with %s is refused', (_, lines) => {
    expect(() => parse(lines)).toThrow();
  });

  it('ends at its blank line', () => {
    expect(endOfHead(Buffer.from('a\r\n\r\nb'))).toBe(5);
    expect(endOfHead(Buffer.from('a\r\n\r'))).toBe(-1);
  });
});

describe('the size of a chunk', () => {
  it.each([
    ['1a', 26],
    ['0', 0],
    ['FF;name=value', 255],
  ])('%s', (line, size) => expect(parseChunkSize(line)).toBe(size));

  it.each(['', 'g', '-1', '1 2', '0x1', '1234567890abc'])('%j is refused', (line) => {
    expect(() => parseChunkSize(line)).toThrow();
  });
});
