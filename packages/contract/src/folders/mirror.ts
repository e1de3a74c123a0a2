/** The mirror of a folder: its upstream, what of it may be brought in, and the files of clients. */
import {
  CLIENT_LIMITS,
  MIRROR_CLIENTS,
  MIRROR_TAG_ORDERS,
  MIRROR_TAG_STATES,
  type MirrorTagState,
} from '@portcullis/domain/mirror';
import { isRepository } from '@portcullis/oci';
import { z } from 'zod';
import { numberedPage, Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import { Platform } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { REPOSITORY } from '../patterns.ts';

const MOST_GLOBS = 50;
const MOST_PLATFORMS = 20;
const WEEK_MINUTES = 7 * 24 * 60;

const Prefix = z
  .string()
  .refine(
    (text) => text === '' || isRepository(text),
    rule(
      'REPOSITORY_INVALID',
      'A lower-case path without host, tag or digest, or none, is expected.',
    ),
  )
  .meta({ pattern: `^$|${REPOSITORY}`, maxLength: 255 });

const TERMS = {
  /** A saved registry of all accounts, whose login is used; null: Docker Hub without a login. */
  registry_id: Uuid.nullable(),
  /** What is put before a path at the upstream: `org` makes `app` to `org/app`. */
  prefix: Prefix,
  /**
   * Globs of the repositories that may be brought in, as tag patterns of transfers, as they are
   * below the folder. What is here already is served all the same.
   */
  allow: z.array(z.string().min(1).max(255)).min(1).max(MOST_GLOBS),
  /**
   * Which platforms of a tag are brought in; empty: all, and the index is served as its publisher
   * made it. With platforms it is reduced to them, and has another digest.
   */
  platforms: z.array(Platform).max(MOST_PLATFORMS),
  /** How many minutes an answer of the upstream about a tag counts. */
  check_minutes: z.number().int().min(1).max(WEEK_MINUTES),
  /** How many days a tag stays that no account pulls. */
  keep_days: z.number().int().min(1).max(36_500),
};

export const FolderMirror = z.strictObject(TERMS);
export type FolderMirror = z.infer<typeof FolderMirror>;

export const NewFolderMirror = z.strictObject({
  registry_id: TERMS.registry_id,
  prefix: TERMS.prefix.default(''),
  allow: TERMS.allow.default(['*']),
  platforms: TERMS.platforms.default([]),
  check_minutes: TERMS.check_minutes.default(60),
  keep_days: TERMS.keep_days.default(90),
});

export const MirrorConfig = z.strictObject({
  client: z.enum(MIRROR_CLIENTS),
  /** What is written on the machine of the client. */
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
  /** What is run there afterwards; the last one pulls or builds. */
  commands: z.array(z.string()),
  /**
   * `name_only`: the client’s own mirrors ask the upstream after a refusal, so images are named as
   * they are here. `each_build`: each build has to name the file. `whole_host`: repositories of the
   * host outside of the prefix are looked for here as well. `other_mirror`: another mirror answers
   * for the host.
   */
  limits: z.array(z.enum(CLIENT_LIMITS)),
});
export type MirrorConfig = z.infer<typeof MirrorConfig>;

const Count = z.number().int();

const UPSTREAM = {
  folder: z.string(),
  /** The upstream, as clients name it: `docker.io` for Docker Hub. */
  host: z.string(),
  /** Whether the caller may bring in what is not here. */
  may_bring_in: z.boolean(),
};

/** Of a mirror in a list. */
export const MirrorSummary = z.strictObject({ ...UPSTREAM, prefix: z.string() });
export type MirrorSummary = z.infer<typeof MirrorSummary>;

/** A pull of what is not here, to which the upstream named no digest. */
const MirrorAttemptView = z.strictObject({
  repository: z.string(),
  /** A tag or a digest. */
  reference: z.string(),
  /** The name of the account that pulled. */
  account: z.string(),
  error: z.strictObject({ code: z.string(), message: z.string() }),
  /** Whether the upstream answered that there is no such image. */
  gone: z.boolean(),
  /** From when on the error was the same. */
  since: Time,
  at: Time,
});
export const MirrorView = z.strictObject({
  ...UPSTREAM,
  ...TERMS,
  /** The saved registry; null: Docker Hub without a login. */
  registry_name: z.string().nullable(),
  /** How many tags are in each state; see the list of tags. */
  tags: z.strictObject({
    refused: Count,
    behind: Count,
    failed: Count,
    withdrawn: Count,
    unanswered: Count,
    coming: Count,
    current: Count,
  } satisfies Record<MirrorTagState, typeof Count>),
  /** Tags whose image passed within seven days. */
  passed_this_week: Count,
  /**
   * The newest pulls within seven days of what is not here, to which the upstream named no digest,
   * at most 20: those of the caller, for administrators those of all accounts.
   */
  attempts: z.array(MirrorAttemptView),
});
export type MirrorView = z.infer<typeof MirrorView>;

export const MirrorTagView = z.strictObject({
  repository: z.string(),
  tag: z.string(),
  /**
   * `refused`: it is not here, because the policy blocks it. `behind`: the last good image is
   * served, because the newer one is blocked or failed. `failed`: it is not here, because its job
   * failed. `withdrawn`: the upstream has it no more. `unanswered`: the upstream did not answer the
   * last check. `coming`: a job brings it in. `current`: as at the upstream.
   */
  state: z.enum(MIRROR_TAG_STATES),
  /** What is served here; null: nothing. */
  digest: z.string().nullable(),
  /** What the upstream last named. */
  upstream_digest: z.string().nullable(),
  /**
   * Whether what is here was reduced to the platforms of the mirror, because the registry takes no
   * index without all of its platforms: its digest is another one than the upstream’s.
   */
  reduced: z.boolean(),
  /** Why it is not as at the upstream; null where it is, or is coming. */
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /**
   * Until when the upstream's image is too young for the policy of the folder; null where it is
   * kept out for another reason, or by none.
   */
  waits_until: Time.nullable(),
  /** An older image of the upstream that was old enough and was taken in its place, if any. */
  ripe_digest: z.string().nullable(),
  /** When a pull or a check tries again; null where a job works. */
  next_at: Time.nullable(),
  /** When what is here passed; null for what was pushed. */
  passed_at: Time.nullable(),
  /** When the upstream last answered or failed to. */
  checked_at: Time.nullable(),
  used_at: Time,
  /** The job that brings in the upstream’s digest, where the caller may see it. */
  job_id: Uuid.nullable(),
});
export type MirrorTagView = z.infer<typeof MirrorTagView>;

export const MirrorTagPage = numberedPage(MirrorTagView);
export type MirrorTagPage = z.infer<typeof MirrorTagPage>;

const CA_FILE = '^/[A-Za-z0-9._+@/-]{1,254}$';

/** The id or the name. */
const params = z.strictObject({ folder_id: z.string().min(1).max(128) });
const UNKNOWN = { status: 404, codes: ['FOLDER_UNKNOWN'] };

export const folderMirror = {
  listMirrors: {
    method: 'get',
    path: '/folders/mirrors',
    summary: 'The mirrors among the folders that the caller may pull from, by name',
    access: 'user',
    token: ['pull'],
    success: { status: 200, body: z.array(MirrorSummary) },
  },
  getMirror: {
    method: 'get',
    path: '/folders/{folder_id}/mirror',
    summary: 'The mirror of a folder that the caller may pull from, and how its tags stand',
    access: 'user',
    token: ['pull'],
    params,
    success: {
      status: 200,
      body: z.strictObject({
        /** Null: the folder is no mirror. */
        mirror: MirrorView.nullable(),
      }),
    },
    faults: [UNKNOWN],
  },
  listMirrorTags: {
    method: 'get',
    path: '/folders/{folder_id}/mirror/tags',
    summary:
      'The tags of a mirror that are here, on their way or refused, the most urgent first unless sorted',
    access: 'user',
    token: ['pull'],
    params,
    query: z.strictObject({
      state: z.enum(MIRROR_TAG_STATES).optional(),
      q: z
        .string()
        .trim()
        .max(255)
        .optional()
        .describe('Parts of `repository:tag`, in upper or lower case.'),
      sort: z
        .enum(MIRROR_TAG_ORDERS)
        .default('urgency')
        .describe(
          'A minus sign means descending. By urgency those that are not here are first, then those that are not as at the upstream.',
        ),
      page: z.coerce.number().int().min(1).max(10_000).default(1),
      page_size: z.coerce.number().int().min(1).max(200).default(50),
    }),
    success: { status: 200, body: MirrorTagPage },
    faults: [UNKNOWN],
  },
  getMirrorConfig: {
    method: 'get',
    path: '/folders/{folder_id}/mirror/config',
    summary:
      'Files for the machine of a client, which make it read the images of the upstream from the mirror and from nothing else',
    access: 'user',
    token: ['pull'],
    params,
    query: z.strictObject({
      client: z
        .enum(MIRROR_CLIENTS)
        .describe('`containerd` also for Kubernetes, `podman` also for Buildah, Skopeo and CRI-O.'),
      ca: z
        .string()
        .regex(new RegExp(CA_FILE))
        .optional()
        .describe('Where that machine has the certificate of this installation’s own authority.'),
    }),
    success: { status: 200, body: MirrorConfig },
    faults: [UNKNOWN, { status: 409, codes: ['MIRROR_UNSET'] }],
  },
} as const satisfies Contract;
