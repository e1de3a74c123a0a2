/** Delivers audit events by e-mail and syslog. The only importer of nodemailer and glossy. */
export * from './delivery.ts';
export * from './email.ts';
export * from './mail.ts';
export type { Resolve } from './resolve.ts';
export { reviewMail } from './review-mail.ts';
export { ownersOf, STANDING_EVENTS, standingMail } from './standing-mail.ts';
export * from './syslog.ts';
export { auditEntry, type LogLine, logEntry, type SyslogEntry } from './syslog-entry.ts';
export { waiverMail } from './waiver-mail.ts';
export { decidedMail, waitingMail } from './waiver-review-mail.ts';
export { newWebhookSecret, webhookHeaders } from './webhook/signature.ts';
