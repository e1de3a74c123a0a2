/** Why the page says at a sign-in that the groups of the identity provider were not applied. */
export const GROUP_NOTICES = ['absent', 'overage', 'unreadable', 'not_here'] as const;
export type GroupNotice = (typeof GROUP_NOTICES)[number];

/** The cookie that carries it through the redirect; under TLS it has the prefix `__Host-`. */
export const GROUP_NOTICE_COOKIE = 'pc_oidc_groups';
