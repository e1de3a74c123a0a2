/**
 * What publishers attach to an image after a mirror has brought it in, such as a signature. It
 * travels with its image, so the image is brought in again: what is here is not copied twice.
 */
import type { Mirror } from '@portcullis/domain/mirror';
import type { Descriptor, Digest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { Response } from 'express';
import type { AccessContext } from '../access/authorize.ts';
import type { Holds } from '../gate/holds.ts';
import type { BringIns } from './bring-ins.ts';
import type { Upstreams } from './upstream.ts';

export interface AttachedPorts {
  upstream: Pick<Upstreams, 'referrers'>;
  bringIns: Pick<BringIns, 'again' | 'settled'>;
  has(repository: string, digest: string): Promise<boolean>;
  holds: Holds;
  waitMs: number;
  log: Pick<Logger, 'warn'>;
}

interface AttachedCall {
  access: AccessContext;
  repository: string;
  /** Of the image. */
  digest: Digest;
  response: Response;
}

export interface Attached {
  /**
   * Waits until what the upstream lists is here, within the bounds of all pulls that are held. It
   * never throws: what is here is listed in any case.
   */
  bringListed(mirror: Mirror, call: AttachedCall): Promise<void>;
  /** As `bringListed`, without looking at the list. */
  bring(mirror: Mirror, call: AttachedCall): Promise<void>;
}

const MOST_LOOKED = 100;

export function createAttached(ports: AttachedPorts): Attached {
  const { upstream, bringIns, has, holds, waitMs, log } = ports;
  /** Of each list that an upstream gave one client looks what is not here. */
  const looked = new WeakMap<readonly Descriptor[], Promise<void>>();

  async function bring(mirror: Mirror, call: AttachedCall): Promise<void> {
    const { repository, digest, access, response } = call;
    const { principal } = access;
    const begun = await bringIns.again({ mirror, repository, digest }, principal);
    if (!begun) return;
    const held = { accountId: principal.id, image: `${repository} ${digest}`, response };
    await holds.hold(held, begun.job, (signal) => bringIns.settled(begun, { ms: waitMs, signal }));
  }

  async function bringMissing(
    listed: readonly Descriptor[],
    mirror: Mirror,
    call: AttachedCall,
  ): Promise<void> {
    for (const { digest } of listed.slice(0, MOST_LOOKED))
      if (!(await has(call.repository, digest))) return bring(mirror, call);
  }

  async function optionally(
    { repository, digest: reference }: AttachedCall,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (err) {
      log.warn({ err, repository, reference }, 'what is attached to an image was not brought in');
    }
  }

  return {
    bring: (mirror, call) => optionally(call, () => bring(mirror, call)),
    bringListed: (mirror, call) =>
      optionally(call, async () => {
        const listed = await upstream.referrers(mirror, call.repository, call.digest);
        const looking = looked.get(listed) ?? bringMissing(listed, mirror, call);
        looked.set(listed, looking);
        await looking;
      }),
  };
}
