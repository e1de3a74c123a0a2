/** Decides about one image of a pod, by the standing that it has now. */
import { folderOf } from '@portcullis/domain';
import {
  type ForeignImages,
  foreignAdmission,
  type ImageAdmission,
  placeOf,
} from '@portcullis/domain/admission';
import { isAppError } from '@portcullis/errors';
import {
  type DecidedPull,
  type ExplainedDecision,
  explain,
  type Gate,
  refusalLine,
  strictestFor,
} from '@portcullis/gate';
import { isDigest } from '@portcullis/oci';
import { singleFlight } from '@portcullis/runtime';

export interface OwnReference {
  repository: string;
  reference: string;
}

export interface AdmitImagePorts {
  /** The names by which clusters pull from this registry, as `ownHost` writes them. */
  hosts: ReadonlySet<string>;
  foreign: ForeignImages;
  /** Of the nodes; empty: every image of an index has to pass. */
  platforms: readonly string[];
  gate: Pick<Gate, 'decide' | 'preview'>;
  folders(): Promise<ReadonlySet<string>>;
  /** The digest of a tag. @throws not_found, unavailable */
  resolve(image: OwnReference): Promise<string>;
  /** The page of a repository; null where the address of the page is not known. */
  detailsUrl(repository: string): string | null;
}

export interface AdmittedImage {
  admission: ImageAdmission;
  /** Null of other registries, and where there is no such image. */
  image: { digest: string; repository: string; folder: string } | null;
  /** Of a refusal by the gate: it names every finding, which takes time. */
  decision: ExplainedDecision | null;
}

export type AdmitImage = (image: string, options: { isDryRun: boolean }) => Promise<AdmittedImage>;

/** API servers wait for 10 seconds by default, for all webhooks of a request together. */
const DECIDE_MS = 2_500;

/** Whether the nodes may pull is decided when they do. */
const NO_ACCOUNT = { isAdmin: false, canBypassVulnBlock: false };

export function createAdmitImage(ports: AdmitImagePorts): AdmitImage {
  const { hosts, foreign, gate, folders } = ports;

  async function decideOwn(
    { repository, reference }: OwnReference,
    decide: Gate['decide'],
    signal: AbortSignal,
  ): Promise<AdmittedImage> {
    const digest = isDigest(reference) ? reference : await ports.resolve({ repository, reference });
    const image = { digest, repository, folder: folderOf(repository, await folders()) };
    const index = await decide({ image, account: NO_ACCOUNT, mode: 'enforce', signal });
    const decided = strictestFor(index, ports.platforms);
    if (decided === null) return { ...refused('PLATFORM_MISSING', noPlatform(ports)), image };
    const admission = admissionOf(decided, digest, ports.detailsUrl(repository));
    const decision = admission.outcome === 'refused' ? explain(decided) : null;
    return { admission, image, decision };
  }

  /** The pods of a workload are asked about at once: one decision is for all that wait for it. */
  function deciding(decide: Gate['decide']) {
    const decideOnce = singleFlight((key) => {
      const [repository = '', reference = ''] = key.split(' ');
      return inTime((signal) => decideOwn({ repository, reference }, decide, signal));
    });
    return ({ repository, reference }: OwnReference) => decideOnce(`${repository} ${reference}`);
  }

  const start = deciding(gate.decide);
  const tryOut = deciding(gate.preview);

  return async (text, { isDryRun }) => {
    const place = placeOf(text, hosts);
    if (place.kind === 'invalid') return refused('IMAGE_NAME_INVALID', place.fault);
    if (place.kind === 'foreign')
      return { ...NOTHING, admission: foreignAdmission(place.host, foreign, hosts) };
    try {
      return await (isDryRun ? tryOut : start)(place);
    } catch (error) {
      if (!isAppError(error)) throw error;
      const { kind, code, message } = error;
      if (kind === 'unavailable' || kind === 'rate_limited') return undecided(code, message);
      if (kind !== 'not_found') return refused(code, message);
      return refused(code, `there is no ${place.reference} in ${place.repository}`);
    }
  };
}

const NOTHING = { image: null, decision: null };

function refused(code: string, sentence: string): AdmittedImage {
  return { ...NOTHING, admission: { outcome: 'refused', code, sentence } };
}

/** What does not heed the signal is left behind. */
async function inTime(decide: (signal: AbortSignal) => Promise<AdmittedImage>) {
  const deciding = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<AdmittedImage>();
  const end = setTimeout(() => {
    resolve(undecided('TIMEOUT', `the time of ${DECIDE_MS / 1_000} s was over`));
    deciding.abort();
  }, DECIDE_MS);
  return Promise.race([decide(deciding.signal), late]).finally(() => clearTimeout(end));
}

export function undecided(code: string, why: string): AdmittedImage {
  const sentence = `it could not be decided: ${why}`;
  return { ...NOTHING, admission: { outcome: 'undecided', code, sentence } };
}

function noPlatform({ platforms }: AdmitImagePorts): string {
  return `it has no image for ${platforms.join(', ')}`;
}

function admissionOf(
  decided: DecidedPull,
  digest: string,
  detailsUrl: string | null,
): ImageAdmission {
  const { decision } = decided;
  const details = detailsUrl === null ? '' : `. Details: ${detailsUrl}`;
  if (decision.serve === null) {
    const sentence = `the image is being scanned; try again in a moment${details}`;
    return { outcome: 'undecided', code: 'PENDING', sentence };
  }
  if (!decision.serve) {
    const { code } = decision;
    return { outcome: 'refused', code, sentence: `${refusalLine(code, decided)}${details}` };
  }
  if (decision.because !== 'grace') return { outcome: 'admitted', digest, warning: null };
  const until = decision.until.toISOString();
  const line = refusalLine(decision.code, decided);
  return { outcome: 'admitted', digest, warning: `admitted until ${until}, then ${line}` };
}
