/** For tests only: reviews as an API server sends them. */
interface ReviewParts {
  group?: string;
  kind?: string;
  operation?: string;
  object?: unknown;
  oldObject?: unknown;
}

export const UID = '705ab4f5-6393-11e8-b7cc-42010a800002';

export function reviewOf({ group = '', kind = 'Pod', operation = 'CREATE', ...of }: ReviewParts) {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: UID,
      kind: { group, version: 'v1', kind },
      resource: { group, version: 'v1', resource: `${kind.toLowerCase()}s` },
      name: 'app',
      namespace: 'shop',
      operation,
      userInfo: { username: 'ann', groups: ['system:authenticated'] },
      dryRun: false,
      ...of,
    },
  };
}

export function podOf(...images: string[]) {
  const containers = images.map((image, at) => ({ name: `c${at}`, image }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'app' }, spec: { containers } };
}
