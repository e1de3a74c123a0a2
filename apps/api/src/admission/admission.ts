/**
 * The admission webhook of Kubernetes: what becomes of the pods and workloads that an API server
 * asks about. See docs/decisions/0093-the-cluster-asks.md.
 */
import {
  type AdmissionMode,
  type AdmissionPath,
  type AdmissionRequest,
  type AdmissionResponse,
  admissionAnswer,
  pinnedAnswer,
  placeOf,
  readReview,
  refusal,
  type StartedImage,
  startedImages,
  type WantedImage,
  wantedImages,
} from '@portcullis/domain/admission';
import { invalid, isAppError } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import {
  type AdmitImage,
  type AdmitImagePorts,
  type AdmittedImage,
  undecided,
} from './admit-image.ts';

export interface AdmissionPorts extends Pick<AdmitImagePorts, 'hosts' | 'resolve'> {
  admit: AdmitImage;
  /** What was decided about an image; a failure is logged. */
  note(decided: NotedImage): void;
  /** What a cluster starts by an answer; nothing waits for it. */
  noteStarted(started: StartedImage[]): void;
  log: Pick<Logger, 'error'>;
}

export interface NotedImage extends AdmittedImage {
  wanted: WantedImage;
  request: AdmissionRequest;
  path: AdmissionPath;
}

export type AdmissionWebhook = ReturnType<typeof createAdmission>;

export function createAdmission(ports: AdmissionPorts) {
  async function decideAll(
    path: AdmissionPath,
    request: AdmissionRequest,
    images: readonly WantedImage[],
  ): Promise<NotedImage[]> {
    const { isDryRun } = request;
    return Promise.all(
      images.map(async (wanted) => {
        const admitted = await ports.admit(wanted.image, { isDryRun }).catch(failed);
        return { ...admitted, wanted, request, path };
      }),
    );
  }

  function failed(err: unknown): AdmittedImage {
    ports.log.error({ err }, 'an image could not be decided for a cluster');
    return undecided('INTERNAL', 'an internal fault');
  }

  /** What can't be resolved keeps its tag: the webhook that decides says why. */
  async function pin(
    request: AdmissionRequest,
    images: readonly WantedImage[],
  ): Promise<AdmissionResponse> {
    const found = await Promise.all(
      images.map(async (wanted) => {
        const place = placeOf(wanted.image, ports.hosts);
        if (place.kind !== 'own' || place.isPinned) return null;
        const digest = await ports.resolve(place).catch((error: unknown) => {
          if (!isAppError(error)) failed(error);
          return null;
        });
        return digest === null ? null : { wanted, digest };
      }),
    );
    return pinnedAnswer(
      request,
      found.filter((each) => each !== null),
    );
  }

  return {
    /** @throws invalid `ADMISSION_REVIEW_INVALID` where no review can be answered */
    async answer(path: AdmissionPath, body: unknown): Promise<AdmissionResponse> {
      const read = readReview(body);
      if (read.request === null) {
        if (read.uid === null) throw invalid('ADMISSION_REVIEW_INVALID', read.fault);
        return ofFault(read.uid, path.mode, read.fault);
      }
      const { request } = read;
      const wanted = wantedImages(request);
      if ('fault' in wanted) return ofFault(request.uid, path.mode, wanted.fault);
      if (wanted.images === null) return notAsked(request, wanted.isKnown);
      if (path.mode === 'pin') return pin(request, wanted.images);
      const decided = await decideAll(path, request, wanted.images);
      for (const each of decided) ports.note(each);
      const answer = admissionAnswer(request, path.mode, decided);
      if (answer.allowed) ports.noteStarted(startedImages(path, request, decided));
      return answer;
    },
  };
}

/** A webhook that only warns or pins never stops a request. */
function ofFault(uid: string, mode: AdmissionMode, fault: string): AdmissionResponse {
  const text = `Portcullis can't read the request: ${fault}`;
  return mode === 'enforce' ? refusal(uid, text, 400) : { uid, allowed: true, warnings: [text] };
}

/** The pods that it starts are asked about. */
function notAsked({ uid, kind }: AdmissionRequest, isKnown: boolean): AdmissionResponse {
  const text = `Portcullis decides about pods and the workloads of Kubernetes, not about ${kind}`;
  return { uid, allowed: true, ...(!isKnown && { warnings: [text] }) };
}
