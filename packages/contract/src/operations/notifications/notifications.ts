/** Notifications of the caller on the page, and where the caller receives them. */
import {
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
  REVIEW_OUTCOMES,
  WAIVER_DECISIONS,
} from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import type { Contract } from '../../operation.ts';
import { StandingView } from '../../staging/standing-view.ts';

/** What a text names. Facts that a kind does not have are null. */
const Facts = z.strictObject({
  /** Why the gate or a stage stopped it. */
  code: z.string().nullable(),
  /** Where the image was pushed to. */
  destination: z.string().nullable(),
  /** Whether that is the built-in registry; null also in notifications of older releases. */
  local: z.boolean().nullable(),
  policy: z.string().nullable(),
  /** The tags that the image has in its repository, at most five. */
  tags: z.array(z.string()),
  /** How the image stood for its destination then; null where the account may not push there. */
  standing: StandingView.omit({
    blocking: true,
    blocking_counts: true,
    waived_total: true,
  }).nullable(),
  /** Until when a blocked image is still served. */
  grace_until: z.string().nullable(),
  /** How many waivers, or how many vulnerabilities a review request asks for. */
  count: z.number().int().nullable(),
  decision: z.enum(WAIVER_DECISIONS).nullable(),
  /** The number of a review request, and what became of it. */
  review: z.number().int().nullable(),
  outcome: z.enum(REVIEW_OUTCOMES).nullable(),
  /** How many of the vulnerabilities were approved. */
  approved: z.number().int().nullable(),
  /** Until when the image waits for an age that a review request asks for. */
  waits_until: z.string().nullable(),
  /** The authorities whose signatures it lacks, where a review request asks for that. */
  missing_signatures: z.array(z.string()).nullable(),
  /** The job that a review request is about. */
  job_id: z.string().nullable(),
  /** The account that decided. */
  by: z.string().nullable(),
  reason: z.string().nullable(),
  /** When the first of the waivers ends. */
  ends_at: z.string().nullable(),
  pushed: z.number().int().nullable(),
  blocked: z.number().int().nullable(),
  failed: z.number().int().nullable(),
});

const Notification = z.strictObject({
  id: Uuid,
  kind: z.enum(NOTIFICATION_KINDS),
  /** An image, a repository or a vulnerability. */
  subject: z.string(),
  target: z.enum(NOTIFICATION_TARGETS),
  /**
   * Of the job, the transfer or the waiver, or the number of the review request; null for an image
   * and for several waivers.
   */
  target_id: z.string().nullable(),
  digest: z.string().nullable(),
  facts: Facts,
  created_at: Time,
  /** Null while it is unread. */
  read_at: Time.nullable(),
});
export type Notification = z.infer<typeof Notification>;

const NotificationList = z.strictObject({
  /** Of all notifications, not only of this page. */
  unread: z.number().int(),
  items: z.array(Notification),
});
export type NotificationList = z.infer<typeof NotificationList>;

const NotificationSetting = z.strictObject({
  kind: z.enum(NOTIFICATION_KINDS),
  /** Null: the kind is never on the page. */
  page: z.boolean().nullable(),
  /** Null: the kind is never sent by mail. */
  mail: z.boolean().nullable(),
});
export type NotificationSetting = z.infer<typeof NotificationSetting>;

/** Whether a chosen mail is sent. */
const NotificationMail = z.strictObject({
  /** Whether this installation sends e-mail. */
  enabled: z.boolean(),
  /** Null: the account has no address that mail can be sent to. */
  address: z.string().nullable(),
});
export type NotificationMail = z.infer<typeof NotificationMail>;

export const notifications = {
  listNotifications: {
    method: 'get',
    path: '/notifications',
    summary: 'The caller’s notifications that its rights still allow it to see, newest first',
    access: 'user',
    query: z.strictObject(PAGING),
    success: { status: 200, body: NotificationList },
  },
  markNotificationsRead: {
    method: 'post',
    path: '/notifications/read',
    summary: 'Marks notifications of the caller as read: these, or all',
    access: 'user',
    audit: 'notifications.read',
    body: z.strictObject({
      /** Absent: all. */
      ids: z.array(Uuid).min(1).max(200).optional(),
    }),
    success: { status: 204 },
  },
  getNotificationSettings: {
    method: 'get',
    path: '/notifications/settings',
    summary: 'Where the caller receives each kind of notification',
    access: 'user',
    success: { status: 200, body: z.array(NotificationSetting) },
  },
  getNotificationMail: {
    method: 'get',
    path: '/notifications/mail',
    summary: 'Whether the caller’s mails are sent, and to which address',
    access: 'user',
    success: { status: 200, body: NotificationMail },
  },
  putNotificationSettings: {
    method: 'put',
    path: '/notifications/settings',
    summary: 'Chooses where the caller receives kinds of notifications; others stay',
    access: 'user',
    audit: 'notifications.settings',
    body: z.strictObject({
      /** A way that the kind does not have stays absent. */
      settings: z
        .array(
          z.strictObject({
            kind: z.enum(NOTIFICATION_KINDS),
            page: z.boolean(),
            mail: z.boolean(),
          }),
        )
        .min(1)
        .max(NOTIFICATION_KINDS.length),
    }),
    success: { status: 200, body: z.array(NotificationSetting) },
  },
} as const satisfies Contract;
