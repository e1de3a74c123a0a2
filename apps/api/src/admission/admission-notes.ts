/** What is kept of decisions for clusters: metrics, and an audit event of each refusal. */
import { type AuditEvent, systemEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';
import { LRUCache } from 'lru-cache';
import type { NotedImage } from './admission.ts';

export interface AdmissionNotesPorts {
  tell(event: AuditEvent): Promise<void>;
  count(labels: { mode: string; outcome: string }): void;
  log: Pick<Logger, 'warn'>;
}

/** Controllers ask again and again: the same refusal is recorded once in this time. */
const RECORDED_MS = 600_000;
const MOST_RECORDED = 10_000;

export function createAdmissionNotes({ tell, count, log }: AdmissionNotesPorts) {
  const recorded = new LRUCache<string, true>({ max: MOST_RECORDED, ttl: RECORDED_MS });
  return {
    note(noted: NotedImage): void {
      const { admission, path, request, wanted } = noted;
      count({ mode: path.mode, outcome: admission.outcome });
      if (admission.outcome !== 'refused' || request.isDryRun) return;
      const place = [path.cluster, path.mode, request.namespace];
      const key = JSON.stringify([...place, wanted.image, noted.image?.digest, admission.code]);
      if (recorded.has(key)) return;
      recorded.set(key, true);
      tell(refusedEvent(noted, admission)).catch((err: unknown) => {
        recorded.delete(key);
        log.warn({ err }, 'a refusal of the admission webhook is not recorded');
      });
    },
  };
}

function refusedEvent(
  { path, request, wanted, image, decision }: NotedImage,
  { code, sentence }: { code: string; sentence: string },
): AuditEvent {
  return systemEvent({
    event: 'admission.refused',
    outcome: path.mode === 'enforce' ? 'denied' : 'success',
    actor: { id: null, name: `cluster ${path.cluster}` },
    action: 'admit',
    resource: {
      kind: 'image',
      id: image?.digest ?? null,
      name: image?.repository ?? wanted.image,
      ...(image && { folder: image.folder }),
    },
    detail: {
      ...{ mode: path.mode, cluster: path.cluster, namespace: request.namespace },
      ...{ kind: request.kind, name: request.name, username: request.username },
      ...{ image: wanted.image, code, reason: sentence },
      ...(decision && { decision }),
    },
  });
}
