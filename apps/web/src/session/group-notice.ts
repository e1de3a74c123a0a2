/** Reads the cookie that a sign-in by the identity provider leaves for the page. */
import { GROUP_NOTICE_COOKIE, GROUP_NOTICES, type GroupNotice } from '@portcullis/domain';

const SECURE_NAME = `__Host-${GROUP_NOTICE_COOKIE}`;

export function groupNoticeIn(cookies: string): GroupNotice | null {
  const values = cookies.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=');
    return name === GROUP_NOTICE_COOKIE || name === SECURE_NAME ? [value] : [];
  });
  return GROUP_NOTICES.find((each) => values.includes(each)) ?? null;
}

/** One removal for each name: a browser refuses that of the other scheme. */
export const REMOVALS = [
  `${GROUP_NOTICE_COOKIE}=; Max-Age=0; Path=/; SameSite=Strict`,
  `${SECURE_NAME}=; Max-Age=0; Path=/; SameSite=Strict; Secure`,
];
