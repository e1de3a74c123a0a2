/** After a sign-in by the identity provider: says that its groups were not applied, and why. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMessages } from '../i18n/messages.ts';
import { groupNoticeIn, REMOVALS } from '../session/group-notice.ts';

export function GroupBanner() {
  const t = useMessages('shell');
  const [notice, setNotice] = useState(() => groupNoticeIn(document.cookie));
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no Cookie Store API
    for (const removal of REMOVALS) document.cookie = removal;
  }, []);
  if (notice === null) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} />}
      role="status"
      title={t.groupsUnknown.title}
      withCloseButton
      closeButtonLabel={t.groupsUnknown.close}
      onClose={() => setNotice(null)}
    >
      {t.groupsUnknown[notice]}
    </Alert>
  );
}
