/**
 * Where each promise is tested at each door through which images enter or move. A door without a
 * separate test says why.
 */

export const DOORS = ['staging', 'transfer', 'copy', 'retag', '/v2', 'schedule', 'pcs'] as const;
export type Door = (typeof DOORS)[number];

/** The file of a test, and words of its title. */
interface Proof {
  file: string;
  title: string;
}
/** Why the door needs no separate test. */
interface Reason {
  because: string;
}
export type Cell = Proof | Reason;

const REQUESTS_A_TRANSFER = { because: 'a schedule requests a transfer, whose jobs hold it' };
const CALLS_THE_API = { because: 'pcs has no access but the REST API' };
const SAME_PUSH = { because: 'the push of a transfer is the push of a staging job' };
const SAME_DOOR = { because: 'a new tag and a copy are one operation with one door' };

const CLIENTS = { schedule: REQUESTS_A_TRANSFER, pcs: CALLS_THE_API };

const QUOTAS = 'apps/api/src/registry/gate/folder-quotas.attack.int.test.ts';
const IMMUTABLE = 'apps/api/src/registry/gate/immutable-tags.attack.int.test.ts';
const READ_ONLY = 'apps/api/src/features/folders/mirror/read-only.int.test.ts';
const IMAGES = 'apps/api/src/features/images/images.int.test.ts';
const DESTINATION = 'tests/worker/destination-policy.int.test.ts';
const COPY = 'packages/oci/src/copy/copy.test.ts';

export const PROMISES: Record<string, Record<Door, Cell>> = {
  'referrers travel with their image': {
    staging: {
      file: 'apps/worker/src/stages/pull/pull.test.ts',
      title: 'without a push takes its signature along',
    },
    transfer: { file: 'tests/worker/transfers.int.test.ts', title: 'referrers are copied' },
    copy: { file: IMAGES, title: 'copies signatures too' },
    retag: { because: 'a new tag in the same repository has the referrers of its digest' },
    '/v2': {
      file: 'apps/api/src/registry/manifests/referrers.int.test.ts',
      title: 'excludes deleted referrers',
    },
    ...CLIENTS,
  },
  'referrers never decide over their image': {
    staging: {
      file: 'packages/oci/src/copy/copy-referrers.test.ts',
      title: 'one of which the target refuses',
    },
    transfer: {
      file: 'packages/oci/src/copy/copy-referrers.test.ts',
      title: 'whose list is refused',
    },
    copy: { file: IMAGES, title: 'does not copy a referrer that is an image' },
    retag: { because: 'a new tag reads and writes no referrers' },
    '/v2': { because: 'a client pushes each referrer by a separate request' },
    ...CLIENTS,
  },
  'an immutable tag is neither moved nor deleted': {
    staging: { file: DESTINATION, title: 'an immutable tag is neither moved nor lost' },
    transfer: {
      file: 'apps/api/src/transfers.int.test.ts',
      title: 'an image whose immutable tag leads elsewhere would be blocked',
    },
    copy: { file: IMMUTABLE, title: 'is created by a new tag and a copy' },
    retag: { file: IMMUTABLE, title: 'is created by a new tag and a copy' },
    '/v2': { file: IMMUTABLE, title: 'keeps the images of its index' },
    ...CLIENTS,
  },
  'the children of an index come with it': {
    staging: { file: COPY, title: 'copies an index completely' },
    transfer: {
      file: 'tests/worker/pipeline.int.test.ts',
      title: 'an index with two platforms is copied from registry to registry',
    },
    copy: { file: COPY, title: 'stores children before parents' },
    retag: { because: 'a new tag leads to the index that is there' },
    '/v2': { file: QUOTAS, title: 'of an index counts its images once' },
    ...CLIENTS,
  },
  'a folder does not exceed its quota': {
    staging: { file: DESTINATION, title: 'an image that exceeds the quota of the folder' },
    transfer: SAME_PUSH,
    copy: { file: QUOTAS, title: 'a copy into the folder is refused before it is made' },
    retag: { file: QUOTAS, title: 'a copy within the folder adds nothing' },
    '/v2': { file: QUOTAS, title: 'fits up to the last byte of the quota' },
    ...CLIENTS,
  },
  'a mirror has what its upstream has, and takes no push': {
    staging: { file: DESTINATION, title: 'a folder that became a mirror takes no push' },
    transfer: { file: READ_ONLY, title: 'a transfer' },
    copy: { file: READ_ONLY, title: 'a copy' },
    retag: { file: READ_ONLY, title: 'a new tag' },
    '/v2': { file: READ_ONLY, title: 'a push over /v2, before a byte of it is stored' },
    schedule: { file: READ_ONLY, title: 'a schedule' },
    pcs: CALLS_THE_API,
  },
  'a waiver opens the gate while it is valid': {
    staging: { file: DESTINATION, title: 'a waiver opens the push' },
    transfer: SAME_PUSH,
    copy: { because: 'copies ask the door of pushes, whose waivers packages/gate tests' },
    retag: SAME_DOOR,
    '/v2': { file: 'tests/pcs/pcs.int.test.ts', title: 'a waiver that another account approves' },
    schedule: REQUESTS_A_TRANSFER,
    pcs: { file: 'tests/pcs/pcs.int.test.ts', title: 'a waiver that another account approves' },
  },
  'what happened is in the audit log': {
    staging: {
      file: 'tests/worker/pipeline.int.test.ts',
      title: 'publishes each transition to the audit stream',
    },
    transfer: {
      file: 'apps/api/src/audit-outbox.attack.int.test.ts',
      title: 'leaves an event behind that names the transfer',
    },
    copy: { file: IMAGES, title: 'is an audit event with the image’s name' },
    retag: { file: IMAGES, title: 'is an audit event with the image’s name' },
    '/v2': {
      file: 'apps/api/src/registry/gate.attack.int.test.ts',
      title: 'the denial is in the audit log',
    },
    ...CLIENTS,
  },
};
