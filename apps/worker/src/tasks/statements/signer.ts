/**
 * The key that signs statements: one that a worker makes when none is there, or that of
 * `SIGNING_KEY`. A worker whose key another one follows stops signing, so that two that were given
 * different keys do not sign each other's statements again for ever.
 */
import { generateSigningKey, openSigningKey, type SigningKey } from '@portcullis/attest';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { WorkerParts } from '../../pipeline/worker-parts.ts';

export interface SignerPorts {
  keys: Pick<Store['signingKeys'], 'current' | 'insertFirst' | 'adopt'>;
  /** Of `SIGNING_KEY`. */
  own: SigningKey | null;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function signerPorts({
  store,
  config,
  log,
}: Pick<WorkerParts, 'store' | 'config' | 'log'>): SignerPorts {
  return { keys: store.signingKeys, own: config.SIGNING_KEY ?? null, log };
}

/** Call at the start. */
export async function prepareSigningKey({ keys, own, log }: SignerPorts): Promise<void> {
  if (own) {
    const { id, publicKey } = own;
    const adoption = await keys.adopt({ id, publicKey });
    if (adoption === 'adopted') log.info({ key: id }, 'statements have another key');
    if (adoption === 'withdrawn')
      log.warn({ key: id }, 'SIGNING_KEY was withdrawn and does not sign; give another one');
    return;
  }
  const privateKey = generateSigningKey();
  const { id, publicKey } = openSigningKey(privateKey);
  if (await keys.insertFirst({ id, publicKey, privateKey }))
    log.info({ key: id }, 'made the key of statements about images');
}

/** Null where this worker can not sign: the current key is in a file that it does not have. */
export function createSigner({ keys, own, log }: SignerPorts) {
  let opened: SigningKey | null = own;
  let missing: string | null = null;

  return async (): Promise<SigningKey | null> => {
    const current = await keys.current();
    if (current === null || current.id === opened?.id) return current && opened;
    if (current.privateKey !== null) {
      opened = openSigningKey(current.privateKey);
      return opened;
    }
    if (missing !== current.id)
      log.warn({ key: current.id }, 'SIGNING_KEY of this worker is not the key that signs');
    missing = current.id;
    return null;
  };
}
