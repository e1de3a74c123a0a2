/** Why an image is not in a mirror, for an account that may pull from its folder. */
import type { Principal } from '@portcullis/domain';
import { absenceOf, type Mirror, mayBeMirrored, mayBringIn } from '@portcullis/domain/mirror';
import { isAppError, notFound } from '@portcullis/errors';
import { isDigest } from '@portcullis/oci';
import type { MirrorReference, Store } from '@portcullis/store';

export interface MirrorAbsencePorts {
  mirrors(): Promise<ReadonlyMap<string, Mirror>>;
  store: Pick<Store['mirrors'], 'find'>;
  attempts: Pick<Store['mirrorAttempts'], 'last'>;
}

interface Asked extends MirrorReference {
  /** The account that reads. */
  reader: Pick<Principal, 'id' | 'isAdmin'>;
  /** The account that pulls. */
  account: Pick<Principal, 'isAdmin' | 'grants'>;
}

/** Does the work; where an image is missing that a mirror may have, the fault says why. */
export type ExplainingAbsence = <T>(asked: Asked, work: () => Promise<T>) => Promise<T>;

export function createExplainingAbsence(ports: MirrorAbsencePorts): ExplainingAbsence {
  async function faultOf({ reader, account, ...place }: Asked): Promise<Error | null> {
    const { repository, reference } = place;
    const slash = repository.indexOf('/');
    const mirror = (await ports.mirrors()).get(repository.slice(0, Math.max(slash, 0)));
    if (!mirror) return null;
    const [{ tag, job }, attempt] = await Promise.all([
      ports.store.find(place),
      ports.attempts.last(place),
    ]);
    const { code, message } = absenceOf({
      ...{ here: null, tag, job, attempt, isImmutable: false, folder: mirror.folder },
      kind: isDigest(reference) ? 'digest' : 'tag',
      isAllowed: mayBeMirrored(mirror, repository),
      mayBringIn: mayBringIn(account, mirror.folder),
      showsJob: reader.isAdmin || reader.id === job?.ownerId,
    });
    return notFound(code, `There is no ${reference} in ${repository}: ${message}`);
  }

  return async (asked, work) => {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error) || error.code !== 'IMAGE_UNKNOWN') throw error;
      throw (await faultOf(asked)) ?? error;
    }
  };
}
