/** The admission webhook of Kubernetes, where the configuration has a port for it. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { ownHost } from '@portcullis/domain/admission';
import { singleFlight } from '@portcullis/runtime';
import { createAdmission } from '../admission/admission.ts';
import { type AdmissionListener, admissionListener } from '../admission/admission-listener.ts';
import { createAdmissionNotes } from '../admission/admission-notes.ts';
import { createAdmitImage, type OwnReference } from '../admission/admit-image.ts';
import { createRunningNotes } from '../admission/running-notes.ts';
import { translateErrors } from '../features/images/upstream.ts';
import type { Connections, Shared } from './shared.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const LOOK_UP_MS = 2_000;
/** Of the pods of a workload all but the first find the digest of their tag known. */
const REUSE_MS = 500;

export interface OpenedAdmission {
  listener: AdmissionListener;
  /** Writes what is still to be recorded. */
  stop(): Promise<void>;
}

export function openAdmission(deps: Connections, shared: Shared): OpenedAdmission | null {
  const { config, metrics, audit, log } = deps;
  if (config.ADMISSION_PORT === undefined) return null;
  const seconds = metrics.histogram('admission_seconds', 'Duration of answers of the webhook', {
    labels: ['mode'],
    buckets: SECONDS,
  });
  const images = metrics.counter('admission_images_total', 'Images decided for clusters', [
    'mode',
    'outcome',
  ]);
  const hosts = new Set(
    [...publicHosts(config.PUBLIC_URL), ...config.ADMISSION_HOSTS].map(ownHost),
  );
  const resolve = resolving(shared);
  const admit = createAdmitImage({
    ...{ hosts, resolve, gate: shared.imageGate },
    foreign: config.ADMISSION_FOREIGN,
    platforms: config.ADMISSION_PLATFORMS,
    folders: shared.identity.principals.folders,
    detailsUrl: (repository) =>
      config.PUBLIC_URL === undefined
        ? null
        : `${config.PUBLIC_URL}/images/${LOCAL_REGISTRY_ID}/${repository}`,
  });
  const { note } = createAdmissionNotes({ tell: audit.tell, count: images.add, log });
  const running = createRunningNotes({ keep: shared.store.runningImages.note, log });
  const noteStarted = running.note;
  const listener = admissionListener({
    admission: createAdmission({ hosts, resolve, admit, note, noteStarted, log }),
    measure: (mode, value) => seconds.observe({ mode }, value),
    log,
  });
  return { listener, stop: running.stop };
}

function publicHosts(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).host];
}

function resolving({ access }: Shared) {
  const missing: [string, string] = ['IMAGE_UNKNOWN', 'there is none'];
  const look = singleFlight(
    (key) => {
      const [repository = '', reference = ''] = key.split(' ');
      const signal = AbortSignal.timeout(LOOK_UP_MS);
      return translateErrors({ registry: null, missing }, () =>
        access.openLocal(repository).resolve(reference, { signal }),
      );
    },
    { reuseMs: REUSE_MS },
  );
  return async ({ repository, reference }: OwnReference) =>
    (await look(`${repository} ${reference}`)).digest;
}
