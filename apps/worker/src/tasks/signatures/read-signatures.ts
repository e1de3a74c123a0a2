/**
 * Reads the signatures of digests from a repository, and verifies them for each authority that a
 * policy in force names.
 */
import {
  collectSignatures,
  type OpenedAuthority,
  openAuthority,
  SIGSTORE_ROOT_DATE,
  type VerificationFact,
  verifySignatures,
} from '@portcullis/attest';
import type { SignatureFact, SignatureFacts } from '@portcullis/domain';
import type { Digest, Source } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { ReadSignatures, Store, StoredAuthority } from '@portcullis/store';

export interface AskedAuthority {
  name: string;
  version: number;
  /** Null for one that was saved by a release with other rules: no signature counts for it. */
  opened: OpenedAuthority | null;
}

export interface AskedAuthoritiesPorts {
  authorities: Pick<Store['authorities'], 'asked'>;
  log: Pick<Logger, 'error'>;
}

/** Those that policies in force name; each version is opened once. */
export function askedAuthorities({ authorities, log }: AskedAuthoritiesPorts) {
  let known = new Map<string, AskedAuthority>();

  function open({ name, version, document }: StoredAuthority): AskedAuthority {
    const { authority = null, faults } = openAuthority({ ...document, name });
    if (faults) log.error({ authority: name, version, faults }, 'an authority can not be used');
    return { name, version, opened: authority };
  }

  return async (): Promise<AskedAuthority[]> => {
    const stored = await authorities.asked();
    const before = known;
    known = new Map(
      stored.map((each) => {
        const key = `${each.name} ${each.version}`;
        return [key, before.get(key) ?? open(each)];
      }),
    );
    return [...known.values()];
  };
}

export interface Reading {
  source: Source;
  /** The digest, and an index whose signatures cover it. */
  digests: readonly Digest[];
  asked: readonly AskedAuthority[];
  now: Date;
  signal: AbortSignal;
}

/** @throws the signal's reason, an OciError that may pass */
export async function readSignatures(reading: Reading): Promise<ReadSignatures> {
  const { asked } = reading;
  const parts: Pick<SignatureFacts, 'facts' | 'unread' | 'isComplete'>[] = [];
  for (const digest of new Set(reading.digests)) parts.push(await readDigest(reading, digest));
  return {
    facts: parts.flatMap(({ facts }) => facts),
    askedOf: Object.fromEntries(asked.map(({ name, version }) => [name, version])),
    unread: parts.reduce((sum, { unread }) => sum + unread, 0),
    isComplete: parts.every(({ isComplete }) => isComplete),
    root: SIGSTORE_ROOT_DATE,
  };
}

async function readDigest({ source, asked, now, signal }: Reading, digest: Digest) {
  const { signatures, ...rest } = await collectSignatures(source, digest, { signal });
  const versions = new Map(asked.map(({ name, version }) => [name, version]));
  const authorities = asked.flatMap(({ opened }) => opened ?? []);
  const facts: SignatureFact[] = [];
  for await (const fact of verifySignatures({ signatures, authorities, now })) {
    signal.throwIfAborted();
    facts.push(toFact(fact, versions.get(fact.authority) ?? 0));
  }
  return { ...rest, facts };
}

function toFact(
  { origin, authority, predicateType, verified, reason }: VerificationFact,
  authorityVersion: number,
): SignatureFact {
  return {
    authority,
    authorityVersion,
    signature: origin.blob ?? origin.manifest,
    predicateType,
    verified: verified && {
      signer: signerOf(verified.signer),
      at: verified.time?.at ?? null,
      timeSource: verified.time?.source ?? null,
      by: verified.time?.by ?? null,
      log: verified.log,
      until: verified.until,
    },
    reason: reason && { code: reason.code, params: textsOf(reason.params) },
  };
}

type Signer = NonNullable<VerificationFact['verified']>['signer'];

function signerOf(signer: Signer): string {
  return signer.kind === 'key' ? signer.keyId : signer.subject;
}

function textsOf(params: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}
