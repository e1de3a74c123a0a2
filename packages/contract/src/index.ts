/** The REST API as data: one descriptor per operation. */
import { audit } from './operations/audit.ts';
import { auth } from './operations/auth.ts';
import { authorities } from './operations/authorities/authorities.ts';
import { clusters } from './operations/clusters/clusters.ts';
import { dashboard } from './operations/dashboard.ts';
import { folders } from './operations/folders.ts';
import { gate } from './operations/gate.ts';
import { groups } from './operations/groups.ts';
import { images } from './operations/images.ts';
import { maintenance } from './operations/maintenance.ts';
import { network } from './operations/network.ts';
import { notifications } from './operations/notifications/notifications.ts';
import { oidc } from './operations/oidc.ts';
import { policies } from './operations/policies.ts';
import { processes } from './operations/processes.ts';
import { registries } from './operations/registries.ts';
import { reviews } from './operations/reviews/reviews.ts';
import { robots } from './operations/robots/robots.ts';
import { trusts } from './operations/robots/trusts.ts';
import { search } from './operations/search/search.ts';
import { staging } from './operations/staging.ts';
import { system } from './operations/system.ts';
import { tokens } from './operations/tokens.ts';
import { transfers } from './operations/transfers.ts';
import { trivy } from './operations/trivy.ts';
import { users } from './operations/users.ts';
import { vulnerabilities } from './operations/vulnerabilities/vulnerabilities.ts';
import { waivers } from './operations/waivers.ts';
import { webhooks } from './operations/webhooks/webhooks.ts';

export * from './common.ts';
export * from './events.ts';
export * from './faults.ts';
export {
  type FaultParams,
  FIELD_FAULTS,
  FieldFault,
  type FieldFaultCode,
  fieldFault,
  fieldFaultsOf,
} from './field-faults.ts';
export * from './folder-words.ts';
export {
  FolderEvent,
  FolderImage,
  FolderImagePage,
  FolderOverview,
  FolderSummary,
  FolderTrend,
} from './folders/folder-overview.ts';
export {
  FolderMirror,
  MirrorConfig,
  MirrorSummary,
  MirrorTagPage,
  MirrorTagView,
  MirrorView,
  NewFolderMirror,
} from './folders/mirror.ts';
export {
  FolderRetention,
  NewTagRetention,
  RetentionPreview,
  TagRetention,
} from './folders/retention.ts';
export * from './gate-decision.ts';
export { ComparedImage, ImageComparison } from './images/compare-images.ts';
export { ImagePackage } from './images/list-packages.ts';
export type { ImageStatements } from './images/list-statements.ts';
export * from './openvex.ts';
export * from './operation.ts';
export * from './operations/audit.ts';
export * from './operations/auth.ts';
export * from './operations/authorities/authorities.ts';
export * from './operations/clusters/clusters.ts';
export * from './operations/dashboard.ts';
export * from './operations/folders.ts';
export * from './operations/gate.ts';
export * from './operations/groups.ts';
export * from './operations/images.ts';
export * from './operations/maintenance.ts';
export * from './operations/network.ts';
export * from './operations/notifications/notifications.ts';
export * from './operations/oidc.ts';
export * from './operations/policies.ts';
export * from './operations/processes.ts';
export * from './operations/registries.ts';
export * from './operations/reviews/reviews.ts';
export * from './operations/robots/robots.ts';
export * from './operations/robots/trusts.ts';
export * from './operations/search/search.ts';
export * from './operations/staging.ts';
export * from './operations/system.ts';
export * from './operations/tokens.ts';
export * from './operations/transfers.ts';
export * from './operations/trivy.ts';
export * from './operations/users.ts';
export * from './operations/vulnerabilities/vulnerabilities.ts';
export * from './operations/waivers.ts';
export * from './operations/webhooks/webhooks.ts';
export * from './outcomes/delivery.ts';
export * from './outcomes/oidc-test.ts';
export { TEXT } from './patterns.ts';
export * from './policies/changed-values.ts';
export * from './policies/policy-difference.ts';
export * from './policies/policy-terms.ts';
export * from './reviews/review-view.ts';
export * from './severity-counts.ts';
export { type BulkAction, MOST_BULK_JOBS } from './staging/bulk-jobs.ts';
export { CoverageGapView } from './staging/coverage-gap.ts';
export { JobDestinationView } from './staging/job-destination.ts';
export { NewFindings } from './staging/new-findings.ts';
export { PassingTags } from './staging/passing-tags.ts';
export * from './staging/standing-view.ts';
export * from './staging-input.ts';
export * from './staging-job.ts';
export * from './transfer-input.ts';
export {
  SelectionView,
  TransferDetail,
  TransferHead,
  TransferImages,
  TransferReport,
  TransferView,
} from './transfer-view.ts';
export { fromWire, toWire, type WireSource } from './wire.ts';

export const contract = {
  auth,
  users,
  tokens,
  robots,
  trusts,
  groups,
  folders,
  registries,
  images,
  gate,
  staging,
  network,
  oidc,
  transfers,
  audit,
  processes,
  system,
  trivy,
  maintenance,
  clusters,
  dashboard,
  waivers,
  reviews,
  policies,
  authorities,
  vulnerabilities,
  search,
  notifications,
  webhooks,
};
