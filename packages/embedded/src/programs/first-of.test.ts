import { describe, expect, it } from 'vitest';
import { firstOf, type Way } from './first-of.ts';

const never: Way<string> = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
const slowly: Way<string> = (signal, slow) => {
  slow();
  return never(signal, slow);
};
const failing =
  (why: string): Way<string> =>
  () =>
    Promise.reject(new Error(why));
const untried: Way<string> = () => {
  throw new Error('this way is not needed');
};

describe('the first of several ways', () => {
  it('is alone while it is not slow', async () => {
    expect(await firstOf([async () => 'a', untried])).toBe('a');
  });

  it('is followed by the next one where it fails', async () => {
    expect(await firstOf([failing('x'), async () => 'b', untried])).toBe('b');
  });

  it('goes on beside the next one where it is slow, and the faster one is taken', async () => {
    expect(await firstOf([slowly, async () => 'b', untried])).toBe('b');
    const late: Way<string> = async (_, slow) => {
      slow();
      slow();
      return 'a';
    };
    expect(await firstOf([late, never, untried])).toBe('a');
  });

  it('has ended when the result is there', async () => {
    let hasEnded = false;
    const ending: Way<string> = async (signal, slow) => {
      slow();
      await never(signal, slow).catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
      hasEnded = true;
      throw new Error('aborted');
    };
    expect(await firstOf([ending, async () => 'b'])).toBe('b');
    expect(hasEnded).toBe(true);
  });
});

it('all faults are reported where every way fails', async () => {
  const slowAndFailing: Way<string> = async (_, slow) => {
    slow();
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('x');
  };
  const fault = await firstOf([slowAndFailing, failing('y')]).catch((error) => error);
  expect(fault).toBeInstanceOf(AggregateError);
  expect(fault.errors.map(({ message }: Error) => message)).toEqual(['y', 'x']);
});

it('an abort ends all ways, and its reason is thrown', async () => {
  const stop = new AbortController();
  const taking = firstOf([slowly, never], stop.signal);
  stop.abort(new Error('stop'));
  await expect(taking).rejects.toThrow('stop');
  await expect(firstOf([async () => 'a'], AbortSignal.abort(new Error('stop')))).rejects.toThrow();
});
