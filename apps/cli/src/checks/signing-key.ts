/** Checks that the key of statements about images is there and can be read. */
import { openSigningKey } from '@portcullis/attest';
import { withStore } from '../connections.ts';
import { type DoctorCheck, fail, ok } from './finding.ts';

const ABOUT = 'signing key';

export const checkSigningKey: DoctorCheck = async (call) => {
  const key = await withStore(call, ({ signingKeys }) => signingKeys.current());
  if (key === null) return [ok(ABOUT, 'there is none yet: a worker makes it when it starts')];
  if (key.privateKey === null) return [ok(ABOUT, `${key.id} of SIGNING_KEY_FILE signs statements`)];
  if (openSigningKey(key.privateKey).id === key.id)
    return [ok(ABOUT, `${key.id} signs statements`)];
  const advice = 'Run `portcullis rotate-signing-key --now`, or restore a backup.';
  return [fail(ABOUT, 'the private key is not that of the published one', advice)];
};
