/** Publishes another key for what this installation states about images. */
import { generateSigningKey, openSigningKey } from '@portcullis/attest';
import { invalid } from '@portcullis/errors';
import type { Command, CommandCall } from '../command.ts';
import { announceChange, withStore } from '../connections.ts';

const DAYS = 7;
const MOST_DAYS = 365;

export const rotateSigningKey: Command = {
  name: 'rotate-signing-key',
  words: [],
  summary: 'sign statements about images with another key',
  help: [
    'Publishes a new key at /.well-known/portcullis/keys.json, which signs after some days (--days, 7), so that those who',
    'verify can add it first. Workers then sign all statements again; the key before stays published for 30 days more.',
    'A key that leaked: --now. The new one signs at once, and no other one is published any more.',
    'Where workers have SIGNING_KEY_FILE, give them another file in its place, and restart them.',
  ],
  options: {
    days: { type: 'string', help: `how long it is published before it signs, 1 to ${MOST_DAYS}` },
    now: { type: 'boolean', help: 'for a key that leaked' },
  },
  services: ['postgres', 'redis'],
  async run(call) {
    const days = daysOf(call);
    const privateKey = generateSigningKey();
    const { id, publicKey } = openSigningKey(privateKey);
    await withStore(call, ({ signingKeys }) =>
      signingKeys.rotate({ id, publicKey, privateKey }, { days }),
    );
    const warnings = await announceChange(call, {
      event: 'system.rotate_signing_key',
      action: 'rotate-signing-key',
      detail: { key: id, days },
    });
    const done =
      days === 0
        ? 'It signs from now on, and is the only one that is published.'
        : `It is published now, and signs in ${days} day(s).`;
    return { lines: [`The new key is ${id}.`, done, ...warnings], facts: { key: id, days } };
  },
};

function daysOf({ flag, value }: Pick<CommandCall, 'flag' | 'value'>): number {
  const days = value('days');
  if (flag('now') && days !== undefined) throw invalid('USAGE', 'give --days or --now, not both');
  if (flag('now')) return 0;
  if (days === undefined) return DAYS;
  const count = /^[1-9]\d{0,2}$/.test(days) ? Number(days) : 0;
  if (count >= 1 && count <= MOST_DAYS) return count;
  throw invalid('USAGE', `--days is a number from 1 to ${MOST_DAYS}`);
}
