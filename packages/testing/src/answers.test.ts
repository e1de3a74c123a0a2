import { describe, expect, it } from 'vitest';
import { json, refusal } from './answers.ts';

const answer = (status: number) => Response.json({ code: 'LOGINS_BUSY' }, { status });

describe('an answer is read as JSON', () => {
  it.each([
    ['of a success', json, 200],
    ['of a refusal', refusal, 429],
  ])('%s', async (_, read, status) => {
    expect(await read(answer(status))).toEqual({ code: 'LOGINS_BUSY' });
    expect(await read(Promise.resolve(answer(status)))).toEqual({ code: 'LOGINS_BUSY' });
  });

  it.each([
    ['a refusal for a success', json, 429],
    ['a success for a refusal', refusal, 200],
  ])('and never %s', async (_, read, status) => {
    await expect(read(answer(status))).rejects.toThrow(`answered with ${status}: {"code":`);
  });
});

it('an answer of a browser is read as well', async () => {
  const refused = { url: () => '/login', status: () => 429, text: async () => 'too many' };
  await expect(json(refused)).rejects.toThrow('/login was answered with 429: too many');
});
