/** What clusters run of the built-in registry. */
import { CLUSTER_NAME, MOST_REPORTED, NAMESPACE_NAME } from '@portcullis/domain/admission';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import { Digest, Repository } from '../../grammar.ts';
import type { Contract } from '../../operation.ts';
import { VULNERABILITY } from '../../patterns.ts';

/** In how many namespaces of how many clusters images run. */
export const RunningCounts = z.strictObject({
  namespaces: z.number().int(),
  clusters: z.number().int(),
  /** Those of which a silent agent alone said so: it ran there when that one reported last. */
  silent_namespaces: z.number().int(),
  /** When one of them was seen last. */
  seen_at: Time,
});
export type RunningCounts = z.infer<typeof RunningCounts>;

/** An image that runs in a namespace of a cluster. */
export const RunningImage = z.strictObject({
  repository: z.string(),
  folder: z.string(),
  /** What runs: an index, or an image of it. */
  digest: z.string(),
  /** The first twenty tags that have the digest now. */
  tags: z.array(z.string()),
  cluster: z.string(),
  namespace: z.string(),
  /** `agent`: the cluster reports that it runs. `admission`: the webhook admitted it. */
  source: z.enum(['admission', 'agent']),
  /** When it was admitted last, or the cluster reported last. */
  seen_at: Time,
  /** Whether the agent that reported it is silent: it ran there at that time. */
  silent: z.boolean(),
});
export type RunningImage = z.infer<typeof RunningImage>;

/** Of the images that the caller may pull. */
export const RunningImages = z.strictObject({
  /** Null where none is known, which says nothing of clusters that do not report. */
  counts: RunningCounts.nullable(),
  images: z.array(RunningImage),
});
export type RunningImages = z.infer<typeof RunningImages>;

const ClusterParams = z.strictObject({
  name: z
    .string()
    .regex(CLUSTER_NAME)
    .meta({ examples: ['prod-eu'] }),
});

/** The whole of what a cluster runs of the built-in registry: it replaces the report before. */
export const ClusterReport = z.strictObject({
  images: z
    .array(
      z.strictObject({
        namespace: z.string().regex(NAMESPACE_NAME),
        repository: Repository,
        digest: Digest,
      }),
    )
    .max(MOST_REPORTED),
  /** How many images of the registry run there whose digest the agent can't name. */
  not_known: z.number().int().min(0).max(1_000_000).default(0),
});
export type ClusterReport = z.infer<typeof ClusterReport>;

export const ClusterReported = z.strictObject({
  kept: z.number().int(),
  /** Left out: of repositories that the caller may not pull. */
  not_readable: z.number().int(),
});
export type ClusterReported = z.infer<typeof ClusterReported>;

export const ClusterView = z.strictObject({
  name: z.string(),
  /** The account whose reports count; null: that of the next report. */
  reporter: z.strictObject({ id: Uuid, name: z.string() }).nullable(),
  /** Null: no agent ever reported it. */
  reported_at: Time.nullable(),
  /** Whether its agent has not reported for a quarter of an hour. */
  silent: z.boolean(),
  /** Images by namespace, of the newest report. */
  reported: z.number().int(),
  /** How many images of the registry run there whose digest the agent can't name. */
  not_known: z.number().int(),
  /** Images by namespace that the webhook admitted. */
  admitted: z.number().int(),
});
export type ClusterView = z.infer<typeof ClusterView>;

export const clusters = {
  listClusters: {
    method: 'get',
    path: '/clusters',
    summary: 'Clusters that report what they run, or that asked the admission webhook, by name',
    access: 'admin',
    success: { status: 200, body: z.array(ClusterView) },
  },
  reportRunningImages: {
    method: 'put',
    path: '/clusters/{name}/running',
    summary:
      'Replace what a cluster runs. Robots and administrators report; the first one is the only one from then on',
    access: 'user',
    token: ['pull'],
    audit: 'cluster.claim',
    auditedWhere: 'named',
    params: ClusterParams,
    body: ClusterReport,
    large: 'images',
    success: { status: 200, body: ClusterReported },
    faults: [
      { status: 403, codes: ['REPORTER_FORBIDDEN'] },
      { status: 409, codes: ['CLUSTER_TAKEN', 'CLUSTERS_MANY'] },
    ],
  },
  removeCluster: {
    method: 'delete',
    path: '/clusters/{name}',
    summary:
      'Forget a cluster with all that is known of it; the next account that reports it is its reporter',
    access: 'admin',
    audit: 'cluster.release',
    params: ClusterParams,
    success: { status: 204 },
    faults: [{ status: 404, codes: ['CLUSTER_UNKNOWN'] }],
  },
  listRunningImages: {
    method: 'get',
    path: '/clusters/running',
    summary:
      'Images that the caller may pull and that clusters run, by repository, digest, cluster and namespace',
    access: 'user',
    token: ['pull'],
    query: z.strictObject({
      repository: Repository.optional(),
      /** An image, or an index with the images that it lists. */
      digest: Digest.optional(),
      /** Only images that have this vulnerability. */
      vulnerability: z.string().regex(new RegExp(VULNERABILITY)).optional(),
      cluster: z.string().min(1).max(63).optional(),
      namespace: z.string().min(1).max(63).optional(),
      ...PAGING,
    }),
    success: { status: 200, body: RunningImages },
  },
} as const satisfies Contract;
