/** Where the signatures of a digest are, before they are read: tags of cosign, and referrers. */
import {
  type Descriptor,
  type Digest,
  listedReferrers,
  type Manifest,
  parseManifest,
  readWhole,
  referrersTag,
  type Source,
} from '@portcullis/oci';
import { isOciError } from '@portcullis/oci/errors';
import { PLAIN_SIGNATURE, PREDICATE_ANNOTATION } from '../formats/statement.ts';
import { LIMITS } from '../limits.ts';
import { type Reason, Refusal, reasonOf } from '../reasons.ts';
import { inTurns } from './in-turns.ts';
import {
  DSSE_ENVELOPE,
  isBundleType,
  NOTARY_ARTIFACT,
  NOTARY_COSE,
  NOTARY_JWS,
  rankOf,
  SIMPLE_SIGNING,
} from './media-types.ts';
import type { SignatureFormat, SignatureLayout } from './signature.ts';

/** A manifest of a signature that can't be read, or one of its layers. */
export interface FoundLayer {
  readonly layout: SignatureLayout;
  readonly manifest: Digest;
  readonly layer: Descriptor | null;
  readonly format: SignatureFormat | null;
  readonly fault: Reason | null;
}

export interface FoundLayers {
  /** One list for each place, the newest first where the place has an order. */
  readonly lists: readonly (readonly FoundLayer[])[];
  /** Referrers that were not looked at. */
  readonly unread: number;
  /** False where the registry refused to say whether there is more. */
  readonly isComplete: boolean;
}

/**
 * @throws OciError that may pass: unavailable, rate_limited; and the refusal of a registry that
 * answers nothing at all
 */
export async function findLayers(source: Source, subject: Digest): Promise<FoundLayers> {
  const finder = new Finder(source, subject);
  const signatures = await finder.ofTag('sig');
  const attestations = await finder.ofTag('att');
  const referrers = await finder.ofReferrers();
  const { isComplete, unread, refusal, isAnswered } = finder;
  // Whose login has ended, or who may not read the repository any more, knows nothing of it.
  if (!isAnswered && refusal !== null) throw refusal;
  const lists = [signatures, inTurns(byPredicate(attestations)), ...referrers];
  return { lists, isComplete, unread };
}

class Finder {
  isComplete = true;
  unread = 0;
  /** Whether any question had an answer; that there is nothing is one. */
  isAnswered = false;
  refusal: unknown = null;
  readonly #source: Source;
  readonly #subject: Digest;

  constructor(source: Source, subject: Digest) {
    this.#source = source;
    this.#subject = subject;
  }

  /** Cosign adds each signature as the last layer. */
  async ofTag(suffix: 'sig' | 'att'): Promise<FoundLayer[]> {
    const descriptor = await this.#resolve(`${referrersTag(this.#subject)}.${suffix}`);
    if (!descriptor) return [];
    return (await this.#layersOf(descriptor, 'COSIGN_TAG')).toReversed();
  }

  /** One list for what says that it is a signature, one for what says nothing; kinds in turn. */
  async ofReferrers(): Promise<FoundLayer[][]> {
    const listed = await this.#referrers();
    const lists: FoundLayer[][] = [[], []];
    const ranked = [0, 1].flatMap((rank) => {
      const referrers = listed.filter(({ artifactType }) => rankOf(artifactType) === rank);
      return inTurns(kindsOf(referrers)).map((descriptor) => ({ rank, descriptor }));
    });
    this.unread += Math.max(0, ranked.length - LIMITS.manifests);
    for (const { rank, descriptor } of ranked.slice(0, LIMITS.manifests)) {
      const layers = await this.#layersOf(descriptor, 'REFERRER');
      lists[rank]?.push(...layers.filter(({ format, fault }) => rank === 0 || format || fault));
    }
    return lists;
  }

  /** Of the API, and of the tag that clients keep for registries without it; each once. */
  async #referrers(): Promise<Descriptor[]> {
    const incomplete = () => {
      this.isComplete = false;
    };
    const api = await this.#unlessRefused(
      async () => (await this.#source.referrers?.(this.#subject, { incomplete })) ?? [],
    );
    const tag = await this.#resolve(referrersTag(this.#subject));
    const tagged = tag ? await this.#listOf(tag) : [];
    return [...new Map([...tagged, ...api].map((each) => [each.digest, each])).values()];
  }

  #listOf(tag: Descriptor): Promise<readonly Descriptor[]> {
    return this.#unlessRefused(async () => {
      const bytes = await readBounded(this.#source, tag);
      return (await listedReferrers(bytes, tag.mediaType)) ?? [];
    });
  }

  async #unlessRefused(list: () => Promise<Descriptor[]>): Promise<readonly Descriptor[]> {
    try {
      const listed = await list();
      this.isAnswered = true;
      return listed;
    } catch (error) {
      if (mayPass(error)) throw error;
      this.isComplete = false;
      this.refusal = error;
      return [];
    }
  }

  async #layersOf(descriptor: Descriptor, layout: SignatureLayout): Promise<FoundLayer[]> {
    const { digest: manifest } = descriptor;
    try {
      const bytes = await readBounded(this.#source, descriptor);
      const parsed = await parseManifest(bytes, descriptor.mediaType, { maxWidth: LIMITS.layers });
      if (parsed.kind === 'index') return [];
      return parsed.layers.map((layer) => {
        return { layout, manifest, layer, format: formatOf(layer, parsed), fault: null };
      });
    } catch (error) {
      if (mayPass(error)) throw error;
      const fault = reasonOf(readingFault(error), 'SIGNATURE_UNREADABLE');
      return [{ layout, manifest, layer: null, format: null, fault }];
    }
  }

  async #resolve(tag: string): Promise<Descriptor | null> {
    try {
      const found = await this.#source.resolve(tag);
      this.isAnswered = true;
      return found;
    } catch (error) {
      if (mayPass(error)) throw error;
      const isAbsent = isOciError(error) && error.kind === 'not_found';
      // Some registries refuse what they don't have, so that a refusal is no statement.
      this.isComplete &&= isAbsent;
      if (isAbsent) this.isAnswered = true;
      else this.refusal = error;
      return null;
    }
  }
}

/** cosign writes the type beside an attestation under its tag. */
function byPredicate(attestations: readonly FoundLayer[]): FoundLayer[][] {
  const kinds = Map.groupBy(attestations, ({ layer }) => layer?.annotations?.predicateType);
  return [...kinds.values()];
}

/**
 * By what they say of themselves, where strangers may write anything: signatures first, then
 * attestations of each type.
 */
function kindsOf(referrers: readonly Descriptor[]): Descriptor[][] {
  const predicateOf = ({ annotations = {} }: Descriptor) => annotations[PREDICATE_ANNOTATION] ?? '';
  const isAttestation = (each: Descriptor) => !['', PLAIN_SIGNATURE].includes(predicateOf(each));
  const kinds = Map.groupBy(referrers, (each) => `${each.artifactType} ${predicateOf(each)}`);
  const [attestations = [], signatures = []] = [true, false].map((wanted) =>
    [...kinds.values()].filter(([first]) => first && isAttestation(first) === wanted),
  );
  return [...signatures, ...attestations];
}

function formatOf({ mediaType }: Descriptor, manifest: Manifest): SignatureFormat | null {
  if (mediaType === SIMPLE_SIGNING) return 'SIMPLE_SIGNING';
  if (mediaType === DSSE_ENVELOPE) return 'DSSE';
  if (isBundleType(mediaType)) return 'BUNDLE';
  const { artifactType, config } = manifest;
  if ((artifactType ?? config.mediaType) !== NOTARY_ARTIFACT) return null;
  if (mediaType === NOTARY_JWS) return 'NOTARY_JWS';
  return mediaType === NOTARY_COSE ? 'NOTARY_COSE' : null;
}

/** Reads no more than may be read of one signature. @throws OciError, Refusal */
export async function readBounded(
  source: Source,
  descriptor: Descriptor,
  most: number = LIMITS.signatureBytes,
): Promise<Uint8Array> {
  const { size } = descriptor;
  if (size > most) throw new Refusal('SIGNATURE_TOO_LARGE', { size, most });
  return readWhole(await source.fetch(descriptor), descriptor);
}

const PASSING = new Set(['unavailable', 'rate_limited']);

/** The caller has to ask again: what is not known is not absent. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof Refusal) && !(isOciError(error) && !PASSING.has(error.kind));
}

/** The error of a registry or a parser, as a reason. */
export function readingFault(error: unknown): unknown {
  return isOciError(error) ? new Refusal('SIGNATURE_UNREADABLE', { fault: error.code }) : error;
}
