/** Reads the question that a Kubernetes API server asks a webhook: `admission.k8s.io/v1`. */
import { isRecord } from '../is-record.ts';

export const ADMISSION_API = 'admission.k8s.io/v1';

export interface AdmissionRequest {
  /** Repeated in the answer. */
  uid: string;
  group: string;
  kind: string;
  /** Empty for objects outside of namespaces. */
  namespace: string;
  /** Empty where the API server generates it later. */
  name: string;
  operation: string;
  /** The account of the cluster that makes the change. */
  username: string;
  /** The request changes nothing in the cluster, so that it leaves nothing here either. */
  isDryRun: boolean;
  object: Record<string, unknown> | null;
  oldObject: Record<string, unknown> | null;
}

/** A fault is answered in the form of a review where the question has a `uid`. */
export type ReadReview =
  | { request: AdmissionRequest }
  | { request: null; uid: string | null; fault: string };

const MOST_UID = 128;
const MOST_NAME = 253;

export function readReview(body: unknown): ReadReview {
  if (!isRecord(body)) return { request: null, uid: null, fault: 'the body is no object' };
  const { request, apiVersion, kind } = body;
  const uid = isRecord(request) ? uidOf(request.uid) : null;
  const faulty = (fault: string): ReadReview => ({ request: null, uid, fault });
  if (kind !== 'AdmissionReview' || apiVersion !== ADMISSION_API)
    return faulty(`only an AdmissionReview of ${ADMISSION_API} is answered`);
  if (!isRecord(request)) return faulty('the review has no request');
  if (uid === null) return faulty('the request has no uid');
  const of = request.kind;
  if (!isRecord(of) || typeof of.kind !== 'string' || of.kind === '')
    return faulty('the request names no kind');
  const { operation } = request;
  if (typeof operation !== 'string') return faulty('the request names no operation');
  const { userInfo, object, oldObject } = request;
  if (!isObjectOrNone(object)) return faulty('the object of the request is no object');
  if (!isObjectOrNone(oldObject)) return faulty('the oldObject of the request is no object');
  return {
    request: {
      uid,
      group: nameOf(of.group),
      kind: nameOf(of.kind),
      namespace: nameOf(request.namespace),
      name: nameOf(request.name),
      operation,
      username: nameOf(isRecord(userInfo) ? userInfo.username : ''),
      isDryRun: request.dryRun === true,
      object: object ?? null,
      oldObject: oldObject ?? null,
    },
  };
}

function uidOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MOST_UID ? value : null;
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MOST_NAME) : '';
}

function isObjectOrNone(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || isRecord(value);
}
