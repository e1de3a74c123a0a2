import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { markedWords } from './marked-words.ts';
import { OUTPUT_LIMIT } from './run.ts';

it('are those between two lines of the mark, however they come', async () => {
  const said = 'earlier\nmark\none\ntwo\nmark\nlater\n';
  for (let cut = 0; cut <= said.length; cut += 1) {
    const stream = new PassThrough();
    const words = markedWords(stream).between('mark');
    stream.write(said.slice(0, cut));
    stream.write(said.slice(cut));
    expect(await words).toBe('one\ntwo\n');
  }
});

it('are of each command alone', async () => {
  const stream = new PassThrough();
  const { between } = markedWords(stream);
  const first = between('first');
  stream.write('first\na\nfirst\nbetween the two\n');
  expect(await first).toBe('a\n');
  const second = between('second');
  stream.write('first\nsecond\nsecond\n');
  expect(await second).toBe('');
});

it('end with the stream; where that ends first there are none', async () => {
  const stream = new PassThrough();
  const { between } = markedWords(stream);
  const words = between('mark');
  stream.end('mark\npanic: out of range\n');
  expect(await words).toBe('panic: out of range\n');
  expect(await between('next')).toBeNull();
});

it('are as long as those of a process that runs once', async () => {
  const stream = new PassThrough();
  const words = markedWords(stream).between('mark');
  stream.write('mark\n');
  for (let part = 0; part < 10; part += 1) stream.write('w'.repeat(OUTPUT_LIMIT / 4));
  stream.write('the end\nmark\n');
  expect(await words).toBe(`${'w'.repeat(OUTPUT_LIMIT - 8)}the end\n`);
});
